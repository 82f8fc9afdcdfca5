// Lists what a source file uses: imports in every form, type-only ones as well (Bun's scanner drops those, TypeScript 7
// has no API), and dotted names such as `process.env`.
import { type Token, tokenize } from "./token.ts";

export interface Reach {
  imports: { specifier: string; line: number }[];
  /** Lines of `import(x)` with a target that is computed. */
  computed: number[];
  names: { name: string; line: number }[];
  /** Strings that may be a command: the first of a list or call, and those that begin with a word and a space. */
  commands: { text: string; line: number }[];
}

export function reachOf(source: string): Reach {
  const tokens = tokenize(source);
  const reach: Reach = { imports: [], computed: [], names: [], commands: [] };
  tokens.forEach((token, at) => {
    const first = is(tokens[at - 1], "[") || is(tokens[at - 1], "(");
    if (token.kind === "string" && (first || /^\S+\s/.test(token.text)))
      reach.commands.push({ text: token.text, line: token.line });
    if (token.kind !== "word" || is(tokens[at - 1], ".") || is(tokens[at - 1], "?.")) return;
    const called = is(tokens[at + 1], "(");
    if (called && (token.text === "import" || token.text === "require")) readCall(tokens, at, reach);
    else if (token.text === "import" || token.text === "export") readClause(tokens, at, reach);
    const name = dotted(tokens, at);
    if (name) reach.names.push({ name, line: token.line });
  });
  return reach;
}

/**
 * Imports that Bun finds and `reach` lacks. There should be none; with one, `reachOf` misread the file and proves
 * nothing about it.
 */
export function missedImports(source: string, reach: Reach): string[] {
  const mine = new Set(reach.imports.map((it) => it.specifier));
  const seen = new Bun.Transpiler({ loader: "ts" }).scanImports(source);
  return seen.map((it) => it.path).filter((path) => !mine.has(path));
}

const is = (token: Token | undefined, text: string) => token?.kind !== "string" && token?.text === text;

function readCall(tokens: Token[], at: number, reach: Reach) {
  const [{ line, text } = { line: 0, text: "" }, , target, after] = tokens.slice(at, at + 4);
  if (target?.kind === "string" && (is(after, ")") || is(after, ",")))
    reach.imports.push({ specifier: target.text, line });
  else if (text === "import") reach.computed.push(line);
}

/** Reads an import or export up to `from`: until then there are only names, strings, braces, commas and stars. */
function readClause(tokens: Token[], at: number, reach: Reach) {
  const line = tokens[at]?.line ?? 0;
  if (is(tokens[at], "import") && tokens[at + 1]?.kind === "string") {
    reach.imports.push({ specifier: tokens[at + 1]?.text ?? "", line });
    return;
  }
  for (let i = at + 1; i < tokens.length; i++) {
    const [token, next] = [tokens[i], tokens[i + 1]];
    if (is(token, "from") && next?.kind === "string") {
      reach.imports.push({ specifier: next.text, line });
      return;
    }
    if (token?.kind === "sign" ? !/^[{},*]$/.test(token.text) : statement.has(token?.text ?? "")) return;
  }
}
const statement = new Set("const let var function class interface enum namespace declare import export".split(" "));

/** Joins `a.b.c` and `a["b"]` to one name. A bare `= process` counts too, because an alias hides later uses. */
function dotted(tokens: Token[], at: number): string | undefined {
  let name = tokens[at]?.text ?? "";
  for (let i = at + 1; ; i += 2) {
    const [sign, key, close] = tokens.slice(i, i + 3);
    if ((is(sign, ".") || is(sign, "?.")) && key?.kind === "word") name += `.${key.text}`;
    else if (is(sign, "[") && key?.kind === "string" && is(close, "]")) {
      name += `.${key.text}`;
      i++;
    } else break;
  }
  const alias = is(tokens[at - 1], "=") && /^(?:process|Bun|globalThis)$/.test(name);
  return alias || name.includes(".") ? name.replace(/^globalThis\./, "") : undefined;
}
