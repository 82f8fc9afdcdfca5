import { shorten } from "@pith/kit";
import { interrupting, type Scope, type Watching } from "../kind/kind.ts";
import { type Condition, readCondition } from "./condition.ts";

export const watchFields = ["condition", "astCondition", "scope", "interruptMode"];

/** More than this of one rule is no rule any more. */
const most = 50;

/** What a rule watches streams for; what it says of that and nobody can use, with its line. */
export function watchOf(
  fields: Readonly<Record<string, unknown>>,
  text: string,
): { watch?: Watching; odd?: { line: number; text: string } } {
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
  // Commas part scopes, but not those within brackets.
  const named = listOf(fields.scope).flatMap((words) =>
    words.split(/\s*,\s*(?![^()]*\))/).filter((word) => word !== ""),
  );
  const scopes = named.flatMap((word): Scope[] => {
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
      odd: { ...first, text: [first, ...others].map((one) => one.text).join("; ") + (hopeless ? told : "") },
    }),
  };
}

const told = "; so it watches nothing, and is told like other rules";

/** What a rule watches that does not say it. */
const usual: readonly Scope[] = [{ of: "text" }, { of: "tool" }];

function scopeOf(word: string): Scope | undefined {
  if (word === "text" || word === "thinking") return { of: word };
  const [, tool, files] = /^tool(?::([\w.-]+|\*)(?:\((.+)\))?)?$/.exec(word) ?? [];
  if (!word.startsWith("tool") || (word !== "tool" && tool === undefined)) return undefined;
  return { of: "tool", tool: tool === "*" ? undefined : tool?.toLowerCase(), files: files?.trim() };
}

/** A text is one item, whatever signs it has. */
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .flatMap((item) => (typeof item === "string" && item.trim() !== "" ? [item.trim()] : []))
    .slice(0, most);

/** The line that says it, or the one of its key. */
function lineOf(text: string, key: string, said: string): number {
  const lines = text.split("\n");
  const head = lines.findIndex((line) => line.startsWith(`${key}:`));
  const at = lines.findIndex((line, index) => index >= head && line.includes(said.slice(0, 40)));
  return Math.max(1, (at === -1 ? head : at) + 1);
}

const short = (text: string): string => shorten(text, 60);
