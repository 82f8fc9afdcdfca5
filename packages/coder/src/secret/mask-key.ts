import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { succeeds, tryOr } from "@pith/kit";

/**
 * The key by which names of secrets are made: without it nobody can try out values. It stays in the user's home, so
 * that a resumed or copied session gives its secrets the same names.
 */
export function maskKey(home: string): Buffer {
  const file = join(home, "mask.key");
  const known = keyIn(file);
  if (known) return known;
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(length)));
  const isKept = succeeds(() => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(file, fresh, { mode: 0o600, flag: "wx" });
  });
  // Another pith may have made one at the same moment; where none can be kept, this run has its own.
  return isKept ? fresh : (keyIn(file) ?? fresh);
}

function keyIn(file: string): Buffer | undefined {
  const known = tryOr(() => readFileSync(file));
  return known?.length === length ? known : undefined;
}

const length = 32;
