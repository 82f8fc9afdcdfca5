import { literalText } from "../../../bash/expand.ts";
import type { Parsed } from "../../../bash/parse.ts";
import type { FirstCommand, InterceptRule } from "./intercept-rules.ts";
import { onlySimple } from "./tidy.ts";

/** The first rule that speaks against a command. */
export function intercept(
  command: string,
  read: (command: string) => Parsed,
  rules: readonly InterceptRule[],
  has: (tool: string) => boolean,
): InterceptRule | undefined {
  const there = rules.filter(({ tool }) => has(tool));
  if (there.length === 0) return undefined;
  const first = firstOf(read(command));
  return there.find((rule) => rule.matches(command, first));
}

function firstOf(read: Parsed): FirstCommand | undefined {
  const [item, ...more] = read.ok ? read.value.items : [];
  const simple = item && onlySimple(item.pipeline);
  if (!simple || simple.assigns.length > 0) return undefined;
  const runs = simple.words.some(({ segments }) =>
    segments.some((piece) => piece.kind === "dynamic" && piece.scripts[0]),
  );
  return { words: simple.words.map(literalText), redirects: simple.redirects, alone: more.length === 0 && !runs };
}
