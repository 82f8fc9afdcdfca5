import { type Language, type LanguageName, openLanguage } from "@pith/host";
import type { Result } from "@pith/kit";

/** What was compiled for one language, and what was refused. */
export interface Compiled<T> {
  language: Language;
  rules: T[];
}

/**
 * Patterns are code, so each is compiled once per language that turns up. That one does not parse in some language says
 * nothing (a directory holds many); that it parses in none does.
 */
export class RuleBook<T> {
  readonly #compile: ((language: Language) => Result<T, "pattern">)[];
  readonly #known = new Map<LanguageName, T[]>();
  readonly #refused: (string | undefined)[];

  constructor(compile: ((language: Language) => Result<T, "pattern">)[]) {
    this.#compile = compile;
    this.#refused = compile.map(() => undefined);
  }

  async of(name: LanguageName): Promise<Compiled<T>> {
    const language = await openLanguage(name);
    const known = this.#known.get(name);
    if (known) return { language, rules: known };
    const rules: T[] = [];
    // Prose has no nodes to match.
    const results = name === "markdown" ? [] : this.#compile.map((compile) => compile(language));
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
    return this.#refused.filter((reason) => reason !== undefined && reason !== "") as string[];
  }
}

const maxIssues = 20;

/** Parse issues for the model: each once, the first twenty. */
export function issueLines(issues: readonly string[]): string[] {
  const unique = [...new Set(issues)];
  if (unique.length === 0) return [];
  const rest = unique.length - maxIssues;
  return [
    "Parse issues:",
    ...unique.slice(0, maxIssues).map((issue) => `- ${issue}`),
    ...(rest > 0 ? [`- … and ${rest} more`] : []),
  ];
}

/** How many files a call may touch or show. */
export const maxFiles = (env: Readonly<Record<string, string | undefined>>): number => {
  const most = Number(env.PITH_MAX_AST_FILES);
  return Number.isInteger(most) && most > 0 ? most : 1000;
};
