import type { Answer, Question } from "@pith/agent";

/** The words at the end of a question that say how a line answers it. */
export function howToReply(question: Question): string {
  if (question.form === "approval") return `. Allow it? [${question.scope === undefined ? "y/n" : "y/s/p/n"}]`;
  if (question.form === "confirm") return " [y/n]";
  if (question.form !== "choose") return "";
  const { multi, series } = question;
  const ways = [
    multi ? "numbers" : "a number",
    ...(takesWords(question) ? ["your own words"] : []),
    ...(series && series.at > 0 ? ["< for the one before"] : []),
    ...(series && series.at < series.of - 1 ? ["> for the next"] : []),
  ];
  const place = series ? ` (${series.at + 1} of ${series.of})` : "";
  return `${place} [${ways.join(", ")}]`;
}

/** Reads a line as an answer; an empty line is a no. */
export function answerTo(question: Question, text: string): Answer {
  const { form, scope } = question;
  if (form === "line" || form === "text") return text === "" ? { say: "no" } : { say: "yes", words: text };
  if (form === "choose") return choiceIn(question, text);
  if (/^y(es)?[.!]?$/i.test(text)) return { say: "yes" };
  // A yes can last only where the question names its scope.
  if (scope !== undefined && /^s(ession)?[.!]?$/i.test(text)) return { say: "yes", holds: "session" };
  if (scope !== undefined && /^p(roject)?[.!]?$/i.test(text)) return { say: "yes", holds: "project" };
  return /^(no?)?$/i.test(text) ? { say: "no" } : { say: "no", words: text };
}

/** True for a question that takes words instead of an option. */
const takesWords = ({ options = [] }: Question): boolean => options.some(({ id }) => id === "other");

function choiceIn({ options = [], multi, series, chosen = [] }: Question, text: string): Answer {
  if (series && (text === "<" || text === ">"))
    return { say: "yes", go: text === "<" ? "back" : "on", ...(chosen.length > 0 ? { choices: chosen } : {}) };
  const named = (word: string) =>
    /^\d+$/.test(word)
      ? options[Number(word) - 1]
      : options.find(({ id, label }) => word === id || word.toLowerCase() === label.toLowerCase());
  const whole = named(text);
  if (whole) return { say: "yes", option: whole.id };
  const words = multi ? text.split(/[\s,]+/).filter((word) => word !== "") : [];
  const several = words.map(named);
  if (several.length > 0 && several.every((option) => option !== undefined))
    return { say: "yes", choices: several.map((option) => option.id) };
  return { say: "no", ...(text === "" ? {} : { words: text }) };
}
