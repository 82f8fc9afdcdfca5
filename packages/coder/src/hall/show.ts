import { isOutcome, type Outcome, type Registry, refusal } from "@pith/agent";
import type { Looking } from "../files/sight.ts";

/** What the read tool shows of a path that a person named. */
export async function shown(tools: Registry, looking: Looking, path: string): Promise<Outcome> {
  const signal = new AbortController().signal;
  const read = tools.get("read");
  if (!read) return refusal("the tool read is switched off");
  const intent = await looking.sight(
    async () => read.prepare({ path }, { signal, without: [] }),
    async () => undefined,
  );
  return isOutcome(intent) ? intent : intent.run({ id: "", signal, progress: () => {} });
}
