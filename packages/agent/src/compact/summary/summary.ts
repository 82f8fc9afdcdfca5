import { fail, ok, type Result } from "@pith/kit";
import type { Summarizer, SummaryFailure } from "../strategy/strategy.ts";
import { escapeMarks, headAndTail } from "./serialize.ts";
import system from "./system.md" with { type: "text" };

/** What is to be summed up, and what is said about it. */
export interface SummaryMaterial {
  /** What was said, message by message. */
  pieces: readonly string[];
  /** An earlier summary that this one goes on from. */
  previous?: string | undefined;
  /** Lines beside the conversation. */
  context?: readonly string[];
  /** How it is asked for, in so many words. */
  ask: SummaryPrompt;
  /** The same where there is a previous summary; also for every further part of what does not fit at once. */
  update: SummaryPrompt;
  /** What a person asked to be looked after. */
  instructions?: string | undefined;
}

export type SummaryPrompt = (words: number) => string;

/** How long an answer may be, and about how many tokens a text is. */
export interface AnswerLimits {
  maxOutput: number;
  tokens(text: string): number;
}

/**
 * Asks one candidate after the other. What is too long for one goes to it in parts, each updating what came of the
 * last; nothing is kept of a candidate that did not get through all of them.
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
    // The last one's failure is everybody's; that of the others would not be heard of.
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
    // Small models are bad at counting, and what they wrote shows it: half of that has room.
    const isLong = !first.ok && first.kind === "long";
    const answer = isLong ? await asked(promptOf(material, part, previous, Math.floor(words / 2), shorter)) : first;
    if (!answer.ok) return answer;
    previous = answer.value;
  }
  return previous === undefined ? fail("refused", "there was nothing to sum up") : ok(previous);
}

/** Tokens of an answer that no summary is shorter than, of a part that is worth asking about, and of what we miscount. */
export const minOutput = 256;
const smallest = 200;
const spare = 200;
const wordsPerToken = 0.5;
/** Of a server that does not hold what it was told of the length, or counts otherwise. */
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
 * Pieces joined as long as they fit; one that does not fit by itself is parted. What somebody pasted without end is
 * not read to its last letter: every part is paid for.
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

/** How long a single message may be that is told whole: so many parts, or so many tokens. */
const wholeParts = 4;
const wholeTokens = 60_000;

function within(text: string, most: number, tokens: (text: string) => number): string {
  // A token is seldom more than one letter.
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
