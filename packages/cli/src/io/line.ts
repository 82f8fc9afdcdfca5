import { LineCutter } from "@pith/kit";
import type { InputSource } from "./io.ts";

/** Lines of an input as they come; a last one without its newline counts too. */
export async function* linesOf(source: InputSource): AsyncGenerator<string> {
  const cutter = new LineCutter();
  const decoder = new TextDecoder();
  for await (const chunk of source.bytes()) yield* cutter.push(decoder.decode(chunk, { stream: true }));
  if (cutter.rest !== "") yield cutter.rest;
}
