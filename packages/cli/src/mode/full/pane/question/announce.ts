import { plainTheme } from "@pith/tui";
import { askRows, visible } from "../../../../view/question/ask.ts";
import { type Body, bodyRows } from "./body.ts";

/** What is told of a question to those who listen. */
type Heard = Omit<Body, "theme" | "columns">;

/** A question in words alone. */
export function announcedQuestion(heard: Heard): string {
  const { question, hunks } = heard;
  const nowhere = { ...heard.picked, at: -1 };
  if (hunks.length > 0) return bodyRows({ ...heard, picked: nowhere, theme: plainTheme, columns: 1000 }).join("\n");
  return [visible(question.text), ...askRows(question, "whole")].join("\n");
}

/** What a key has changed of it: where one points at now, what is ticked, which hunk is left out. */
export function announcedMove({ question, hunks, picked }: Heard): string {
  const hunk = question.form === "approval" ? hunks[picked.at] : undefined;
  if (hunk)
    return `hunk ${picked.at + 1}, ${visible(hunk.title)}, is ${picked.ticked.has(hunk.name) ? "left out" : "in"}`;
  const option = question.options?.[picked.at];
  if (!option) return "";
  const ticked = question.multi ? (picked.ticked.has(option.id) ? ", ticked" : ", not ticked") : "";
  return `${picked.at + 1}. ${visible(option.label)}${ticked}`;
}
