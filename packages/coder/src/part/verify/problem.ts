import { plural } from "@pith/kit";

/** The severities of language servers, worst first. */
export const severities = ["error", "warning", "info", "hint"] as const;
export type Severity = (typeof severities)[number];

/** A problem in a file; lines and columns count from 1. */
export interface Problem {
  path: string;
  /** The path as it is shown. */
  name: string;
  line: number;
  column?: number | undefined;
  severity: Severity;
  message: string;
  /** The checker that reports it. */
  source: string;
}

export interface ChangedFile {
  path: string;
  name: string;
  before: string | undefined;
  after: string;
}

/** Finds problems that the changes of files have made. */
export interface Checker {
  name: string;
  check(files: readonly ChangedFile[], signal: AbortSignal): Promise<readonly Problem[]>;
}

/** The checkers of a conversation; parts add theirs. */
export class Checks {
  readonly #all: Checker[] = [];

  add(checker: Checker): void {
    this.#all.push(checker);
  }

  /** The problems that all checkers report, worst first. A checker that fails reports none. */
  async problems(files: readonly ChangedFile[], signal: AbortSignal): Promise<Problem[]> {
    const results = await Promise.allSettled(this.#all.map((checker) => checker.check(files, signal)));
    const all = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    const rank = ({ severity }: Problem) => severities.indexOf(severity);
    return all.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.line - b.line));
  }
}

/** Problems as text, a line each; those beyond `most` are counted. */
export function problemRows(problems: readonly Problem[], most = 20): string[] {
  const rows = problems.slice(0, most).map(({ name, line, column, severity, message, source }) => {
    const place = column === undefined ? `${name}:${line}` : `${name}:${line}:${column}`;
    return `${place} ${severity}: ${message.split("\n", 1)[0]?.slice(0, 300)} (${source})`;
  });
  const more = problems.length - rows.length;
  return more > 0 ? [...rows, `and ${plural(more, "more problem")}`] : rows;
}

/** Reports new syntax errors. */
export const syntaxChecker: Checker = {
  name: "syntax",
  async check(files, signal) {
    const { newErrors } = await import("../../edit/syntax/syntax.ts");
    const all = [];
    for (const { path, name, before, after } of files) {
      if (signal.aborted) break;
      for (const { line, column, message } of await newErrors({ path, before, after }))
        all.push({ path, name, line, column, severity: "error" as const, message, source: "syntax" });
    }
    return all;
  },
};
