import { fail, formatBytes, ok, type Result, sleep } from "@pith/kit";
import type { Source } from "../io/io.ts";
import { maxTextBytes, readUpTo, textOf } from "./read.ts";

export interface Piping {
  /** Whether something else already says what to do; then a silent socket is not waited for. */
  prompt: "given" | "missing";
  /** Nothing has come for a while: is it waited for, or left alone? */
  onSilence(then: "waiting" | "going on"): void;
  waitMs?: number;
}

/**
 * Text piped into pith. A pipe or a file is read to its end, as every filter does it. A socket is how programs start
 * programs: one that says nothing was most likely left open by mistake, and is left alone after a moment.
 */
export async function readPiped(
  source: Source,
  { prompt, onSilence, waitMs = 1500 }: Piping,
): Promise<Result<string | undefined, "usage">> {
  if (source.kind === "device" || source.kind === "closed") return ok(undefined);
  const bytes = source.bytes()[Symbol.asyncIterator]();
  const first = bytes.next();
  const settled = new AbortController();
  const waiting = sleep(waitMs, settled.signal).then((how) => (how === "slept" ? ("silent" as const) : undefined));
  if ((await Promise.race([first, waiting])) === "silent") {
    const then = source.kind === "socket" && prompt === "given" ? "going on" : "waiting";
    onSilence(then);
    if (then === "going on") return ok(undefined);
  }
  settled.abort();
  const all = await readUpTo(startingWith(first, bytes), maxTextBytes);
  if (all === "too large")
    return fail(
      "usage",
      `piped input is larger than ${formatBytes(maxTextBytes)}; save it to a file and name the file in the prompt`,
    );
  const text = textOf(all);
  if (text === undefined)
    return fail("usage", "piped input is not text; save it to a file and name the file in the prompt");
  return ok(text.trim() === "" ? undefined : text);
}

async function* startingWith(
  first: Promise<IteratorResult<Uint8Array>>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = await first; !next.done; next = await rest.next()) yield next.value;
}
