/**
 * The line that says a program wrote this file and will write it again. Only the remarks before any code count; later
 * ones, and words in quotes, are about something else.
 */
export function generatedMark(text: string): string | undefined {
  let open: string | undefined;
  for (const [i, line] of text.slice(0, 4096).split("\n", 80).entries()) {
    if (line.trim() === "" || preamble.test(line)) continue;
    const isRemark = open !== undefined || remark.test(line);
    // A text without remarks may say it in its first line.
    if (!isRemark && (i > 0 || code.test(line))) return undefined;
    const words = line
      .replace(key, "")
      .replace(/"""|'''/g, "")
      .replace(quoted, "");
    if (marks.some((mark) => mark.test(words))) return line.trim();
    if (!isRemark) return undefined;
    open = openAfter(line, open);
  }
  return undefined;
}

const marks: readonly RegExp[] = [
  /@generated\b/,
  /<auto-?generated\b/i,
  // About the file, not about something in it, and without a condition.
  /\bdo not (?:edit|modify|change)\b(?!.*\b(?:unless|until|without|before|if)\b)(?=\s*(?:$|[.,;:!*<>)\]}"'—-]|\\n|(?:this|it|by|manually|directly|or|and)\b))/i,
  /\b(?:this (?:file|class|module)|code|file|source)\b.{0,40}\b(?:is|was|has been)?\s*(?<!not )(?:auto(?:matically)?[- ]?)?generated (?:by|from|with|automatically)\b/i,
  /\bauto[- ]?generated (?:file|code|by|from)\b/i,
];

/** Lines before all else that say nothing: a mode, a kind of document, the bracket that opens it. */
const preamble = /^\s*(?:<\?\w+.*|<!DOCTYPE\b.*|(["'])use [\w ]+\1;?|@charset\b.*|@echo off|[{[])\s*$/i;

/** A text in quotes within a sentence, and the key that a remark has in JSON, with the quotes of what it says. */
const quoted = /(?<!\w)(["'`])(?:(?!\1).)+\1(?!\w)/g;
const key = /^\s*"[^"]*"\s*:\s*"/;

/** The beginning of a remark in most languages; in JSON one has a key of its own. */
const remark =
  /^\s*(?:\/\/|\/\*|\*|#|--|;|%|<!--|<#|\{-|\(\*|!|'|REM\b|dnl\b|\.\.|"""|'''|"(?:_?comment|\$comment|\/\/|_?generated|@generated|_?warning|_?note)"\s*:)/i;

/** Signs that no prose has: a text in quotes, a call, an assignment. */
const code = /["'`(=]/;

const blocks: readonly (readonly [string, string])[] = [
  ["/*", "*/"],
  ["<!--", "-->"],
  ['"""', '"""'],
  ["'''", "'''"],
  ["{-", "-}"],
  ["(*", "*)"],
  ["=begin", "=end"],
];

/** The sign that ends the remark that is open behind a line. */
function openAfter(line: string, open: string | undefined): string | undefined {
  const rest =
    open === undefined ? line : line.includes(open) ? line.slice(line.indexOf(open) + open.length) : undefined;
  if (rest === undefined) return open;
  const begun = blocks.find(([begin]) => rest.trimStart().startsWith(begin));
  if (!begun) return undefined;
  const [begin, end] = begun;
  return rest.slice(rest.indexOf(begin) + begin.length).includes(end) ? undefined : end;
}
