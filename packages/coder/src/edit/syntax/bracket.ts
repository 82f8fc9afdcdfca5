import type { LanguageName, SyntaxProblem } from "@pith/host";
import { Lines } from "../text/line.ts";

const quotes = String.raw`"(?:\\[\s\S]|[^"\\\n])*"`;
const slashes = String.raw`//[^\n]*|/\*[\s\S]*?(?:\*/|$)|${quotes}`;
const regex = String.raw`(?<=[(,=>:[!&|?;{}\n]\s*)/(?![/*])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n])+/`;
const template = String.raw`\`(?:\\[\s\S]|\$\{(?:[^\`{}]|\`[^\`]*\`|\{[^{}]*\})*\}|[^\`\\])*\``;
const script = new RegExp(String.raw`${slashes}|'(?:\\[\s\S]|[^'\\\n])*'|${template}|${regex}`, "g");
const braces = new RegExp(String.raw`${slashes}|'(?:\\[^'\n]{1,8}|[^'\\\n])'`, "g");
const triple = String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)`;
const python = new RegExp(String.raw`#[^\n]*|${triple}|${quotes}|'(?:\\[\s\S]|[^'\\\n])*'`, "g");

/** Comments and strings of languages, precise enough to find brackets outside of them. */
const noCode: Partial<Record<LanguageName, RegExp>> = {
  python,
  ...Object.fromEntries(["javascript", "typescript", "tsx"].map((name) => [name, script])),
  ...Object.fromEntries(
    ["c", "cpp", "go", "java", "json", "kotlin", "rust", "scala", "swift", "dart"].map((name) => [name, braces]),
  ),
};

/** Stands for a letter of a string in its further lines. */
const within = "\x01";

/** A text with its comments blank and its strings made letters, place by place; undefined for other languages. */
export function codeOf(text: string, language: LanguageName): string | undefined {
  const found = noCode[language];
  return (
    found && text.replace(found, (part) => (/^(?:#|\/[/*])/.test(part) ? part.replace(/[^\n]/g, " ") : masked(part)))
  );
}

function masked(string: string): string {
  const [first = "", ...more] = string.split("\n");
  return ["x".repeat(first.length), ...more.map((line) => within.repeat(line.length))].join("\n");
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The bracket that has no other half: the first that does not fit. */
export function unpaired(code: string): SyntaxProblem | undefined {
  const lines = new Lines(code);
  const open: { sign: string; index: number }[] = [];
  let doubt: number | undefined;
  for (const { 0: sign, index } of code.matchAll(/[()[\]{}]/g)) {
    if (closers[sign]) {
      open.push({ sign, index });
      continue;
    }
    const last = open.at(-1);
    if (!last) return at(lines, index, `unexpected ${JSON.stringify(sign)}`);
    if (closers[last.sign] !== sign) return unclosed(lines, code, doubt ?? last.index);
    open.pop();
    // A bracket that closes further out than its other half stands belongs to one before.
    if (startsLine(lines, index) && indentOf(lines, index) < indentOf(lines, last.index)) doubt ??= last.index;
  }
  const left = open.at(-1);
  return left && unclosed(lines, code, doubt ?? left.index);
}

function unclosed(lines: Lines, code: string, index: number): SyntaxProblem {
  const sign = code[index] ?? "";
  return at(lines, index, `${JSON.stringify(sign)} is not closed (missing ${JSON.stringify(closers[sign])})`);
}

function at(lines: Lines, index: number, message: string): SyntaxProblem {
  const line = lines.of(index);
  return { line, column: index - lines.start(line) + 1, message };
}

const indentOf = (lines: Lines, index: number): number => /^\s*/.exec(lines.at(lines.of(index)))?.[0].length ?? 0;
const startsLine = (lines: Lines, index: number): boolean =>
  /^[)\]}\s]*$/.test(lines.text.slice(lines.start(lines.of(index)), index));

/** The first line of Python that is indented as none may be. */
export function misindented(code: string): SyntaxProblem | undefined {
  const lines = new Lines(code);
  const levels = [0];
  let depth = 0;
  let opened: number | undefined;
  let goesOn = false;
  for (let n = 1; n <= lines.count; n++) {
    const text = lines.at(n);
    const begins = depth === 0 && !goesOn && text.trim() !== "" && !text.startsWith(within);
    if (begins) {
      const width = widthOf(text);
      const problem = misfit(levels, width, opened);
      if (problem) return { line: n, column: 1, message: problem };
      opened = undefined;
    }
    if (text.trim() === "") continue;
    for (const sign of text.match(/[()[\]{}]/g) ?? []) depth = Math.max(0, depth + (closers[sign] ? 1 : -1));
    goesOn = text.endsWith("\\");
    if (depth === 0 && !goesOn && /:\s*$/.test(text)) opened = n;
  }
  return opened === undefined ? undefined : { line: opened, column: 1, message: "nothing is indented below this line" };
}

function misfit(levels: number[], width: number, opened: number | undefined): string | undefined {
  const last = levels.at(-1) ?? 0;
  if (opened !== undefined) {
    if (width <= last) return `not indented, though line ${opened} opens a block`;
    levels.push(width);
    return undefined;
  }
  if (width > last) return "indented, though no line before it opens a block";
  while ((levels.at(-1) ?? 0) > width) levels.pop();
  return levels.at(-1) === width ? undefined : "indented unlike any block around it";
}

const widthOf = (text: string): number => {
  let width = 0;
  for (const sign of /^[ \t]*/.exec(text)?.[0] ?? "") width = sign === "\t" ? width + 8 - (width % 8) : width + 1;
  return width;
};
