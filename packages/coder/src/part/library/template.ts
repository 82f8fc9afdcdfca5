import { shellQuote } from "@pith/kit";
import type { Template } from "../../capability/kind/kind.ts";

/** Words as a shell would part them: quotes group, a backslash takes the next sign as it is. */
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

const hole =
  /\$\{@:(\d+)(?::(\d+))?\}|\$@\[(\d+)(?::(\d+))?\]|\$ARGUMENTS\b|\$@|\$\{(\d+):-([^}\n]{0,200})\}|\$(\d+)|\{\{\s*(?:args|ARGUMENTS|arguments)\s*\}\}/g;

/** The only hole that Gemini knows: a `$1` in its texts is an awk's or a shell's. */
const geminiHole = /\{\{\s*args\s*\}\}/g;

/**
 * A text with its holes filled: `$1`, `$@`, `$ARGUMENTS`, `$@[2]`, `$@[2:3]`, `${1:-else}`, `{{args}}`. In one pass, so
 * that what an argument holds stays as it is. Where there is no hole, what was typed comes behind the text.
 */
export function fillTemplate(body: string, typed: string, style: Template["style"] = "pith"): string {
  const { words } = argumentsIn(typed);
  let used = false;
  const text = body.replace(
    style === "gemini" ? geminiHole : hole,
    (whole, from, count, from2, count2, place, otherwise, number) => {
      used = true;
      if (style === "gemini") return typed;
      const start = from ?? from2;
      if (start !== undefined) {
        const first = Math.max(Number(start), 1) - 1;
        const many = count ?? count2;
        return words.slice(first, many === undefined ? undefined : first + Number(many)).join(" ");
      }
      if (place !== undefined) return words[Number(place) - 1] ?? otherwise;
      if (number !== undefined) return words[Number(number) - 1] ?? "";
      return whole === "$@" ? words.join(" ") : typed;
    },
  );
  return used || typed === "" ? text : `${text}\n\n${typed}`;
}

/** Commands that stand in a text: `` !`…` `` as Claude writes them, `!{…}` as Gemini does, with braces in pairs. */
const command = /!`([^`\n]+)`|!\{((?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]*\})*\})+)\}/g;

export const embedded = (body: string): string[] =>
  [...body.matchAll(command)].map(([, ticked, braced]) => ticked ?? braced ?? "");

/** The same text with what they printed in their places, in order. */
export function withOutputs(body: string, outputs: readonly string[]): string {
  let at = 0;
  return body.replace(command, () => outputs[at++] ?? "");
}

/** Holes, signs that are taken as they are, quotes, and what makes code of words: outside of quotes, and within double ones. */
const shellSigns =
  /(?<hole>\$(?<number>\d+)|\$@|\$ARGUMENTS\b|\{\{\s*args\s*\}\})|\\[\s\S]|['"]|(?<outside><<|\$?\(\(|\$'|(?<=^|\s)#)|(?<inside>\$[({]|`)/g;

/**
 * A command with its holes filled by what was typed. Words stay words: they are quoted anew, by what they stand in.
 * Undefined where that cannot be told for sure: in documents, arithmetic, comments, or code within a text.
 */
export function fillShell(command: string, typed: string, style: Template["style"] = "pith"): string | undefined {
  const { words } = argumentsIn(typed);
  let within = "";
  let state: "sure" | "unsure" = "sure";
  let holes = 0;
  const filled = command.replace(shellSigns, (whole: string, ...more) => {
    const { hole, number, outside, inside } = more.at(-1) as Record<string, string | undefined>;
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

/** Between single quotes nothing but their end has a meaning. */
function quoteAfter(within: string, sign: string): string {
  if (within === "'") return sign.endsWith("'") ? "" : within;
  if (sign !== '"' && (sign !== "'" || within !== "")) return within;
  return within === "" ? sign : "";
}
