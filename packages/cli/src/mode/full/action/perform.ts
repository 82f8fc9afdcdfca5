import type { Outcome } from "@pith/agent";
import { messageOf } from "@pith/kit";
import type { Seat } from "../seat.ts";

/** Carries out a command of the conversation's own; undefined when there is nothing to look at. */
export async function performed({ coder }: Seat, text: string): Promise<Outcome | undefined> {
  const typed = coder?.commands.read(text);
  if (typed?.is === "unknown") return { kind: "prose", data: {}, text: typed.message, failed: true };
  if (!coder || typed?.is !== "command") return undefined;
  const ending = await coder.perform(typed);
  return ending.do === "show" ? ending.outcome : undefined;
}

/** The same, and what came of it stands in the transcript. */
export async function typedTo(seat: Seat, text: string): Promise<void> {
  try {
    const outcome = await performed(seat, text);
    if (outcome) seat.show(outcome);
    // What did nothing stands there again to be put right.
    if (outcome?.failed && seat.composer.isEmpty) seat.composer.text = text;
  } catch (error) {
    seat.say("error", messageOf(error));
  }
}
