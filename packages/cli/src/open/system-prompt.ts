import { resolve } from "node:path";
import { expandHome, fail, ok, type Result, readPlain } from "@pith/kit";
import type { Io } from "../io/io.ts";

export interface PromptOverrides {
  system?: string | undefined;
  append?: string | undefined;
  nothing?: boolean;
}

/** Words in the place of the system prompt or behind it: each flag is a text, or the name of a file. */
export function promptOverrides(
  flags: { "system-prompt"?: string | undefined; "append-system-prompt"?: string | undefined },
  io: Pick<Io, "cwd" | "userHome" | "env">,
): Result<PromptOverrides, "usage"> {
  const system = textOf("system-prompt", flags["system-prompt"], io);
  if (!system.ok) return system;
  const append = textOf("append-system-prompt", flags["append-system-prompt"], io);
  if (!append.ok) return append;
  return ok({ system: system.value, append: append.value, nothing: io.env.NULL_PROMPT === "true" });
}

/** Reads a text or a file. A value that looks like a path must be one. */
function textOf(
  flag: string,
  value: string | undefined,
  io: Pick<Io, "cwd" | "userHome">,
): Result<string | undefined, "usage"> {
  if (value === undefined || /[\n]/.test(value)) return ok(value);
  const file = readPlain(resolve(io.cwd, expandHome(value, io.userHome)), { maxBytes: 1024 * 1024 });
  if (file.ok) return ok(file.value);
  const path = /^(?:\.{0,2}|~)\/\S+$|^\S+\.(?:md|txt)$/.test(value);
  return path ? fail("usage", `--${flag}: ${value} cannot be read`) : ok(value);
}
