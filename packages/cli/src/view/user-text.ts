/** What a person typed, apart from the files that were laid before it. */
export interface UserText {
  words: string;
  /** What stands there of each file, by the line that names it. */
  files: readonly string[];
}

/** A line that names a file, and its rows: they are numbered, so none of them is empty. */
const laid =
  /^((?:Contents of|User's selected code from) [^\n]+) \(already provided — do not re-read\):[^\n]*(?:\n[^\n]+)*\n\n/;

/** Of a text that does not come apart cleanly, all of it is words. */
export function readUserText(text: string): UserText {
  const files: string[] = [];
  let words = text;
  for (let found = laid.exec(words); found; found = laid.exec(words)) {
    files.push((found[1] ?? "").replace(/^(?:Contents of|User's selected code from) /, ""));
    words = words.slice(found[0].length);
  }
  return { words, files };
}
