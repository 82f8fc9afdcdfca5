import { blockAt, languageOf, openLanguage, parseErrors } from "@pith/host";
import type { BlockAt } from "../../edit/hashline/resolve.ts";

/** Finds blocks by the grammar of the file's language. */
export async function blocks(path: string, text: string): Promise<BlockAt | undefined> {
  const name = languageOf(path, text);
  if (!name) return undefined;
  const language = await openLanguage(name);
  return (line) => blockAt(text, language, line);
}

/** Parsing is not interruptible; a larger file would hold up everything else. */
const maxText = 200_000;
const maxProblems = 5;

/** Syntax errors that the old content did not have. */
export async function problemsOf(file: { path: string; name: string; before: string | undefined; after: string }): Promise<string[]> {
  const language = file.after.length > maxText ? undefined : languageOf(file.path, file.after);
  if (!language) return [];
  const opened = await openLanguage(language);
  const now = parseErrors(file.after, opened);
  if (now.length === 0) return [];
  const old = new Set(file.before === undefined || file.before.length > maxText ? [] : parseErrors(file.before, opened).map((problem) => problem.message));
  return now
    .filter((problem) => !old.has(problem.message))
    .slice(0, maxProblems)
    .map((problem) => `${file.name}:${problem.line}:${problem.column} ${problem.message}`);
}
