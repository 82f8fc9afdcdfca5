import { fail, ok, type Result } from "@pith/kit";
import type { Language } from "../open.ts";
import type { Position, SyntaxTree } from "../parse/tree.ts";
import { type CodePattern, compilePattern } from "./goal.ts";
import { findMatches, type Match } from "./match.ts";
import { compileTemplate, fillTemplate, type Template } from "./template.ts";

export interface RewriteRule {
  pattern: CodePattern;
  template: Template;
}

/** A replacement: the text between two places becomes another. */
export interface Replacement {
  from: Position;
  to: Position;
  before: string;
  after: string;
  /** The pattern that the text matched. */
  pat: string;
}

export function compileRule(pat: string, out: string, language: Language): Result<RewriteRule, "pattern"> {
  const pattern = compilePattern(pat, language);
  if (!pattern.ok) return pattern;
  const template = compileTemplate(out, pattern.value, language);
  return template.ok ? ok({ pattern: pattern.value, template: template.value }) : template;
}

/** The replacements in a text, in its order; refused where two touch the same code, of which only one can be meant. */
export function planRewrite(
  rules: readonly RewriteRule[],
  tree: SyntaxTree,
  text: string,
): Result<Replacement[], "overlap"> {
  const plan = rules.flatMap(({ pattern, template }) =>
    findMatches(pattern, tree, text).flatMap((match): Replacement[] => {
      const after = fillTemplate(template, match, text);
      const replaced = after === "" ? wholeLines(match, text) : match;
      const before = text.slice(replaced.from.index, replaced.to.index);
      return before === after ? [] : [{ from: replaced.from, to: replaced.to, before, after, pat: pattern.source }];
    }),
  );
  plan.sort((a, b) => a.from.index - b.from.index);
  const clash = plan.some((edit, i) => edit.from.index < (plan[i - 1]?.to.index ?? 0));
  return clash ? fail("overlap", "Two replacements touch the same code; make the pattern narrower") : ok(plan);
}

/** Code that is deleted takes its lines with it when nothing else stands on them. */
function wholeLines(match: Pick<Match, "from" | "to">, text: string): Pick<Match, "from" | "to"> {
  const start = text.lastIndexOf("\n", match.from.index - 1) + 1;
  const newline = text.indexOf("\n", match.to.index);
  const end = newline === -1 ? text.length : newline + 1;
  const alone = text.slice(start, match.from.index).trim() === "" && text.slice(match.to.index, end).trim() === "";
  if (!alone) return match;
  return { from: { ...match.from, index: start, column: 0 }, to: { index: end, line: match.to.line + 1, column: 0 } };
}
