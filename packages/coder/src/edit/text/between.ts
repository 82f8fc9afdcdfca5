import { align, unified } from "./diff.ts";
import { Lines } from "./line.ts";

/** A unified diff from one text to another, as of a file of this name. */
export function diffText(before: string, after: string, name: string): string {
  const [a, b] = [new Lines(before), new Lines(after)];
  return unified(a, b, align(a.wholes(), b.wholes()), { from: name, to: name });
}
