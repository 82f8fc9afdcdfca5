/** The line that says a program wrote this file and will write it again; only the head of the file is looked at. */
export function generatedMark(text: string): string | undefined {
  const head = text.slice(0, 1024).split("\n", 40);
  let open: string | undefined;
  for (const line of head) {
    const isRemark = open !== undefined || remark.test(line) || !code.test(line);
    if (isRemark && marks.some((mark) => mark.test(line))) return line.trim();
    open = openAfter(line, open);
  }
  return undefined;
}

const marks: readonly RegExp[] = [
  /@generated\b/,
  /<auto-?generated\b/i,
  // Of the file, not of something that it speaks about.
  /\bdo not (?:edit|modify|change)\b(?=\s*(?:$|[.,;:!*<>)\]}"'—-]|\\n|(?:this|it|by|manually|directly|or|and)\b))/i,
  /\b(?:this file|code|file|source)\b.{0,40}\b(?:is|was|has been)?\s*(?:auto(?:matically)?[- ]?)?generated (?:by|from|with|automatically)\b/i,
  /\bauto-?generated (?:file|code|by|from)\b/i,
];

/** How a line begins that is said to readers, in most languages; in JSON such a line has a key of its own. */
const remark =
  /^\s*(?:\/\/|\/\*|\*|#|--|;|%|<!--|<#|\{-|\(\*|!|'|REM\b|dnl\b|\.\.|"""|'''|"(?:_?comment|\$comment|\/\/|_?generated|@generated|_?warning|_?note)"\s*:)/i;

/** What no prose has: a text in quotes, a call, an assignment. */
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

/** What would end the remark that is open behind a line. */
function openAfter(line: string, open: string | undefined): string | undefined {
  const rest =
    open === undefined ? line : line.includes(open) ? line.slice(line.indexOf(open) + open.length) : undefined;
  if (rest === undefined) return open;
  const begun = blocks.find(([begin]) => rest.trimStart().startsWith(begin));
  if (!begun) return undefined;
  const [begin, end] = begun;
  return rest.slice(rest.indexOf(begin) + begin.length).includes(end) ? undefined : end;
}
