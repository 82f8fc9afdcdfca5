import { shellQuote } from "@pith/kit";
import type { Template } from "../../capability/kind/kind.ts";

/** Splits a text as a shell does: quotes group, a backslash takes the next character as it is. */
export function argumentsIn(text: string): { words: string[]; open?: "open quote" } {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === "\\" && quote !== "'" && at + 1 < text.length) word = `${word ?? ""}${text[++at]}`;
    else if (quote !== "") {
      if (sign === quote) quote = "";
      else word = `${word ?? ""}${sign}`;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= "";
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = `${word ?? ""}${sign}`;
  }
  if (word !== undefined) words.push(word);
  return { words, ...(quote !== "" && { open: "open quote" as const }) };
}

const placeholder =
  /\$\{@:(?<from>\d+)(?::(?<count>\d+))?\}|\$@\[(?<from>\d+)(?::(?<count>\d+))?\]|\$ARGUMENTS\b|\$@|\$\{(?<place>\d+):-(?<otherwise>[^}\n]{0,200})\}|\$(?<place>\d+)|\{\{\s*(?:args|ARGUMENTS|arguments)\s*\}\}/g;

/** The only placeholder of Gemini; a `$1` in its texts belongs to awk or a shell. */
const geminiPlaceholder = /\{\{\s*args\s*\}\}/g;

/**
 * Fills the placeholders of a text with typed arguments: `$1`, `$@`, `$ARGUMENTS`, `$@[2]`, `$@[2:3]`, `${1:-else}`,
 * `{{args}}`. Works in one pass, so that placeholders within arguments stay. A text without placeholders gets the
 * arguments at its end.
 */
export function fillTemplate(body: string, typed: string, style: Template["style"] = "pith"): string {
  const { words } = argumentsIn(typed);
  let used = false;
  const text = body.replace(style === "gemini" ? geminiPlaceholder : placeholder, (whole, ...more) => {
    used = true;
    const { from, count, place, otherwise = "" } = groupsOf(more);
    if (from !== undefined) {
      const first = Math.max(Number(from), 1) - 1;
      return words.slice(first, count === undefined ? undefined : first + Number(count)).join(" ");
    }
    if (place !== undefined) return words[Number(place) - 1] ?? otherwise;
    return whole === "$@" ? words.join(" ") : typed;
  });
  return used || typed === "" ? text : `${text}\n\n${typed}`;
}

/** Returns the named groups from the arguments of a replacer. */
const groupsOf = (args: unknown[]): Record<string, string | undefined> =>
  (args.at(-1) ?? {}) as Record<string, string | undefined>;

/** Matches embedded commands: `` !`…` `` of Claude, `!{…}` of Gemini, with braces in pairs. */
const command = /!`([^`\n]+)`|!\{((?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]*\})*\})+)\}/g;

export const embedded = (body: string): string[] =>
  [...body.matchAll(command)].map(([, ticked, braced]) => ticked ?? braced ?? "");

/** Replaces embedded commands by their outputs, in order. */
export function withOutputs(body: string, outputs: readonly string[]): string {
  let at = 0;
  return body.replace(command, () => outputs[at++] ?? "");
}

/** Matches placeholders, escapes, quotes, and syntax that makes code of words outside of or within double quotes. */
const shellSigns =
  /(?<hole>\$(?<number>\d+)|\$@|\$ARGUMENTS\b|\{\{\s*args\s*\}\})|\\[\s\S]|['"]|(?<outside><<|\$?\(\(|\$'|(?<=^|\s)#)|(?<inside>\$[({]|`)/g;

/**
 * Fills the placeholders of a command with typed arguments, quoted so that words stay words. Undefined when that is not
 * sure: in here-documents, arithmetic, comments, or code within a text.
 */
export function fillShell(command: string, typed: string, style: Template["style"] = "pith"): string | undefined {
  const { words } = argumentsIn(typed);
  let within = "";
  let state: "sure" | "unsure" = "sure";
  let holes = 0;
  const filled = command.replace(shellSigns, (whole: string, ...more) => {
    const { hole, number, outside, inside } = groupsOf(more);
    if (hole !== undefined && style === "gemini" && hole.startsWith("$")) return whole;
    if (hole !== undefined) {
      holes += 1;
      const given = number === undefined ? words : [words[Number(number) - 1] ?? ""];
      return within === "" ? given.map(shellQuote).join(" ") : `${within}${shellQuote(given.join(" "))}${within}`;
    }
    if ((within === "" && outside) || (within === '"' && inside)) state = "unsure";
    within = quoteAfter(within, whole);
    return whole;
  });
  return holes === 0 ? command : state === "sure" ? filled : undefined;
}

/** Returns the quotes after a match. Between single quotes only their end has a meaning. */
function quoteAfter(within: string, sign: string): string {
  if (within === "'") return sign.endsWith("'") ? "" : within;
  if (sign !== '"' && (sign !== "'" || within !== "")) return within;
  return within === "" ? sign : "";
}
