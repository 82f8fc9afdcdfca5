import { plainTheme } from "@pith/tui";
import { askRows, visible } from "../../../../view/question/ask.ts";
import { type Body, bodyRows, wayRows } from "./body.ts";
import { waysLeft } from "./key.ts";

/** The state of a question, for a screen reader. */
type Heard = Omit<Body, "theme" | "columns">;

/** The whole question in words. */
export function announcedQuestion(heard: Heard): string {
  const { question, hunks } = heard;
  const shown = { ...heard, picked: { ...heard.picked, at: Number.NaN }, theme: plainTheme, columns: 1000 };
  const ways = wayRows(shown);
  if (hunks.length > 0) return [...bodyRows(shown), ...ways].join("\n");
  return [visible(question.text), ...askRows({ ...question, options: [], scope: undefined }), ...ways].join("\n");
}

/** The choice that a key has changed: the answer or hunk that is pointed at, and its mark. */
export function announcedMove(heard: Heard): string {
  const { question, hunks, picked } = heard;
  const place = hunks.length + picked.at;
  const hunk = picked.at < 0 ? hunks[place] : undefined;
  if (hunk) return `hunk ${place + 1}, ${visible(hunk.title)}, is ${picked.ticked.has(hunk.name) ? "left out" : "in"}`;
  const way = waysLeft(heard)[picked.at];
  if (!way) return "";
  const id = way.answer === "words" ? undefined : way.answer.option;
  const ticked = question.multi && id !== undefined ? (picked.ticked.has(id) ? ", ticked" : ", not ticked") : "";
  return `${picked.at + 1}. ${visible(way.label)}${ticked}`;
}
