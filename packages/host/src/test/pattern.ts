import type { LanguageName } from "../syntax/language.ts";
import { openLanguage } from "../syntax/open.ts";
import { compilePattern } from "../syntax/pattern/goal.ts";
import { findMatches } from "../syntax/pattern/match.ts";
import { compileRule, planRewrite, type Replacement } from "../syntax/pattern/rewrite.ts";

/** The matches of a pattern, as text. */
export async function matches(name: LanguageName, pattern: string, text: string): Promise<string[]> {
  const language = await openLanguage(name);
  const compiled = compilePattern(pattern, language);
  if (!compiled.ok) return [compiled.message];
  using tree = language.parse(text);
  if (!tree) return never(name);
  return findMatches(compiled.value, tree, text).map(({ from, to }) => text.slice(from.index, to.index));
}

/** A text after some rules, or why they do not hold. */
export async function rewritten(
  name: LanguageName,
  text: string,
  ...rules: [pat: string, out: string][]
): Promise<string> {
  const language = await openLanguage(name);
  using tree = language.parse(text);
  if (!tree) return never(name);
  const compiled = rules.map(([pat, out]) => compileRule(pat, out, language));
  const wrong = compiled.find((rule) => !rule.ok);
  if (wrong && !wrong.ok) return wrong.message;
  const plan = planRewrite(
    compiled.flatMap((rule) => (rule.ok ? [rule.value] : [])),
    tree,
    text,
  );
  return plan.ok ? applied(text, plan.value) : plan.message;
}

/** Fails for a text that was not parsed. */
export const never = (name: string): never => {
  throw new Error(`${name} was not parsed`);
};

function applied(text: string, plan: readonly Replacement[]): string {
  let done = "";
  let at = 0;
  for (const { from, to, after } of plan) {
    done += text.slice(at, from.index) + after;
    at = to.index;
  }
  return done + text.slice(at);
}
