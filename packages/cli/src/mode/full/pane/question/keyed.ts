import type { Answer, Question } from "@pith/agent";
import type { KeyEvent } from "@pith/tui";
import { answerTo } from "../../../../view/reply.ts";

/** What a key means to a question: an answer, that words follow, or that somebody wants to see all of it. */
export function keyed(question: Question, { combo, text }: KeyEvent): Answer | "words" | "whole" | undefined {
  if (combo === "ctrl+o") return "whole";
  if (question.form === "line" || question.form === "text") return text !== "" ? "words" : undefined;
  if (question.form === "choose") return chosen(question, combo, text);
  return allowed(question, text);
}

function chosen(question: Question, combo: string, text: string): Answer | "words" | undefined {
  const { options = [], series } = question;
  if (series && combo === "left") return answerTo(question, "<");
  if (series && combo === "right") return answerTo(question, ">");
  const option = /^[1-9]$/.test(text) ? options[Number(text) - 1] : undefined;
  if (option?.id === "other") return "words";
  return option && !question.multi ? { say: "yes", option: option.id } : undefined;
}

function allowed({ form, scope }: Question, text: string): Answer | "words" | undefined {
  if (text === "y") return { say: "yes" };
  if (text === "n") return { say: "no" };
  if (form !== "approval") return undefined;
  if (text === "r") return "words";
  // For longer than once only where it was said what that covers.
  if (scope === undefined) return undefined;
  return text === "s" ? { say: "yes", holds: "session" } : text === "p" ? { say: "yes", holds: "project" } : undefined;
}

/** What somebody typed as words at a question. */
export function worded(question: Question, words: string): Answer {
  if (question.form === "approval" || question.form === "confirm")
    return { say: "no", ...(words === "" ? {} : { words }) };
  return answerTo(question, words);
}
