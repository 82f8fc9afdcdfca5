import { shorten } from "@pith/kit";
import { type Language, withTreeAside } from "./open.ts";
import type { SyntaxIssue } from "./parse/tree.ts";

/** A place where a text does not parse; 1-based. */
export interface SyntaxProblem {
  line: number;
  column: number;
  message: string;
}

/**
 * The places that do not parse, in the order of the text; none for a language without a grammar, and for a text that
 * cannot be parsed in a reasonable time. Parsed beside everything else where that is possible.
 */
export const parseErrorsAside = async (text: string, language: Language): Promise<SyntaxProblem[]> =>
  problemsIn(text, await withTreeAside(text, language, (tree) => tree.errors()));

const problemsIn = (text: string, issues: readonly SyntaxIssue[] = []): SyntaxProblem[] =>
  issues.map(({ from, to, missing }) => ({
    line: from.line + 1,
    column: from.column + 1,
    message:
      missing === undefined ? `unexpected ${quoted(text.slice(from.index, to.index))}` : `missing ${quoted(missing)}`,
  }));

const quoted = (text: string): string => JSON.stringify(shorten(text.trim().split("\n", 1)[0] ?? "", 40));
