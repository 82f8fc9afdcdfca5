import type { Compacted, TurnChanges } from "@pith/agent";
import { plural } from "@pith/kit";
import type { StyleName } from "@pith/tui/theme";

/** `now` for an event that happens, `then` for one of the record. */
export type When = "now" | "then";

/** Says what a turn has changed. */
export function changedLine({ files, more = 0 }: TurnChanges, when: When): string {
  const sum = (key: "added" | "removed") => files.reduce((total, file) => total + (Number(file[key]) || 0), 0);
  const counts = `+${sum("added")} -${sum("removed")}${more > 0 ? " and more" : ""}`;
  const ways = when === "now" ? " (/undo takes it back, /keep keeps it)" : "";
  return `changed: ${plural(files.length + more, "file")} ${counts}${ways}`;
}

const count = (tokens: number): string => tokens.toLocaleString("en-US");

/** The line above a summary, which replaces what was said before. */
export const summedUp = (before: number | undefined, after?: number): string =>
  [
    "the conversation was compacted",
    before ? `: ${count(before)} tokens` : "",
    before && after !== undefined ? `, now about ${count(after)}` : "",
  ].join("");

/** The line about a compaction that left no summary. */
export function compactedLine({ aborted, error, tokensAfter }: Compacted): [StyleName, string] {
  if (aborted) return ["warn", "Stopped: the conversation is as long as it was."];
  if (error !== undefined) return ["error", `The conversation could not be made shorter: ${error}`];
  return [
    "dim",
    `The conversation is shorter${tokensAfter === undefined ? "" : `: about ${count(tokensAfter)} tokens`}.`,
  ];
}

/** A text that the model was told beside the conversation, without the tags around it. */
export function noteText(text: string): string {
  const note = text.replace(/^<\/?[a-z][\w-]*>$/gm, "").trim();
  return note && `note: ${note}`;
}
