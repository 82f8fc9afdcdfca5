import { limits } from "../../message/limit.ts";
import { dialects } from "./dialect.ts";
import { type Found, jsonCalls, type Written } from "./json.ts";
import type { Known } from "./known.ts";
import { bareAt, isMarked, markAt } from "./mark.ts";

/** A piece of what a model wrote: words, or a call. */
export type Piece = { text: string } | Written;

/**
 * Finds calls in a text. Those in a dialect (`dialect.ts`) count whatever their names; bare JSON, also inside a fence,
 * counts only where there is nothing marked and it names known tools alone.
 * Text before, between and after calls survives; arguments that are not whole stay as they were written, and are never
 * mended.
 */
export function extract(text: string, known: Known, before: Before = ""): Piece[] {
  let hasMarks = false;
  const read = (rest: string) => {
    const found = markedCalls(rest, known);
    hasMarks ||= found !== undefined;
    return found;
  };
  const marked = split(text, markAt, read, before);
  return hasMarks ? marked : split(text, bareAt, (rest) => bareCalls(rest, known));
}

function split(
  text: string,
  next: (text: string, from: number) => number,
  read: (rest: string) => Found | undefined,
  before?: Before,
): Piece[] {
  const pieces: Piece[] = [];
  let [from, looked] = [0, 0];
  for (let at = next(text, 0); at !== -1 && pieces.length < limits.blocks; at = next(text, at)) {
    const reading = read(text.slice(at));
    if (!reading) {
      looked += text.length - at;
      if (looked > mostLooked) break;
      at++;
      continue;
    }
    const end = at + reading.length;
    const words = text.slice(from, at);
    if (before !== undefined && isShown(from === 0 ? before + words : words, text.slice(end))) {
      at = end;
      continue;
    }
    pieces.push({ text: words }, ...reading.calls);
    at = end;
    from = at;
  }
  pieces.push({ text: text.slice(from) });
  return pieces.filter((piece) => "name" in piece || piece.text.trim() !== "");
}

/** What stands before a text and is shown already, as far as it counts: an open fence, a tick, a mark of a quote. */
export type Before = "" | "```\n" | "`" | "> ";

/**
 * Whether a call only shows how one is written: between ticks, in a quote, inside a thought, or in a fence behind which
 * the words go on. Who means a call in a fence stops there.
 */
function isShown(before: string, behind: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (line.startsWith("> ") || (line.endsWith("`") && behind.startsWith("`"))) return true;
  const thought = behind.indexOf("</think>");
  if (thought !== -1 && !behind.slice(0, thought).includes("<think>")) return true;
  const isFenced = (before.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
  return isFenced && /^\s*?\n[ \t]*```[ \t]*\n\s*\S/.test(behind);
}

/** Each place where no call is may have been read to the end of the text; a text of such places is words at last. */
const mostLooked = 32 * 1024 * 1024;

function markedCalls(rest: string, known: Known): Found | undefined {
  for (const dialect of dialects) {
    if (!isMarked(rest, dialect)) continue;
    const found = dialect.read(rest, known);
    if (found) return found;
  }
  return undefined;
}

/** The dialect of the first call in a text that is written in one. */
export function dialectIn(text: string, known: Known): string | undefined {
  for (let at = markAt(text, 0); at !== -1; at = markAt(text, at + 1)) {
    const rest = text.slice(at);
    const found = dialects.find((dialect) => isMarked(rest, dialect) && dialect.read(rest, known));
    if (found) return found.of;
  }
  return undefined;
}

function bareCalls(rest: string, known: Known): Found | undefined {
  const found = jsonCalls(rest, "whole only");
  return found?.calls.every(({ name }) => known.has(name)) ? found : undefined;
}
