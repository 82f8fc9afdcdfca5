import type { Answer, Question } from "@pith/agent";
import type { KeyEvent } from "@pith/tui";
import { answerTo } from "../../../../view/question/reply.ts";
import { type Way, waysForPerson } from "../../../../view/question/way.ts";
import { type EditHunk, type Picked, toggle } from "./pick.ts";

/** The meaning of a key: an answer, words to follow, the whole question, or another choice. */
export type Meaning = Answer | "words" | "whole" | "moved" | undefined;

export interface QuestionState {
  question: Question;
  hunks: readonly EditHunk[];
  picked: Picked;
  /** True when the composer is empty, so that keys that move and choose are meant for the question. */
  free: boolean;
}

/** Reads a key; every question has the same: arrows and Enter, digits, letters, and Tab for words. */
export function readKey(asked: QuestionState, event: KeyEvent): Meaning {
  const { question, free } = asked;
  if (event.combo === "ctrl+o") return "whole";
  if (question.form === "line" || question.form === "text") return event.text !== "" ? "words" : undefined;
  const ways = waysLeft(asked);
  const byKey = byDigit(asked, ways, event.text) ?? byLetter(asked, ways, event.text);
  return byKey ?? (free ? byPointer(asked, ways, event.combo) : undefined);
}

/** The ways to answer. A yes to some hunks only cannot last. */
export function waysLeft({ question, hunks, picked }: Omit<QuestionState, "free">): Way[] {
  const ways = waysForPerson(question);
  const isPart = hunks.some(({ name }) => picked.ticked.has(name));
  return isPart ? ways.filter(({ answer }) => answer === "words" || answer.holds === undefined) : ways;
}

/** The hunks that can be left out: of several. */
export const hunksToTick = ({ hunks }: Pick<QuestionState, "hunks">): readonly EditHunk[] =>
  hunks.length > 1 ? hunks : [];

function byDigit(asked: QuestionState, ways: readonly Way[], text: string): Meaning {
  const number = /^[1-9]$/.test(text) ? Number(text) : 0;
  const hunks = hunksToTick(asked);
  const last = hunks.length > 0 ? hunks.length : ways.length;
  if (number === 0 || number > last) return undefined;
  asked.picked.at = hunks.length > 0 ? number - 1 - hunks.length : number - 1;
  return ticks(asked) ?? answered(asked, ways);
}

function byLetter(asked: QuestionState, ways: readonly Way[], text: string): Meaning {
  const { question, picked, free } = asked;
  const at = text === "" ? -1 : ways.findIndex(({ key }) => key === text);
  if (at >= 0) {
    picked.at = at;
    return answered(asked, ways);
  }
  if (question.form !== "choose" || !free) return undefined;
  if (text === "r") return "words";
  if (text === "n") return { say: "no" };
  return text === "y" ? answered(asked, ways) : undefined;
}

function byPointer(asked: QuestionState, ways: readonly Way[], combo: string): Meaning {
  const { question, picked } = asked;
  const { series } = question;
  if (combo === "up" || combo === "down") {
    const hunks = hunksToTick(asked).length;
    const all = hunks + ways.length;
    picked.at = ((picked.at + hunks + (combo === "up" ? -1 : 1) + all) % all) - hunks;
    return "moved";
  }
  if (combo === "space") return ticks(asked);
  // Ticks are kept while another question is looked at.
  if (series && (combo === "left" || combo === "right"))
    return answerTo({ ...question, chosen: [...picked.ticked] }, combo === "left" ? "<" : ">");
  if (combo === "tab") return "words";
  if (combo === "escape") return { say: "no" };
  return combo === "enter" ? (picked.at < 0 ? ticks(asked) : answered(asked, ways)) : undefined;
}

/** Ticks the hunk or the option that is pointed at, where several may be. */
function ticks(asked: QuestionState): "moved" | undefined {
  const { question, picked } = asked;
  const hunks = hunksToTick(asked);
  const name =
    picked.at < 0
      ? hunks[hunks.length + picked.at]?.name
      : question.multi
        ? question.options?.[picked.at]?.id
        : undefined;
  if (name === undefined) return undefined;
  toggle(picked, name);
  return "moved";
}

/** The answer that is pointed at, with what is ticked: options in the order of the ticks, or hunks to leave out. */
function answered({ question, hunks, picked }: QuestionState, ways: readonly Way[]): Answer | "words" | undefined {
  const answer = ways[picked.at]?.answer;
  if (question.multi && picked.ticked.size > 0) return { say: "yes", choices: [...picked.ticked] };
  if (answer === undefined || answer === "words" || answer.say === "no") return answer;
  const without = hunks.flatMap(({ name }) => (picked.ticked.has(name) ? [name] : []));
  if (without.length === 0) return answer;
  // Leaving all hunks out is a no.
  return without.length === hunks.length ? { say: "no" } : { say: "yes", choices: without };
}

/** Makes an answer of typed words. */
export function inWords(question: Question, words: string): Answer {
  // Typed words are never taken for a number of the list.
  if (question.form !== "line" && question.form !== "text") return { say: "no", ...(words === "" ? {} : { words }) };
  return answerTo(question, words);
}
