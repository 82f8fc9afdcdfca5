import { findSession } from "@pith/agent";
import type { SessionChoice } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";
import type { LaunchFlags } from "../argv/flag.ts";

/** Reads from the flags which session to open: a new one, none, the last one, or one by its name. */
export function sessionOf(flags: LaunchFlags, cwd: string, sessions: string): Result<SessionChoice, string> {
  const chosen = (["continue", "resume", "fork", "no-session"] as const).filter((name) => flags[name] !== undefined);
  if (chosen.length > 1) return fail("usage", `${chosen.map((name) => `--${name}`).join(" and ")} do not go together`);
  const word = flags.resume ?? flags.fork;
  if (word === undefined) return ok({ open: flags.continue ? "last" : flags["no-session"] ? "none" : "new" });
  // A search names its hits so: the session, and the entry in it.
  const [, name = word, at] = /^(.+)#([\w.-]+)$/.exec(word) ?? [];
  const file = findSession(name, sessions, cwd);
  if (!file.ok) return file;
  return ok({ open: flags.fork === undefined ? "file" : "fork", path: file.value, at });
}
