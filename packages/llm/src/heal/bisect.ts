import type { Request, Stream } from "../message/stream.ts";
import { type HistoryBlock, historyBlocks, without } from "./mask.ts";

/** Requests that a search may make, and blocks it may remove. */
const limits = { probes: 60, blocks: 8 };

/**
 * Finds the blocks without which a server accepts a history, by bisection, with requests that are stopped at their
 * first event. Undefined when removing everything does not help, or the search gets too expensive.
 */
export async function findOffenders(
  request: Request,
  stream: Stream,
  signal: AbortSignal,
): Promise<HistoryBlock[] | undefined> {
  const blocks = historyBlocks(request.messages);
  let left = limits.probes;
  const accepts = async (hidden: Iterable<HistoryBlock>): Promise<boolean> => {
    if (left-- <= 0) throw new Stop();
    const keys = new Set([...hidden].map((block) => block.key));
    return probe({ ...request, messages: without(request.messages, keys) }, stream, signal);
  };
  const offenders: HistoryBlock[] = [];
  try {
    if (!(await accepts(blocks))) return undefined;
    // All blocks from `end` on are acceptable, or found.
    let end = blocks.length;
    do {
      if (offenders.length === limits.blocks) return undefined;
      let [refused, acceptance] = [0, end];
      while (acceptance - refused > 1) {
        const middle = (refused + acceptance) >> 1;
        if (await accepts([...blocks.slice(0, middle), ...offenders])) acceptance = middle;
        else refused = middle;
      }
      end = acceptance - 1;
      offenders.push(blocks[end] as HistoryBlock);
    } while (!(await accepts(offenders)));
    return offenders;
  } catch (error) {
    if (error instanceof Stop) return undefined;
    throw error;
  }
}

/** Ends the search: out of requests, stopped, or the server has other trouble. */
class Stop extends Error {}

async function probe(request: Request, stream: Stream, signal: AbortSignal): Promise<boolean> {
  const answer = await accepted(request, stream, signal);
  if (answer === "unknown") throw new Stop();
  return answer === "yes";
}

/**
 * Tests whether a server accepts a request. It is stopped at its first event and otherwise unchanged, since any other
 * change might be what is refused.
 */
export async function accepted(
  request: Request,
  stream: Stream,
  signal: AbortSignal,
): Promise<"yes" | "no" | "unknown"> {
  const enough = new AbortController();
  try {
    for await (const [first] of stream(request, AbortSignal.any([signal, enough.signal]))) {
      if (first?.type !== "fail") return "yes";
      return first.failure.kind === "rejected" || first.failure.kind === "overflow" ? "no" : "unknown";
    }
    return "unknown";
  } finally {
    enough.abort();
  }
}
