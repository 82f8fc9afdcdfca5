import { literal } from "../../../bash/expand.ts";
import { parse } from "../../../bash/parse.ts";
import type { First, Rule } from "./intercept-rules.ts";
import { onlySimple } from "./tidy.ts";

/** The first rule that speaks against a command. */
export function intercept(command: string, rules: readonly Rule[], has: (tool: string) => boolean): Rule | undefined {
  const there = rules.filter(({ tool }) => has(tool));
  if (there.length === 0) return undefined;
  const first = firstOf(command);
  return there.find((rule) => rule.speaksOf(command, first));
}

function firstOf(command: string): First | undefined {
  const read = parse(command);
  const [item, ...more] = read.ok ? read.value.items : [];
  const simple = item && onlySimple(item.pipeline);
  if (!simple || simple.assigns.length > 0) return undefined;
  const runs = simple.words.some(({ pieces }) => pieces.some((piece) => piece.kind === "dynamic" && piece.scripts[0]));
  return { words: simple.words.map(literal), redirects: simple.redirects, alone: more.length === 0 && !runs };
}
