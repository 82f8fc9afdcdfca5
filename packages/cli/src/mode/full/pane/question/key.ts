import type { Answer, Question } from "@pith/agent";
import type { KeyEvent } from "@pith/tui";
import { answerTo } from "../../../../view/question/reply.ts";
import type { EditHunk } from "./body.ts";
import { chosenAnswer, type Picked, toggle } from "./pick.ts";

/** The meaning of a key: an answer, words to follow, the whole question, or another choice. */
export type Meaning = Answer | "words" | "whole" | "moved" | undefined;

export interface QuestionState {
  question: Question;
  hunks: readonly EditHunk[];
  picked: Picked;
  /** True when the composer is empty, so that keys that move and choose are meant for the question. */
  free: boolean;
}

export function readKey(asked: QuestionState, event: KeyEvent): Meaning {
  const { form } = asked.question;
  if (event.combo === "ctrl+o") return "whole";
  if (form === "line" || form === "text") return event.text !== "" ? "words" : undefined;
  return form === "choose" ? choosing(asked, event) : allowing(asked, event);
}

function choosing({ question, picked, free }: QuestionState, { combo, text }: KeyEvent): Meaning {
  const { options = [], series, multi } = question;
  const number = /^[1-9]$/.test(text) ? Number(text) - 1 : -1;
  const option = options[number];
  if (option) {
    picked.at = number;
    if (!multi) return { say: "yes", option: option.id };
    toggle(picked, option.id);
    return "moved";
  }
  if (!free) return undefined;
  if (combo === "up" || combo === "down") return moved(picked, combo, options.length);
  if (multi && combo === "space") {
    toggle(picked, options[picked.at]?.id ?? "");
    return "moved";
  }
  // Ticks are kept while another question is looked at.
  if (series && (combo === "left" || combo === "right"))
    return answerTo({ ...question, chosen: [...picked.ticked] }, combo === "left" ? "<" : ">");
  return combo === "enter" ? chosenAnswer(question, picked) : undefined;
}

function moved(picked: Picked, combo: "up" | "down", of: number): "moved" {
  picked.at = (picked.at + (combo === "up" ? -1 : 1) + of) % of;
  return "moved";
}

/** Moves among several hunks and leaves them out. */
function hunting({ hunks, picked, free }: QuestionState, { combo, text }: KeyEvent): "moved" | undefined {
  if (hunks.length < 2) return undefined;
  if (free && (combo === "up" || combo === "down")) return moved(picked, combo, hunks.length);
  const at = /^[1-9]$/.test(text) ? Number(text) - 1 : free && combo === "space" ? picked.at : -1;
  const hunk = hunks[at];
  if (!hunk) return undefined;
  picked.at = at;
  toggle(picked, hunk.name);
  return "moved";
}

function allowing(asked: QuestionState, event: KeyEvent): Meaning {
  const { question, hunks, picked } = asked;
  const { form, scope } = question;
  const { text } = event;
  if (hunting(asked, event)) return "moved";
  const without = hunks.flatMap(({ name }) => (picked.ticked.has(name) ? [name] : []));
  // Leaving all hunks out is a no.
  const yes: Answer =
    without.length === 0
      ? { say: "yes" }
      : without.length === hunks.length
        ? { say: "no" }
        : { say: "yes", choices: without };
  if (text === "y") return yes;
  if (text === "n") return { say: "no" };
  if (form !== "approval") return undefined;
  if (text === "r") return "words";
  // A yes can last only where the question names its scope.
  if (scope === undefined || without.length > 0) return undefined;
  return text === "s" ? { say: "yes", holds: "session" } : text === "p" ? { say: "yes", holds: "project" } : undefined;
}

/** Makes an answer of typed words. */
export function inWords(question: Question, words: string): Answer {
  if (question.form === "approval" || question.form === "confirm")
    return { say: "no", ...(words === "" ? {} : { words }) };
  // Typed words are never taken for a number of the list.
  return question.form === "choose" ? { say: "no", ...(words === "" ? {} : { words }) } : answerTo(question, words);
}
