import { late, shorten } from "@pith/kit";
import { interrupting, type Watching, type WatchScope } from "../kind/kind.ts";
import type { Condition } from "./condition.ts";

const readCondition = late(() => {
  const { readCondition }: typeof import("./condition.ts") = require("./condition.ts");
  return readCondition;
});

export const watchFields = ["condition", "astCondition", "scope", "interruptMode"];

/** Conditions, patterns and scopes of one rule; further ones are ignored. */
const most = 50;

/** Reads what a rule watches streams for, and the first line of it that cannot be used. */
export function watchOf(
  fields: Readonly<Record<string, unknown>>,
  text: string,
): { watch?: Watching; warning?: { line: number; text: string } } {
  const problems: { line: number; text: string }[] = [];
  const complain = (key: string, said: string, why: string) =>
    void problems.push({ line: lineOf(text, key, said), text: `${key} ${JSON.stringify(short(said))}: ${why}` });
  const conditions = listOf(fields.condition).flatMap((source): Condition[] => {
    const read = readCondition(source);
    if (!read.ok) complain("condition", source, read.message);
    return read.ok ? [read.value] : [];
  });
  const patterns = listOf(fields.astCondition);
  for (const key of ["condition", "astCondition"])
    if (fields[key] !== undefined && fields[key] !== null && listOf(fields[key]).length === 0)
      complain(key, String(fields[key]), "expected a text, or a list of them");
  // Commas separate scopes, except within brackets.
  const named = listOf(fields.scope).flatMap((words) =>
    words.split(/\s*,\s*(?![^()]*\))/).filter((word) => word !== ""),
  );
  const scopes = named.flatMap((word): WatchScope[] => {
    const scope = scopeOf(word);
    if (!scope) complain("scope", word, "there are text, thinking, tool, tool:<name> and tool:<name>(<files>)");
    return scope ? [scope] : [];
  });
  const { interruptMode } = fields;
  const interrupts = interrupting.find((mode) => mode === interruptMode);
  if (interruptMode !== undefined && !interrupts)
    complain("interruptMode", String(interruptMode), `there are ${interrupting.join(", ")}`);
  const hopeless = conditions.length + patterns.length === 0 || (named.length > 0 && scopes.length === 0);
  const watch = { conditions, patterns, scopes: named.length > 0 ? scopes : usual, interrupts };
  const [first, ...others] = problems;
  return {
    ...(hopeless ? {} : { watch }),
    ...(first && {
      warning: { ...first, text: [first, ...others].map((one) => one.text).join("; ") + (hopeless ? told : "") },
    }),
  };
}

const told = "; so it watches nothing, and is told like other rules";

/** Streams of a rule that names none. */
const usual: readonly WatchScope[] = [{ of: "text" }, { of: "tool" }];

function scopeOf(word: string): WatchScope | undefined {
  if (word === "text" || word === "thinking") return { of: word };
  const [, tool, files] = /^tool(?::([\w.-]+|\*)(?:\((.+)\))?)?$/.exec(word) ?? [];
  if (!word.startsWith("tool") || (word !== "tool" && tool === undefined)) return undefined;
  return { of: "tool", tool: tool === "*" ? undefined : tool?.toLowerCase(), files: files?.trim() };
}

/** Reads a list; a text is one item, commas and all. */
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .flatMap((item) => (typeof item === "string" && item.trim() !== "" ? [item.trim()] : []))
    .slice(0, most);

/** Returns the line of a value, or of its key. */
function lineOf(text: string, key: string, said: string): number {
  const lines = text.split("\n");
  const head = lines.findIndex((line) => line.startsWith(`${key}:`));
  const at = lines.findIndex((line, index) => index >= head && line.includes(said.slice(0, 40)));
  return Math.max(1, (at === -1 ? head : at) + 1);
}

const short = (text: string): string => shorten(text, 60);
