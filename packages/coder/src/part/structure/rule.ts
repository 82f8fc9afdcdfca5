import { type Language, type LanguageName, openLanguage } from "@pith/host";
import type { Result } from "@pith/kit";

/**
 * Patterns, each compiled once for every language that turns up. A pattern that does not parse in some language means
 * nothing, since a directory holds many; a pattern that parses in none is refused.
 */
export class RuleBook<P, T> {
  readonly #patterns: readonly P[];
  readonly #compile: (pattern: P, language: Language) => Result<T, "pattern">;
  readonly #known = new Map<LanguageName, T[]>();
  readonly #refused: (string | undefined)[] = [];

  constructor(patterns: readonly P[], compile: (pattern: P, language: Language) => Result<T, "pattern">) {
    this.#patterns = patterns;
    this.#compile = compile;
  }

  async of(name: LanguageName): Promise<{ language: Language; rules: T[] }> {
    const language = await openLanguage(name);
    const known = this.#known.get(name);
    if (known) return { language, rules: known };
    const rules: T[] = [];
    // Prose has no nodes to match.
    const results = name === "markdown" ? [] : this.#patterns.map((pattern) => this.#compile(pattern, language));
    for (const [i, result] of results.entries()) {
      if (result.ok) {
        rules.push(result.value);
        this.#refused[i] = "";
      } else this.#refused[i] ??= result.message;
    }
    this.#known.set(name, rules);
    return { language, rules };
  }

  /** The reason for each pattern that fits no language at all. */
  get refused(): string[] {
    return this.#refused.flatMap((reason) => (reason ? [reason] : []));
  }
}

const maxIssues = 20;

/** Parse issues for the model: each once, the first twenty. */
export function issueLines(issues: readonly string[]): string[] {
  const unique = [...new Set(issues)].map((issue) => `- ${issue}`);
  const rest = unique.length - maxIssues;
  const more = rest > 0 ? [`- … and ${rest} more`] : [];
  return unique.length === 0 ? [] : ["Parse issues:", ...unique.slice(0, maxIssues), ...more];
}

/** The most files that a call may touch or show. */
export const maxFiles = (env: Readonly<Record<string, string | undefined>>): number => {
  const most = Number(env.PITH_MAX_AST_FILES);
  return Number.isInteger(most) && most > 0 ? most : 1000;
};
