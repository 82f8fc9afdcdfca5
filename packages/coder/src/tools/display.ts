import { tagHeader } from "../snapshot/header.ts";

/** The form of lines: numbered below a header an edit can refer to, only numbered, or bare. */
export type Display = "hashline" | "numbered" | "plain";

/** The mark behind the number of a line. */
export const markOf = (display: Display): string => (display === "hashline" ? ":" : "|");

export const headerOf = (name: string, tag: string | undefined): string =>
  tag === undefined ? `[${name}]` : tagHeader(name, tag);

/** Words for the model about the form of lines that a read brings. */
export function linesText(display: Display): string {
  if (display === "plain") return "it stands, without numbers";
  const mark = markOf(display);
  const lines = `numbered lines (\`12${mark}text\`, the \`12${mark}\` is not part of the file) below a header`;
  return display === "hashline" ? `${lines} \`[path#TAG]\` that an edit refers to` : `${lines} \`[path]\``;
}

export const headerText = (display: Display): string =>
  display === "hashline" ? "`[path#TAG]`, which an edit can use without a read" : "`[path]`";
