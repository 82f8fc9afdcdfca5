import { limits } from "../../limit.ts";
import { firstLineOutside, positionAfter, startOfText, type TextPosition } from "../fence.ts";
import type { ParsedCalls, WrittenCall } from "./call.ts";
import { dialects } from "./dialect.ts";
import { endsAt, isMadeUp, wordsEnd } from "./end.ts";
import { jsonCalls } from "./json.ts";
import type { KnownTools } from "./known.ts";
import madeUp from "./made-up.md" with { type: "text" };
import { bareAt, isMarked, markAt } from "./mark.ts";
import { pythonCalls } from "./python.ts";

/** Words or a call. */
export type TextSegment = { text: string } | WrittenCall;

/** Context of a text in which calls are searched. */
export interface ExtractContext {
  /** Position after the text that was shown before it. */
  before: TextPosition;
  /** True when the answer was cut after it. */
  isCut: boolean;
  /** True for the text of a call that the model only repeats. */
  isQuote(call: string): boolean;
}
const nowhere: ExtractContext = { before: startOfText, isCut: false, isQuote: () => false };

/**
 * Finds calls in a text. A call in a dialect (`dialect.ts`) counts whatever its name; a call without marks, also in a
 * fence, counts only when the text has no marked call and all its names are known tools. Text around calls stays,
 * without end marks of templates. Incomplete arguments stay as written and are never repaired.
 */
export function extractCalls(text: string, known: KnownTools, around: ExtractContext = nowhere): TextSegment[] {
  let hasMarks = false;
  const read = (rest: string) => {
    const found = markedCalls(rest, known);
    hasMarks ||= found !== undefined;
    return found;
  };
  const marked = split(text, { next: markAt, read, stands: standsMarked }, around);
  if (hasMarks) return marked;
  return split(text, { next: bareAt, read: (rest) => bareCalls(rest, known), stands: standsBare }, around);
}

/** A way to write calls. */
interface CallForm {
  next(text: string, from: number): number;
  read(rest: string): ParsedCalls | undefined;
  /** True where a call stands as one: at the beginning of a line, not among words. */
  stands(line: string, call: string, behind: string): boolean;
}

function split(text: string, { next, read, stands }: CallForm, around: ExtractContext): TextSegment[] {
  const { before, isCut, isQuote } = around;
  const pieces: TextSegment[] = [];
  let [from, looked, placed] = [0, 0, 0];
  let place = before;
  for (let at = next(text, 0); at !== -1 && pieces.length < limits.blocks; at = next(text, at)) {
    const reading = read(text.slice(at));
    if (!reading) {
      looked += text.length - at;
      if (looked > mostLooked) break;
      at++;
      continue;
    }
    const end = at + reading.length;
    place = positionAfter(place, text.slice(placed, at));
    placed = at;
    const [call, behind] = [text.slice(at, end), text.slice(end)];
    if (!stands(place.line, call, behind) || isShown(place, call, behind, isCut) || isQuote(call)) {
      at = end;
      continue;
    }
    pieces.push({ text: wordsIn(text.slice(from, at)) }, ...reading.calls);
    at = end + endsAt(text.slice(end));
    from = at;
    // A call opens and closes no fence of the surrounding text.
    placed = at;
    // A model that makes up results has not done anything it says after them.
    if (isMadeUp(text.slice(at))) return [...pieces.filter(isAnything), { text: madeUp.trim() }];
  }
  pieces.push({ text: wordsIn(text.slice(from)) });
  return pieces.filter(isAnything);
}

const wordsIn = (text: string): string => text.slice(0, wordsEnd(text)).replace(said, "\n");
const isAnything = (piece: TextSegment): boolean => "name" in piece || piece.text.trim() !== "";
/** Marks with which gpt-oss begins to speak again. */
const spoken =
  "(?:<\\|start\\|>assistant)?<\\|channel\\|>(?:final|commentary) ?(?:<\\|constrain\\|>\\w+)?<\\|message\\|>";
const said = new RegExp(`(?:^|<\\|end\\|>)\\s*${spoken}`, "g");

/**
 * A marked call stands at the beginning of a line. Templates that write a control token have no line break before it:
 * such a call may follow words, but not a line number or an opening quote, and it must end the answer.
 */
function standsMarked(line: string, call: string, behind: string): boolean {
  if (wordsIn(line).trim() === "") return true;
  const rest = behind.slice(endsAt(behind)).trimStart();
  const isLast = rest === "" || markAt(rest, 0) === 0 || isMadeUp(rest);
  return controlToken.test(call) && wordsBefore.test(line) && isLast;
}
const controlToken = /^(?:<[|｜]|\[TOOL_CALLS\])/;
const wordsBefore = /^\s*[\p{L}<].*[\p{L}\p{N}.:!?…。,>]\s*$/u;

/** An unmarked call has its lines to itself. */
function standsBare(line: string, _call: string, behind: string): boolean {
  const rest = behind.slice(endsAt(behind));
  return wordsIn(line).trim() === "" && (/^\s*(?:\n|$)/.test(rest) || bareAt(rest.trimStart(), 0) === 0);
}

/**
 * True when a call is only an example: between ticks, in a quote, in a thought, or as code after which the text goes
 * on. A model that means a call in a fence stops there.
 */
function isShown({ fence, above, line }: TextPosition, call: string, behind: string, isCut: boolean): boolean {
  const rest = behind.slice(endsAt(behind));
  const isTicked = line.endsWith("`") && (line.match(/`+/g)?.length ?? 0) % 2 === 1;
  if (/^\s*>/.test(line) || isTicked) return true;
  const thought = behind.indexOf("</think>");
  if (thought !== -1 && !behind.slice(0, thought).includes("<think>")) return true;
  const isIndented = above?.trim() === "" && /^(?: {4}|\t)/.test(line + call);
  if ((fence === "" && !isIndented && !/^[ \t]*```/.test(call)) || isMadeUp(rest)) return false;
  const words = firstLineOutside(fence, rest.slice(0, farthest));
  return words === "" ? isCut : markAt(words, 0) !== 0 && bareAt(words, 0) !== 0;
}

/** Characters after a call in which further text makes it an example. */
const farthest = 100_000;
/** Characters read in vain before the rest counts as text: each position may be read to the end of the text. */
const mostLooked = 32 * 1024 * 1024;

function markedCalls(rest: string, known: KnownTools): ParsedCalls | undefined {
  for (const dialect of dialects) {
    if (!isMarked(rest, dialect)) continue;
    const found = dialect.read(rest, known);
    if (found) return found;
  }
  return undefined;
}

/** The dialect of the first marked call in a text. */
export function dialectIn(text: string, known: KnownTools): string | undefined {
  for (let at = markAt(text, 0); at !== -1; at = markAt(text, at + 1)) {
    const rest = text.slice(at);
    const found = dialects.find((dialect) => isMarked(rest, dialect) && dialect.read(rest, known));
    if (found) return found.of;
  }
  return undefined;
}

function bareCalls(rest: string, known: KnownTools): ParsedCalls | undefined {
  const found = jsonCalls(rest, "whole only") ?? pythonic(rest);
  return found?.calls.every(({ name }) => known.has(name)) ? found : undefined;
}

/** Reads a list of calls, or a fence of them as Gemma writes it. */
function pythonic(rest: string): ParsedCalls | undefined {
  const open = /^\s*(?:```\w*\s*)?/.exec(rest)?.[0].length ?? 0;
  const found = pythonCalls(rest.slice(open));
  if (!found) return undefined;
  const end = open + found.length;
  return { calls: found.calls, length: end + (/^\s*```/.exec(open > 0 ? rest.slice(end) : "")?.[0].length ?? 0) };
}
