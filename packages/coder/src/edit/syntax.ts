import { blockAt, type LanguageName, languageOf, openLanguage, parseErrors } from "@pith/host";
import { sleep } from "@pith/kit";
import { codeOf, type Misplaced, misindented, unpaired } from "./bracket.ts";
import type { BlockAt } from "./hashline/resolve.ts";
import { plainEnds } from "./line.ts";
import type { Look } from "./place.ts";

/** Finds blocks by the grammar of the file's language. */
export async function blocks(path: string, text: string): Promise<BlockAt | undefined> {
  const name = languageOf(path, text);
  if (!name) return undefined;
  const language = await openLanguage(name);
  const plain = plainEnds(text);
  return (line) => blockAt(plain, language, line);
}

/** Parsing is not interruptible; a larger file would hold up everything else. */
const maxText = 200_000;
const maxProblems = 5;

/** What takes longer than this is not waited for. The first look at a language loads its parser; all others are quick. */
const patienceMs = 1000;

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
  const before = file.before === undefined || file.before.length > maxText ? "" : file.before;
  const opened = await openLanguage(language);
  const now = parseErrors(plainEnds(file.after), opened);
  const old = new Set(now.length === 0 ? [] : parseErrors(before, opened).map(({ message }) => message));
  const parsed = now.filter(({ message }) => !old.has(message));
  const found = newlyWrong(before, file.after, language, parsed.length > 0);
  return (found ? [found] : parsed.slice(0, maxProblems)).map(
    ({ line, column, message }) => `${file.name}:${line}:${column} ${message}`,
  );
}

/**
 * What a parser does not see, or sees only from far: where Python is indented wrongly, and which bracket lacks its
 * other half. Told only where the old content had nothing of the kind, so that what is no mistake is not called one.
 */
function newlyWrong(before: string, after: string, language: LanguageName, fails: boolean): Misplaced | undefined {
  const looks = [...(fails ? [unpaired] : []), ...(language === "python" ? [misindented] : [])];
  const [old, now] = looks.length > 0 ? [codeOf(before, language), codeOf(after, language)] : [];
  if (old === undefined || now === undefined) return undefined;
  return looks.flatMap((look) => (look(old) ? [] : [look(now)])).find((found) => found !== undefined);
}
