import type { Coder, Typed } from "@pith/coder";

/** A person's input: a slash command, a command for the shell, words for the model, or something mistyped. */
export type Entered =
  | { is: "command"; typed: Typed & { is: "command" } }
  | { is: "shell"; command: string; context: "in" | "out" }
  | { is: "words" }
  | { is: "refused"; why: string };

/** Reads what was typed; only what a person types is a command, never what comes from elsewhere. */
export function readEntered(coder: Coder, text: string): Entered {
  const [, marks, command] = /^(!!?)(?:\s*([\s\S]*\S))?$/.exec(text) ?? [];
  if (marks !== undefined)
    return command === undefined
      ? { is: "refused", why: "Say what to run: !<command>" }
      : { is: "shell", command, context: marks === "!" ? "in" : "out" };
  const typed = coder.commands.read(text);
  if (typed.is === "unknown") return { is: "refused", why: elsewhere(text) ?? typed.message };
  return typed.is === "command" ? { is: "command", typed } : { is: "words" };
}

/** Names of commands of other programs, and what does the same here. */
const places: Readonly<Record<string, string>> = {
  login: "Leave with Ctrl+D; then `pith auth add <vendor>` keeps a key. More: `pith help models`.",
  logout: "Leave with Ctrl+D; then `pith auth` tells which keys there are, and how one is removed.",
};

/** The answer to a command that other programs have and that is none here. */
function elsewhere(text: string): string | undefined {
  const name = /^\/([a-z]+)(?: .*)?$/.exec(text)?.[1] ?? "";
  return Object.hasOwn(places, name) ? `There is no command /${name}. ${places[name]}` : undefined;
}
