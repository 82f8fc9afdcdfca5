// Enough of TypeScript's lexical grammar to tell code from comments, strings, templates and regular expressions.
export interface Token {
  kind: "word" | "string" | "sign" | "template" | "comment";
  text: string;
  line: number;
}

/** Tokens of a source without its comments. */
export const tokenize = (source: string): Token[] => scan(source).tokens;

/** Comments of a source, with their delimiters. */
export const commentsOf = (source: string): Token[] => scan(source).comments;

function scan(source: string): { tokens: Token[]; comments: Token[] } {
  const [tokens, comments]: [Token[], Token[]] = [[], []];
  // One number for each open template: the braces that are open inside its present hole.
  const holes: number[] = [];
  let line = 1;
  for (let at = 0; at < source.length; ) {
    const { kind, text, length } = lexemeAt(source, at, tokens.at(-1), holes);
    if (kind) (kind === "comment" ? comments : tokens).push({ kind, text, line });
    for (let i = source.indexOf("\n", at); i !== -1 && i < at + length; i = source.indexOf("\n", i + 1)) line++;
    at += length;
  }
  return { tokens, comments };
}

interface Lexeme {
  /** Absent for white space. */
  kind: Token["kind"] | undefined;
  text: string;
  length: number;
}

function lexemeAt(source: string, at: number, before: Token | undefined, holes: number[]): Lexeme {
  const inHole = holes.at(-1);
  if (source[at] === "`" || (source[at] === "}" && inHole === 0)) return template(source, at, holes);
  for (const [kind, form] of forms) {
    if (form === pattern && !mayBePattern(before)) continue;
    form.lastIndex = at;
    const text = form.exec(source)?.[0];
    if (text) return { kind, text: kind === "string" ? text.slice(1, -1) : text, length: text.length };
  }
  const sign = source[at] ?? "";
  if (inHole !== undefined && sign === "{") holes[holes.length - 1] = inHole + 1;
  if (inHole !== undefined && sign === "}") holes[holes.length - 1] = inHole - 1;
  return { kind: "sign", text: sign, length: 1 };
}

const pattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const forms: readonly (readonly [Token["kind"] | undefined, RegExp])[] = [
  [undefined, /\s+/y],
  ["comment", /\/\/[^\n]*|\/\*[\s\S]*?\*\//y],
  ["word", /[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*/uy],
  ["string", /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y],
  ["sign", pattern],
  ["sign", /\?\.(?!\d)|=>/y],
];

/** Reads a template up to its end or next hole. Without holes it is a string, else only marked as a template. */
function template(source: string, at: number, holes: number[]): Lexeme {
  if (source[at] === "}") holes.pop();
  const end = templateEnd(source, at + 1);
  const text = source.slice(at, end);
  const opens = text.endsWith("${");
  if (opens) holes.push(0);
  const whole = text.startsWith("`") && !opens;
  return whole
    ? { kind: "string", text: text.slice(1, -1), length: text.length }
    : { kind: "template", text: "`", length: text.length };
}

function templateEnd(source: string, at: number): number {
  for (let i = at; i < source.length; i++) {
    if (source[i] === "\\") i++;
    else if (source[i] === "`") return i + 1;
    else if (source[i] === "$" && source[i + 1] === "{") return i + 2;
  }
  return source.length;
}

const beforePattern = new Set("return typeof case in of delete void throw new else do await yield".split(" "));
function mayBePattern(before: Token | undefined): boolean {
  if (!before) return true;
  if (before.kind === "word") return beforePattern.has(before.text);
  return before.kind === "sign" && !/^[)\]}]$/.test(before.text) && before.text.length < 3;
}
