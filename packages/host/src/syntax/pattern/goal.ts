import { fail, ok, type Result } from "@pith/kit";
import { languages } from "../language.ts";
import { type Language, withTree } from "../open.ts";
import type { SyntaxNode } from "../parse/tree.ts";

/** The node that a pattern wants. A pattern is code, so its syntax tree with holes is the goal. */
export type Goal =
  /** `$NAME`, or `$_` that is not remembered: one named node. */
  | { is: "one"; name: string | undefined }
  /** `$$$NAME`, or `$$$`: any number of nodes. */
  | { is: "many"; name: string | undefined }
  | { is: "word"; kind: string; named: boolean; text: string }
  | { is: "tree"; kind: string; children: Goal[] };

export interface CodePattern {
  readonly source: string;
  readonly goal: Goal & { kind: string };
  /** Words that a text must contain to match at all. */
  readonly words: readonly string[];
  /** Names of holes, whose code a match remembers. */
  readonly names: ReadonlySet<string>;
}

/** Reads a pattern as code of the language: alone, else in the first of the language's contexts where it parses. */
export function compilePattern(source: string, language: Language): Result<CodePattern, "pattern"> {
  const pattern = source.trim();
  if (pattern === "") return fail("pattern", "The pattern is empty");
  const row = languages[language.name];
  const { literal, quoted } = row;
  const contexts = [
    ...(literal?.looks.test(pattern) ? [literal.context] : []),
    ...(row.fragment ? [] : ["§"]),
    ...(row.contexts ?? []),
  ];
  const variants = [...new Set([pattern, quoted ? pattern.replace(quoted, `"${quote}$&"`) : pattern])];
  let several = false;
  for (const context of contexts)
    for (const variant of variants) {
      const compiled = compileIn(context, variant, language, row.hole ?? "$");
      if (compiled === "anything")
        return fail("pattern", `\`${pattern}\` matches every node; name a construct around it`);
      if (compiled === "several") several = true;
      else if (compiled) return ok({ ...compiled, source: pattern });
    }
  const why = several
    ? "is more than one node; write one expression, statement or declaration"
    : `does not parse as ${language.name}`;
  return fail("pattern", `\`${pattern}\` ${why}`);
}

/** Marks quotes that only make the pattern parse; the hole stands for the whole text. */
const quote = "¤";

/** Holes as whole words; elsewhere `$` belongs to the language. */
export const holes = /\$\$\$(?:[A-Z_][A-Z0-9_]*)?|\$[A-Z_][A-Z0-9_]*/g;

/**
 * A word of each pattern that a text must hold to match, whatever the language: for a look through many files before
 * they are read. Undefined when a pattern has none.
 */
export function wordsOf(patterns: readonly string[]): string[] | undefined {
  const words = patterns.map((pattern) => {
    const names = pattern.replace(holes, " ").match(/[\p{L}_][\p{L}\p{N}_]{2,}/gu) ?? [];
    return names.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
  });
  return words.includes("") ? undefined : words;
}

function compileIn(
  context: string,
  pattern: string,
  language: Language,
  hole: string,
): CodePattern | "several" | "anything" | undefined {
  const code = pattern.replace(holes, (word) => word.replaceAll("$", hole));
  const start = context.indexOf("§");
  const text = context.replace("§", () => code);
  return withTree(text, language, (tree) => {
    // A list hole may stand where the grammar wants something else (`switch (x) { $$$ }`): it then is the error, all
    // of it. Or where it wants more (`int f(int a, $$$)`, a type and a name): what is missing stands behind it.
    const isHole = (word: string) => variableOf(word, hole)?.is === "many";
    const wrong = tree.errors().some(({ from, to, missing }) => {
      const word = missing === undefined ? text.slice(from.index, to.index) : text.slice(0, from.index);
      return !isHole(missing === undefined ? word : (/[^\s(,;{[<]*$/.exec(word)?.[0] ?? ""));
    });
    if (wrong) return undefined;
    const end = start + code.length;
    // A statement owns the semicolon that only the context has put behind it; the pattern does not ask for one.
    const node =
      covering(tree.root, start, end) ?? (text[end] === ";" ? unended(covering(tree.root, start, end + 1)) : undefined);
    if (!node) return "several";
    const names = new Set<string>();
    const goal = goalOf(node, text, hole, names);
    if (!("kind" in goal)) return "anything";
    return { source: pattern, goal, words: [...new Set(textsOf(goal))], names };
  });
}

/** The innermost node that is all of the pattern: one that only holds another means nothing by itself. */
function covering(root: SyntaxNode, from: number, to: number): SyntaxNode | undefined {
  let node = root;
  while (node.from.index < from || node.to.index > to) {
    const below = node.children.find((child) => child.from.index <= from && child.to.index >= to);
    if (!below) return undefined;
    node = below;
  }
  if (node.from.index !== from || node.to.index !== to) return undefined;
  for (let only = single(node); only; only = single(node)) node = only;
  return node.children.length > 1 && isRoot(node, root) ? undefined : node;
}

function unended(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (!node || node.children.length < 2 || node.children.at(-1)?.kind !== ";") return undefined;
  const { kind, named, from, to, broken, children } = node;
  return { kind, named, from, to, broken, children: children.slice(0, -1) };
}

function single(node: SyntaxNode): SyntaxNode | undefined {
  const [first, ...others] = node.children;
  return first?.named && others.every((other) => other.from.index === other.to.index) ? first : undefined;
}

const isRoot = (node: SyntaxNode, root: SyntaxNode) =>
  node.kind === root.kind && node.from.index === root.from.index && node.to.index === root.to.index;

function goalOf(node: SyntaxNode, text: string, hole: string, names: Set<string>): Goal {
  const source = text.slice(node.from.index, node.to.index);
  const variable = variableOf(source, hole);
  if (variable) {
    if (variable.name !== undefined) names.add(variable.name);
    return variable;
  }
  if (node.children.length === 0) return { is: "word", kind: node.kind, named: node.named, text: source };
  return { is: "tree", kind: node.kind, children: node.children.map((child) => goalOf(child, text, hole, names)) };
}

/** True for a sign between the members of a list, which may be missing; any other has to be there. */
export const isSeparator = (goal: Goal | undefined): boolean =>
  goal?.is === "word" && !goal.named && /^[,;]$/.test(goal.text);

/** The words that have to be there: separators are not, where a list is short. */
const textsOf = (goal: Goal): string[] =>
  goal.is === "tree" ? goal.children.flatMap(textsOf) : goal.is === "word" && !isSeparator(goal) ? [goal.text] : [];

function variableOf(word: string, hole: string): (Goal & { is: "one" | "many" }) | undefined {
  const bare = word.startsWith(`"${quote}`) ? word.slice(2, -1) : word;
  if (!bare.startsWith(hole)) return undefined;
  const is = bare.startsWith(hole.repeat(3)) ? "many" : "one";
  const name = bare.slice(is === "many" ? 3 * hole.length : hole.length);
  if (!/^(?:[A-Z_][A-Z0-9_]*)?$/.test(name) || (is === "one" && name === "")) return undefined;
  // A name that begins with an underscore matches and is not remembered.
  return { is, name: name === "" || name.startsWith("_") ? undefined : name };
}
