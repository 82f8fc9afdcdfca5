import { align, unified } from "./diff.ts";
import { Lines } from "./line.ts";

/** How one text differs from another, as a unified diff of a file of this name. */
export function diffText(before: string, after: string, name: string): string {
  const [a, b] = [new Lines(before), new Lines(after)];
  const wholes = (lines: Lines) => lines.wholes(1, lines.count);
  return unified(a, b, align(wholes(a), wholes(b)), { from: name, to: name });
}
