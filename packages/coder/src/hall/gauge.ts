import type { Conversation } from "@pith/agent";
import type { Briefing } from "../context/briefing.ts";
import type { Choice } from "../model/choice.ts";
import type { Gauge } from "../usage/gauge.ts";
import type { House } from "./house.ts";

/** The gauge of a conversation, loaded when it is first needed. */
export function lazyGauge(
  { counting, clock }: Pick<House, "counting" | "clock">,
  { choice, briefing, conversation }: { choice: Choice; briefing: Briefing; conversation: Conversation },
): () => Promise<Gauge> {
  const open = async () => {
    const [{ Gauge }, counts] = await Promise.all([import("../usage/gauge.ts"), counting()]);
    return new Gauge({
      ...counts,
      model: () => choice.model,
      prompt: () => briefing.told(),
      shown: () => conversation.context,
      now: () => clock.now(),
    });
  };
  let gauge: Promise<Gauge> | undefined;
  return () => (gauge ??= open());
}
