import { wordsOf } from "@pith/host";
import type { Watching } from "../../capability/kind/kind.ts";
import type { Condition } from "../../capability/read/condition.ts";

/** The origin of a text: prose, thinking, or what a call adds to a file. */
export type StreamSource =
  | { of: "text" | "thinking" }
  | { of: "tool"; call: string; tool: string; path?: string | undefined };

/** A rule that watches streams. */
export interface StreamRule {
  name: string;
  watch: Watching;
  /** True when the rule watches this text, and the model may be reminded of it. */
  minds(source: StreamSource): boolean;
}

/** A condition of a rule, or all its patterns of code; one of the words must come before a match is possible. */
export type Test<R extends StreamRule = StreamRule> = { rule: R; words: readonly string[] } & (
  | { is: "condition"; condition: Condition }
  | { is: "code" }
);

export function testsOf<R extends StreamRule>(rule: R): Test<R>[] {
  const { conditions, patterns } = rule.watch;
  const words = wordsOf(patterns)?.map((word) => word.toLowerCase()) ?? [];
  return [
    ...conditions.map((condition): Test<R> => ({ rule, is: "condition", condition, words: condition.literals })),
    ...(patterns.length > 0 ? [{ rule, is: "code" as const, words }] : []),
  ];
}
