import type { Outcome } from "@pith/agent";
import type { ScreenContext } from "../context.ts";

/** Runs a slash command of the conversation; undefined when there is nothing to show. */
export async function performed({ coder }: ScreenContext, text: string): Promise<Outcome | undefined> {
  const typed = coder?.commands.read(text);
  if (typed?.is === "unknown") return { kind: "prose", data: {}, text: typed.message, failed: true };
  if (!coder || typed?.is !== "command") return undefined;
  const ending = await coder.perform(typed);
  return ending.do === "show" ? ending.outcome : undefined;
}
