import { plural } from "@pith/kit";

/** From the worst to the least; also what language servers tell. */
export const severities = ["error", "warning", "info", "hint"] as const;
export type Severity = (typeof severities)[number];

/** Something that is wrong in a file; lines and columns begin with 1. */
export interface Problem {
  path: string;
  /** As it is shown. */
  name: string;
  line: number;
  column?: number | undefined;
  severity: Severity;
  message: string;
  /** Who says it: `syntax`, a language server. */
  source: string;
}

/** A text file that was changed: as it was before, and as it is now. */
export interface ChangedFile {
  path: string;
  name: string;
  before: string | undefined;
  after: string;
}

/** Tells what is wrong with files since they were changed, and was not before. */
export interface Checker {
  name: string;
  check(files: readonly ChangedFile[], signal: AbortSignal): Promise<readonly Problem[]>;
}

/** Everybody who checks; it begins empty, and whoever can tell something puts themselves in. */
export class Checks {
  readonly #all: Checker[] = [];

  add(checker: Checker): void {
    this.#all.push(checker);
  }

  /** What all of them say, the worst first. One that fails says nothing, and takes nobody with it. */
  async problems(files: readonly ChangedFile[], signal: AbortSignal): Promise<Problem[]> {
    const told = await Promise.allSettled(this.#all.map((checker) => checker.check(files, signal)));
    const all = told.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const rank = ({ severity }: Problem) => severities.indexOf(severity);
    return all.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.line - b.line));
  }
}

/** Problems as people and models read them; the rest is counted. */
export function problemRows(problems: readonly Problem[], most = 20): string[] {
  const rows = problems.slice(0, most).map(({ name, line, column, severity, message, source }) => {
    const place = column === undefined ? `${name}:${line}` : `${name}:${line}:${column}`;
    return `${place} ${severity}: ${message.split("\n", 1)[0]?.slice(0, 300)} (${source})`;
  });
  const more = problems.length - rows.length;
  return more > 0 ? [...rows, `and ${plural(more, "more problem")}`] : rows;
}
