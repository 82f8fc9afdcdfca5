import { existsSync } from "node:fs";

/**
 * The path in the spelling that is on the disk; the path itself if no spelling exists. Screen captures have a narrow
 * space before AM and PM and curly quotes, some file systems decompose accents, and a shell adds backslashes.
 */
export function spelledPath(path: string, exists: (path: string) => boolean = existsSync): string {
  if (exists(path)) return path;
  return changes.map((change) => change(path)).find((other) => other !== path && exists(other)) ?? path;
}

const narrow = (path: string) => path.replace(/ (?=[AP]M\b)/g, "\u202f");
const curly = (path: string) => path.replaceAll("'", "\u2019");
const unescaped = (path: string) => path.replace(/\\(?=[ ()'"&;])/g, "");
const decomposed = (path: string) => path.normalize("NFD");
const composed = (path: string) => path.normalize("NFC");

const changes: readonly ((path: string) => string)[] = [
  unescaped,
  narrow,
  decomposed,
  composed,
  curly,
  (path) => curly(decomposed(path)),
  (path) => curly(narrow(unescaped(path))),
];
