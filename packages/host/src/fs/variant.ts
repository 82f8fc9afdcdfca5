import { existsSync } from "node:fs";

/**
 * A name that is on the disk in another spelling: screen captures have a narrow space before AM and PM and curly
 * quotes, some file systems decompose accents, and who pastes from a shell brings its backslashes. The path itself when
 * none is there, as `exists` sees it.
 */
export function spelledPath(path: string, exists: (path: string) => boolean = existsSync): string {
  if (exists(path)) return path;
  for (const change of changes) {
    const other = change(path);
    if (other !== path && exists(other)) return other;
  }
  return path;
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
