import { fail, formatBytes, ok, type Result, sleep } from "@pith/kit";
import type { InputSource } from "../io/io.ts";
import { maxTextBytes, readUpTo, textOf } from "./read.ts";

export interface Piping {
  /** `given` when the command line says what to do: then a silent socket is not waited for. */
  prompt: "given" | "missing";
  /** Called when nothing has come for a while: the input is waited for, or left alone. */
  onSilence(then: "waiting" | "going on"): void;
  waitMs?: number;
}

/**
 * Reads piped text. A pipe or a file is read to its end, as by every filter. A socket, by which programs start others,
 * was most likely left open by mistake when nothing comes, and is left alone after a moment.
 */
export async function readPiped(
  source: InputSource,
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
