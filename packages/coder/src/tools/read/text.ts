import type { Outcome } from "@pith/agent";
import { byteLength } from "@pith/kit";
import type { Selector } from "../selector.ts";
import { linesOf, type Shown, showSlices, sliceLines, windowsOf } from "./page.ts";

/** A text that is in memory, as much of it as was asked for. */
export function showText(text: string, selector: Selector, limit: number, shown: Shown): Outcome<"page"> {
  const lines = linesOf(text);
  return showSlices(sliceLines(lines, windowsOf(selector, limit)), { lines: lines.length, counted: "exactly", bytes: byteLength(text) }, selector, shown);
}
