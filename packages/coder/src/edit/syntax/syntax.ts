import { isCalm, type LanguageName, languageOf, openLanguage, parseErrorsAside, type SyntaxProblem } from "@pith/host";
import { parseJson, sleep } from "@pith/kit";
import { isScript } from "../../platform.ts";
import type { Look } from "../draft/place.ts";
import { sharedEnds } from "../text/ends.ts";
import { plainEnds } from "../text/line.ts";
import { codeOf, misindented, unpaired } from "./bracket.ts";

/** Parsing is not interruptible; a larger file would hold up everything else. */
const maxText = 200_000;
const maxProblems = 5;

/** The longest wait for a check. The first one of a language loads its parser; all others are quick. */
const patienceMs = 1000;

/** Checks each change as it is planned. Errors that are not found in time are told late. */
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

  /** The errors found so far; the edit must have been made. */
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

/** An error since a change; without a column its place is not known. */
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
  const errors = (text: string) => errorsOf(text, file.path, language);
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
  // The parser may see only far from a change what it breaks: that is no place to look at.
  const near = parsed.filter(({ line }) => line >= from && line <= to);
  if (near.length > 0) return near.slice(0, maxProblems);
  const lines = from >= to ? `line ${from} was` : `lines ${from}-${to} were`;
  return parsed.length > 0 ? [{ line: from, message: `does not parse since ${lines} changed` }] : [];
}

/** Languages with a preprocessor, and the lines by which it leaves code out. */
const macros = /^(?:c|cpp)$/;
const branches = /^[ \t]*#[ \t]*(?:if|el)/m;

/**
 * The errors that no macro can be the reason of, since no grammar knows what one stands for: in code that was read to
 * its end before, those with no such word beside them.
 */
function withoutMacros(errors: readonly SyntaxProblem[], text: string, wasRead: boolean): SyntaxProblem[] {
  const lines = text.split("\n");
  const named = (line: number) =>
    /^\s*#|\b[A-Z][A-Z0-9_]{2,}\b/.test(lines.slice(Math.max(0, line - 2), line).join("\n"));
  return wasRead ? errors.filter(({ line }) => !named(line)) : [];
}

/**
 * The places that do not parse, unless a reader that knows the language better than its grammar takes the text. Such a
 * reader is also quicker, and the parser is not even loaded for a text that is right.
 */
export async function errorsOf(written: string, path: string, name: LanguageName): Promise<SyntaxProblem[]> {
  const text = plainEnds(written);
  if (isCalm(text) && (await isRight(text, name))) return [];
  const language = await openLanguage(name);
  const found = await parseErrorsAside(text, language);
  const other = found.length === 0 ? undefined : plainer(text, path, name);
  return other !== undefined && (await parseErrorsAside(other, language)).length === 0 ? [] : found;
}

/** Languages that the runtime has a parser for, which knows more than the grammar. */
const loaders: Partial<Record<LanguageName, Parameters<typeof isScript>[1]>> = {
  javascript: "jsx",
  typescript: "ts",
  tsx: "tsx",
};

/** True for a text that a reader can take that knows the language better than its grammar. */
async function isRight(text: string, language: LanguageName): Promise<boolean> {
  if (language === "json") return parseJson(text) !== undefined;
  if (language === "bash") return (await import("../../bash/parse.ts")).parse(text).ok;
  const loader = loaders[language];
  return loader !== undefined && isScript(text, loader) === true;
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
  const now = after.split("\n");
  const { head, tail } = sharedEnds(before.split("\n"), now);
  return { from: head + 1, to: Math.max(head + 1, now.length - tail) };
}

/**
 * Errors that a parser does not see, or sees only from far: a wrong indentation of Python, a bracket without its other
 * half. Told only where the old content had nothing of the kind, so that nothing right is called an error.
 */
function newlyWrong(before: string, after: string, language: LanguageName, fails: boolean): SyntaxProblem | undefined {
  const looks = [...(fails ? [unpaired] : []), ...(language === "python" ? [misindented] : [])];
  const [old, now] = looks.length > 0 ? [codeOf(before, language), codeOf(after, language)] : [];
  if (old === undefined || now === undefined) return undefined;
  return looks.flatMap((look) => (look(old) ? [] : [look(now)])).find((found) => found !== undefined);
}
