import { fail, ok, type Result } from "@pith/kit";
import { languages } from "../language.ts";
import type { Language } from "../open.ts";
import { type CodePattern, holes } from "./goal.ts";
import { type Capture, leaves, type Match } from "./match.ts";

/** The text to put in the place of a match, with holes by name. */
export type Template = readonly (string | { name: string })[];

/** A hole that the pattern does not remember is a mistake, unless the language itself writes names that way. */
export function compileTemplate(out: string, pattern: CodePattern, language: Language): Result<Template, "pattern"> {
  const pieces: (string | { name: string })[] = [];
  let at = 0;
  for (const { 0: word, index } of out.matchAll(holes)) {
    const name = word.replace(/^\$+/, "");
    if (!pattern.names.has(name)) {
      if (languages[language.name].dollar) continue;
      return fail("pattern", `\`${word}\` in the replacement is not captured by \`${pattern.source}\``);
    }
    pieces.push(out.slice(at, index), { name });
    at = index + word.length;
  }
  pieces.push(out.slice(at));
  return ok(pieces.filter((part) => part !== ""));
}

/**
 * The replacement of one match. Lines after the first are indented like the line of the match; captured code keeps its
 * shape and moves with the place it is put in, except inside a text or comment that runs over lines.
 */
export function fillTemplate(template: Template, match: Match, text: string): string {
  const base = indentAt(text, match.from.index);
  const newline = `${eolOf(text)}${base}`;
  let filled = "";
  let nothing = false;
  for (const part of template) {
    if (typeof part === "string") {
      // Where a list is empty, nothing separates it from the rest.
      const rest = nothing && /[([{<]$|^$/.test(filled) ? part.replace(/^\s*,\s*/, "") : part;
      filled += rest.replace(/\r?\n/g, newline);
      continue;
    }
    const capture = match.captures.get(part.name);
    nothing = capture?.nodes.length === 0;
    if (nothing) filled = filled.replace(/,\s*$/, "");
    else if (capture) filled += moved(capture, text, filled.slice(filled.lastIndexOf("\n") + 1), base);
  }
  return filled;
}

/** Captured code, moved to where it is put; `before` is the text on the line in front of it. */
function moved(capture: Capture, text: string, before: string, base: string): string {
  const code = text.slice(capture.from.index, capture.to.index);
  if (!code.includes("\n")) return code;
  const old = indentAt(text, capture.from.index);
  const indent = /^[ \t]*/.exec(before)?.[0] ?? "";
  // On the first line of a replacement the indent is the one the match already has.
  const wanted = before.startsWith(base) ? indent : base + indent;
  const fixed = fixedLines(capture);
  return code
    .split("\n")
    .map((line, i) => {
      if (i === 0 || fixed.has(capture.from.line + i) || line.trim() === "") return line;
      return line.startsWith(old) ? wanted + line.slice(old.length) : line;
    })
    .join("\n");
}

/** Lines that begin inside a word of the language, so that their blanks are content. */
function fixedLines(capture: Capture): Set<number> {
  const fixed = new Set<number>();
  for (const leaf of capture.nodes.flatMap(leaves))
    for (let line = leaf.from.line + 1; line <= leaf.to.line; line++) fixed.add(line);
  return fixed;
}

/** The line end of the first line stands for all. */
const eolOf = (text: string): string => (text[text.indexOf("\n") - 1] === "\r" ? "\r\n" : "\n");

function indentAt(text: string, index: number): string {
  const start = text.lastIndexOf("\n", index - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, index))?.[0] ?? "";
}
