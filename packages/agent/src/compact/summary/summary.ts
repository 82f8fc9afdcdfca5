import { fail, ok, type Result } from "@pith/kit";
import type { Summarizer, SummaryFailure } from "../strategy/strategy.ts";
import { escapeMarks, headAndTail } from "./serialize.ts";
import system from "./system.md" with { type: "text" };

/** Material of a summary, and prompts for it. */
export interface SummaryMaterial {
  /** Messages as text. */
  pieces: readonly string[];
  /** Earlier summary to continue. */
  previous?: string | undefined;
  /** Lines beside the conversation. */
  context?: readonly string[];
  /** Prompt for a first summary. */
  ask: SummaryPrompt;
  /** Prompt for an update of a previous summary; also for further parts of a long text. */
  update: SummaryPrompt;
  /** The user's wishes for the summary. */
  instructions?: string | undefined;
}

export type SummaryPrompt = (words: number) => string;

/** Length limit of an answer, and a token estimate. */
export interface AnswerLimits {
  maxOutput: number;
  tokens(text: string): number;
}

/**
 * Asks the candidates in turn. A text too long for one is sent in parts, each updating the last summary; a candidate
 * that fails in between leaves nothing.
 */
export async function summarize(
  candidates: readonly Summarizer[],
  material: SummaryMaterial,
  limits: AnswerLimits,
  signal: AbortSignal,
): Promise<Result<{ summary: string; by: string }, SummaryFailure>> {
  let last = fail<SummaryFailure>("failed", "there is nobody to ask for a summary");
  for (const candidate of candidates) {
    const made = await byOne(candidate, material, limits, signal);
    if (made.ok) return ok({ summary: made.value, by: candidate.name });
    if (made.kind === "aborted" || signal.aborted) return fail("aborted", made.message);
    // The last failure is returned; the others would go unnoticed.
    if (candidate !== candidates.at(-1)) candidate.gaveNone?.(made.message);
    last = fail(made.kind, `${candidate.name}: ${made.message}`);
  }
  return last;
}

async function byOne(
  candidate: Summarizer,
  material: SummaryMaterial,
  { maxOutput, tokens }: AnswerLimits,
  signal: AbortSignal,
): Promise<Result<string, SummaryFailure>> {
  const output = Math.max(minOutput, Math.min(maxOutput, Math.floor(candidate.window / 4)));
  const fixed = tokens(system) + tokens(material.ask(0)) + tokens((material.context ?? []).join("\n")) + output + spare;
  const room = candidate.window - fixed - Math.max(tokens(material.previous ?? ""), output);
  if (room < smallest) return fail("failed", "its window is too small");
  const asked = async (prompt: string): Promise<Result<string, SummaryFailure>> => {
    const answer = await candidate.ask({ system: system.trim(), prompt, maxOutput: output }, signal);
    return answer.ok && tokens(answer.value) > output * tooLong ? fail("long", "its summary is too long") : answer;
  };
  let previous = material.previous;
  for (const part of partsOf(material.pieces, room, tokens)) {
    const words = Math.floor(output * wordsPerToken);
    const first = await asked(promptOf(material, part, previous, words));
    // Small models count badly; asking for half as much helps.
    const isLong = !first.ok && first.kind === "long";
    const answer = isLong ? await asked(promptOf(material, part, previous, Math.floor(words / 2), shorter)) : first;
    if (!answer.ok) return answer;
    previous = answer.value;
  }
  return previous === undefined ? fail("refused", "there was nothing to sum up") : ok(previous);
}

/** Least tokens of an answer, of a part worth asking about, and reserve for miscounts. */
export const minOutput = 256;
const smallest = 200;
const spare = 200;
const wordsPerToken = 0.5;
/** Factor by which a server may exceed the limit or count differently. */
const tooLong = 1.1;
const shorter = "Your last summary was too long and nothing of it was kept: write a much shorter one.";

function promptOf(
  material: SummaryMaterial,
  part: string,
  previous: string | undefined,
  words: number,
  reminder = "",
): string {
  const context = (material.context ?? []).map((line) => `- ${line}`).join("\n");
  const ask = (previous === undefined ? material.ask : material.update)(words);
  return [
    block("conversation", part),
    previous === undefined ? "" : block("previous-summary", previous),
    context === "" ? "" : block("additional-context", context),
    ask.trim(),
    material.instructions ? `Look after this in particular: ${material.instructions}` : "",
    reminder,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const block = (name: string, text: string): string => `<${name}>\n${escapeMarks(text)}\n</${name}>`;

/**
 * Joins pieces into parts that fit, and splits pieces that are too long. The middle of an endless paste is left out,
 * since every part is paid for.
 */
function partsOf(pieces: readonly string[], room: number, tokens: (text: string) => number): string[] {
  const most = Math.max(room * wholeParts, wholeTokens);
  const parts: string[] = [];
  let now: string[] = [];
  let used = 0;
  for (const piece of pieces.flatMap((text) => parted(within(text, most, tokens), room, tokens))) {
    const size = tokens(piece) + 1;
    if (used + size > room && now.length > 0) {
      parts.push(now.join("\n\n"));
      now = [];
      used = 0;
    }
    now.push(piece);
    used += size;
  }
  return now.length > 0 ? [...parts, now.join("\n\n")] : parts;
}

/** Longest message that is sent whole: parts, and tokens. */
const wholeParts = 4;
const wholeTokens = 60_000;

function within(text: string, most: number, tokens: (text: string) => number): string {
  // A token is seldom less than one letter.
  const size = text.length <= most ? 0 : tokens(text);
  return size <= most ? text : headAndTail(text, Math.floor((text.length * most) / size));
}

function parted(text: string, room: number, tokens: (text: string) => number): string[] {
  const size = tokens(text);
  if (size <= room) return [text];
  const length = Math.max(1, Math.floor((text.length * room * 0.8) / size));
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length).toWellFormed(),
  );
}
