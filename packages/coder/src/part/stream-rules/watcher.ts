import { wordsOf } from "@pith/host";
import type { Watching } from "../../capability/kind/kind.ts";
import type { Condition } from "../../capability/read/condition.ts";

/** Whose text it is. */
export type Source =
  | { of: "text" | "thinking" }
  | { of: "tool"; call: string; tool: string; path?: string | undefined };

/** A rule that watches. */
export interface Watcher {
  name: string;
  watch: Watching;
  /** Whether it watches this, and has something to say now. */
  minds(source: Source): boolean;
}

/** One thing to look for: a condition of a rule, or all its shapes of code. */
export type Test<W extends Watcher = Watcher> = { rule: W } & (
  | { is: "condition"; condition: Condition; words: readonly string[] }
  | { is: "shape"; words: readonly string[] }
);

export function testsOf<W extends Watcher>(rule: W): Test<W>[] {
  const { conditions, patterns } = rule.watch;
  const shapes = wordsOf(patterns)?.map((word) => word.toLowerCase()) ?? [];
  return [
    ...conditions.map((condition) => ({
      rule,
      is: "condition" as const,
      condition,
      words: condition.literals,
    })),
    ...(patterns.length > 0 ? [{ rule, is: "shape" as const, words: shapes }] : []),
  ];
}
