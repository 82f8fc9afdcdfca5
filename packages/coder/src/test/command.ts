import type { Command } from "../command/command.ts";

/** Runs a command and returns the text it shows; a failure is marked. */
export async function said(command: Command | undefined, words = ""): Promise<string> {
  const ending = await command?.run(words, new AbortController().signal);
  if (ending?.do !== "show") throw new Error(`It shows nothing: ${JSON.stringify(ending)}`);
  return `${ending.outcome.failed ? "failed: " : ""}${ending.outcome.text}`;
}
