/** A prompt, apart from the files before it. */
export interface UserText {
  words: string;
  /** The names of the files. */
  files: readonly string[];
}

/** A line that names a file, and its rows; they are numbered, so none is empty. */
const laid =
  /^((?:Contents of|User's selected code from) [^\n]+) \(already provided — do not re-read\):[^\n]*(?:\n[^\n]+)*\n\n/;

/** Splits a prompt from the files before it; a text without them is all words. */
export function readUserText(text: string): UserText {
  const files: string[] = [];
  let words = text;
  for (let found = laid.exec(words); found; found = laid.exec(words)) {
    files.push((found[1] ?? "").replace(/^(?:Contents of|User's selected code from) /, ""));
    words = words.slice(found[0].length);
  }
  return { words, files };
}
