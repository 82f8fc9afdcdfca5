import { shorten } from "@pith/kit";
import { type Language, withTree, withTreeAside } from "./open.ts";
import type { SyntaxIssue } from "./parse/tree.ts";

/** Where a text does not parse; 1-based. */
export interface SyntaxProblem {
  line: number;
  column: number;
  message: string;
}

/**
 * What does not parse, in the order of the text. Nothing for a language without a grammar and for a text that cannot
 * be parsed in a reasonable time.
 */
export function parseErrors(text: string, language: Language): SyntaxProblem[] {
  return told(
    text,
    withTree(text, language, (tree) => tree.errors()),
  );
}

/** The same for somebody who has time. */
export async function parseErrorsAside(text: string, language: Language): Promise<SyntaxProblem[]> {
  return told(text, await withTreeAside(text, language, (tree) => tree.errors()));
}

const told = (text: string, issues: readonly SyntaxIssue[] = []): SyntaxProblem[] =>
  issues.map(({ from, to, missing }) => ({
    line: from.line + 1,
    column: from.column + 1,
    message:
      missing === undefined ? `unexpected ${quoted(text.slice(from.index, to.index))}` : `missing ${quoted(missing)}`,
  }));

function quoted(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return JSON.stringify(shorten(line, 40));
}
