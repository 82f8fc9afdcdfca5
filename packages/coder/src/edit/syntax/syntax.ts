import { isCalm, type LanguageName, languageOf, openLanguage, parseErrorsAside, type SyntaxProblem } from "@pith/host";
import { sleep } from "@pith/kit";
import { isScript } from "../../platform.ts";
import type { Look } from "../draft/place.ts";
import { plainEnds } from "../text/line.ts";
import { codeOf, type Misplaced, misindented, unpaired } from "./bracket.ts";

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

/** What is wrong since a change; without a column it is not known where. */
export interface NewError {
  line: number;
  column?: number;
  message: string;
}

async function problemsOf(file: Parameters<Look>[0]): Promise<string[]> {
  return (await newErrors(file)).map(({ line, column, message }) =>
    column === undefined ? `${file.name} ${message}` : `${file.name}:${line}:${column} ${message}`,
  );
}

/** Syntax errors that the old content did not have. */
export async function newErrors(file: Omit<Parameters<Look>[0], "name">): Promise<NewError[]> {
  const language = file.after.length > maxText ? undefined : languageOf(file.path, file.after);
  if (!language) return [];
  const before = file.before === undefined || file.before.length > maxText ? "" : file.before;
  const errors = (text: string) => errorsOf(plainEnds(text), file.path, language);
  const now = await errors(file.after);
  const then = now.length === 0 ? [] : await errors(before);
  const old = new Set(then.map(({ message }) => message));
  const fresh = now.filter(({ message }) => !old.has(message));
  const expands = macros.test(language);
  const parsed = expands ? withoutMacros(fresh, file.after, before !== "" && then.length === 0) : fresh;
  // Only of Python's indentation a parser says nothing.
  if (parsed.length === 0 && language !== "python" && !(expands && fresh.length > 0)) return [];
  const found =
    expands && branches.test(file.after) ? undefined : newlyWrong(before, file.after, language, fresh.length > 0);
  if (found) return [found];
  const { from, to } = changedLines(plainEnds(before), plainEnds(file.after));
  // What a change breaks, the parser may see only far from it: that is no place to look at.
  const near = parsed.filter(({ line }) => line >= from && line <= to);
  if (near.length > 0) return near.slice(0, maxProblems);
  const lines = from >= to ? `line ${from} was` : `lines ${from}-${to} were`;
  return parsed.length > 0 ? [{ line: from, message: `does not parse since ${lines} changed` }] : [];
}

/** Languages whose words a preprocessor makes into others, and what it leaves out or in. */
const macros = /^(?:c|cpp)$/;
const branches = /^[ \t]*#[ \t]*(?:if|el)/m;

/**
 * What a macro stands for no grammar knows: of code with macros only the brackets are sure. Of code that was read to
 * its end before, what does not parse is told where no such word stands.
 */
function withoutMacros(errors: readonly SyntaxProblem[], text: string, wasRead: boolean): SyntaxProblem[] {
  const lines = text.split("\n");
  const named = (line: number) =>
    /^\s*#|\b[A-Z][A-Z0-9_]{2,}\b/.test(lines.slice(Math.max(0, line - 2), line).join("\n"));
  return wasRead ? errors.filter(({ line }) => !named(line)) : [];
}

/**
 * What does not parse, without what is right and only the grammar does not know. Who knows better is also quicker, and
 * the parser is not even loaded for what is right.
 */
async function errorsOf(text: string, path: string, name: LanguageName): Promise<SyntaxProblem[]> {
  if (isCalm(text) && (await isRight(text, name))) return [];
  const language = await openLanguage(name);
  const found = await parseErrorsAside(text, language);
  const other = found.length === 0 ? undefined : plainer(text, path, name);
  return other !== undefined && (await parseErrorsAside(other, language)).length === 0 ? [] : found;
}

/** Languages of which the runtime has a parser that knows more than the grammar. */
const loaders: Partial<Record<LanguageName, Parameters<typeof isScript>[1]>> = {
  javascript: "jsx",
  typescript: "ts",
  tsx: "tsx",
};

/** Whether somebody who knows a language better than its grammar can read a text. */
async function isRight(text: string, language: LanguageName): Promise<boolean> {
  if (language === "json") return isJson(text);
  if (language === "bash") return (await import("../../bash/parse.ts")).parse(text).ok;
  const loader = loaders[language];
  return loader !== undefined && isScript(text, loader) === true;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The same text without what its grammar stumbles over though it is allowed. */
function plainer(text: string, path: string, language: LanguageName): string | undefined {
  // A name between the brackets needs no quotes.
  if (language === "css") return text.replace(/\burl\(\s*[^"')\s][^)\n]*\)/g, 'url("")');
  // An XML declaration, and `>` in words.
  if (language === "html") return text.replace(/^\s*<\?xml[^>]*\?>/, "").replace(/(?<=>[^<>]*)>/g, " ");
  const code = codeOf(text, language);
  if (code === undefined) return undefined;
  // Within brackets Python is indented as one likes; the grammar takes less indentation for the end of a block.
  if (language === "python") return indentedWithin(text, code);
  if (language !== "json" || !lenient.test(path)) return undefined;
  const commas = new Set([...code.matchAll(/,(?=\s*[}\]])/g)].map(({ index }) => index));
  return text.replace(/,/g, (sign, index: number) => (commas.has(index) ? " " : sign));
}

/** JSON that people write for programs that take a comma after the last. */
const lenient =
  /\.(?:jsonc|code-workspace)$|(?:^|[/\\])(?:[tj]sconfig(?:\.[^/\\]*)?\.json|devcontainer\.json|\.vscode[/\\][^/\\]*\.json)$/;

function indentedWithin(text: string, code: string): string {
  const rows = code.split("\n");
  let depth = 0;
  return text
    .split("\n")
    .map((line, i) => {
      const row = depth > 0 ? `${" ".repeat(200)}${line}` : line;
      for (const sign of rows[i]?.match(/[()[\]{}]/g) ?? [])
        depth = Math.max(0, depth + ("([{".includes(sign) ? 1 : -1));
      return row;
    })
    .join("\n");
}

/** The lines of the new text that are not those of the old. */
function changedLines(before: string, after: string): { from: number; to: number } {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return { from: head + 1, to: Math.max(head + 1, now.length - tail) };
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
