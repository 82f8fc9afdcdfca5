import type { Coder, Typed } from "@pith/coder";
import { otherName } from "./other-name.ts";

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
  if (typed.is === "unknown") return { is: "refused", why: otherName(text) ?? typed.message };
  return typed.is === "command" ? { is: "command", typed } : { is: "words" };
}
