import { join } from "node:path";
import { readPlain } from "@pith/kit";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Adds variables from `.env` of pith's home, then of the user's, to an environment that does not have them. The file of
 * the working directory is never read: it is the project's. `OMP_…` and `PI_…` stand for unset variables of ours.
 */
export function withDotEnv(env: Env, { home, userHome }: { home: string; userHome: string }): Env {
  const files = [...new Set([join(home, ".env"), join(userHome, ".env")])].map(valuesIn);
  // Most have neither, and then nothing is copied.
  const own = files.some((file) => file.size > 0) || Object.keys(env).some((name) => relative.test(name));
  if (!own) return env;
  const merged: Record<string, string | undefined> = {};
  for (const [name, value] of [...files.toReversed().flatMap((file) => [...file]), ...Object.entries(env)])
    if (value !== undefined) merged[name] = value;
  for (const from of ["PI_", "OMP_"])
    for (const [name, value] of Object.entries(merged))
      if (name.startsWith(from) && taken.has(shared(name, from))) {
        const ours = `PITH_${shared(name, from)}`;
        if (env[ours] === undefined && !files.some((file) => file.has(ours))) merged[ours] = value;
      }
  return merged;
}

/** Names that mean the same here; other variables of those programs are about their own folders. */
const taken: ReadonlySet<string> = new Set([
  ...["SMOL_MODEL", "SLOW_MODEL", "PLAN_MODEL", "NO_TITLE", "NO_PTY", "EDIT_VARIANT", "TIMING"],
  ...["STREAM_FIRST_EVENT_TIMEOUT_MS", "STREAM_IDLE_TIMEOUT_MS", "FORCE_IMAGE_PROTOCOL", "ALLOW_SIXEL_PASSTHROUGH"],
  ...["BASH_NO_LOGIN", "BASH_NO_CI", "RPC_EMIT_TITLE", "CACHE_RETENTION", "NO_INTERLEAVED_THINKING", "NOTIFICATIONS"],
  ...["HARDWARE_CURSOR", "NO_SYNC_OUTPUT", "NO_DECCARA", "DEBUG_REDRAW"],
]);
const relative = /^(?:OMP|PI)_/;

/** Takes the beginning off a name; time limits of streams hold for every protocol here. */
const shared = (name: string, from: string): string => name.slice(from.length).replace(/^OPENAI_(?=STREAM_)/, "");

/** Reads `NAME=value` lines, with or without `export` and quotes; anything else is passed over. */
function valuesIn(file: string): Map<string, string> {
  const read = readPlain(file, { maxBytes: 256 * 1024, owner: (uid) => uid === 0 || uid === process.getuid?.() });
  const values = new Map<string, string>();
  for (const line of read.ok ? read.value.split("\n") : []) {
    const [, name, raw = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || values.has(name)) continue;
    const [, quote, inner] = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(raw) ?? [];
    const text = quote === undefined ? raw.replace(/\s+#.*$/, "") : (inner ?? "");
    values.set(name, quote === '"' ? text.replace(/\\n/g, "\n").replace(/\\(["\\])/g, "$1") : text);
  }
  return values;
}
