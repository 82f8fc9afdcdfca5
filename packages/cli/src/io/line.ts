import { LineCutter } from "@pith/kit";
import type { Source } from "./io.ts";

/** The lines of a source as they come; a last one without its newline counts too. */
export async function* linesOf(source: Source): AsyncGenerator<string> {
  const cutter = new LineCutter();
  const decoder = new TextDecoder();
  for await (const chunk of source.bytes()) yield* cutter.push(decoder.decode(chunk, { stream: true }));
  if (cutter.rest !== "") yield cutter.rest;
}
