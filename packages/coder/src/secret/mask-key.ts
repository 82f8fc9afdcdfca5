import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closing } from "@pith/kit";

/**
 * The key by which names of secrets are made: without it nobody can try out values. It stays in the user's home, so
 * that a resumed or copied session gives its secrets the same names.
 */
export function maskKey(home: string): Buffer {
  const file = join(home, "mask.key");
  try {
    const known = readFileSync(file);
    if (known.length === length) return known;
  } catch {
    // There is none yet.
  }
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(length)));
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const fd = openSync(file, "wx", 0o600);
    using _ = closing(fd);
    writeFileSync(fd, fresh);
    return fresh;
  } catch {
    return other(file) ?? fresh;
  }
}

/** Another pith may have made one at the same moment; where none can be kept, this run has its own. */
function other(file: string): Buffer | undefined {
  try {
    const known = readFileSync(file);
    return known.length === length ? known : undefined;
  } catch {
    return undefined;
  }
}

const length = 32;
