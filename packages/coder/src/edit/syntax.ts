import { blockAt, languageOf, openLanguage, parseErrors } from "@pith/host";
import { sleep } from "@pith/kit";
import type { BlockAt } from "./hashline/resolve.ts";
import type { Look } from "./place.ts";

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

/** What takes longer than this is not waited for. */
const patienceMs = 30;

/** Looks at each change as it is planned. What is not found in time is told late. */
export class SyntaxCheck {
  readonly #checks: Promise<string[]>[] = [];
  readonly #late: ((note: string) => void) | undefined;
  readonly #patience: number;

  constructor(late: ((note: string) => void) | undefined, patience = patienceMs) {
    this.#late = late;
    this.#patience = patience;
  }

  look(change: Parameters<Look>[0]): void {
    this.#checks.push(problemsOf(change).catch(() => []));
  }

  /** What was found so far; the edit must have been made. */
  async problems(): Promise<string[]> {
    const problems = Promise.all(this.#checks).then((lists) => lists.flat());
    const over = new AbortController();
    const first = this.#patience > 0 && (await Promise.race([problems, sleep(this.#patience, over.signal)]));
    over.abort();
    if (Array.isArray(first)) return first;
    problems.then(
      (late) => late.length > 0 && this.#late?.(`An earlier edit brought in syntax errors: ${late.join("; ")}`),
    );
    return [];
  }
}

/** Syntax errors that the old content did not have. */
async function problemsOf(file: Parameters<Look>[0]): Promise<string[]> {
  const language = file.after.length > maxText ? undefined : languageOf(file.path, file.after);
  if (!language) return [];
  const opened = await openLanguage(language);
  const now = parseErrors(file.after, opened);
  if (now.length === 0) return [];
  const old = new Set(
    file.before === undefined || file.before.length > maxText
      ? []
      : parseErrors(file.before, opened).map((problem) => problem.message),
  );
  return now
    .filter((problem) => !old.has(problem.message))
    .slice(0, maxProblems)
    .map((problem) => `${file.name}:${problem.line}:${problem.column} ${problem.message}`);
}
