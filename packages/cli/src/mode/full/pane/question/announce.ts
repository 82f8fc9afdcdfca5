import { plainTheme } from "@pith/tui";
import { askRows, visible } from "../../../../view/question/ask.ts";
import { type Body, bodyRows } from "./body.ts";

/** The state of a question, for a screen reader. */
type Heard = Omit<Body, "theme" | "columns">;

/** The whole question in words. */
export function announcedQuestion(heard: Heard): string {
  const { question, hunks } = heard;
  const nowhere = { ...heard.picked, at: -1 };
  if (hunks.length > 0) return bodyRows({ ...heard, picked: nowhere, theme: plainTheme, columns: 1000 }).join("\n");
  return [visible(question.text), ...askRows(question)].join("\n");
}

/** The choice that a key has changed: the option or hunk that is pointed at, and its mark. */
export function announcedMove({ question, hunks, picked }: Heard): string {
  const hunk = question.form === "approval" ? hunks[picked.at] : undefined;
  if (hunk)
    return `hunk ${picked.at + 1}, ${visible(hunk.title)}, is ${picked.ticked.has(hunk.name) ? "left out" : "in"}`;
  const option = question.options?.[picked.at];
  if (!option) return "";
  const ticked = question.multi ? (picked.ticked.has(option.id) ? ", ticked" : ", not ticked") : "";
  return `${picked.at + 1}. ${visible(option.label)}${ticked}`;
}
