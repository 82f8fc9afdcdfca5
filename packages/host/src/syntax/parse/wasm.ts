import { readFileSync } from "node:fs";
import type { Language, Node, Tree, TreeCursor } from "web-tree-sitter";
import runtime from "web-tree-sitter/web-tree-sitter.wasm" with { type: "file" };
import { type LanguageName, languages } from "../language.ts";
import { isCalm, worked } from "./calm.ts";
import { grammarBytes } from "./grammar.ts";
import type { FoldSpan, Parse, Position, SyntaxIssue, SyntaxNode, SyntaxTree } from "./tree.ts";

/** Loads a grammar; the function it gives back parses at once, and gives up on a text that takes too long. */
export async function openWasm(name: LanguageName, number = 0): Promise<Parse> {
  const engine = await engines[number]?.();
  if (!engine) return () => undefined;
  const { Language, Parser } = engine;
  await Parser.init({ wasmBinary: readFileSync(runtime), printErr: () => {} });
  const language = await Language.load(grammarBytes(name));
  const parser = new Parser().setLanguage(language);
  const folds = foldTable(language, languages[name]);
  return (text) => {
    if (!isCalm(text)) return undefined;
    const tree = parser.parse(text, null, { progressCallback: worked(baseMs + text.length * msPerCharacter) });
    if (tree) return treeOf(text, tree, language, folds);
    parser.reset();
    return undefined;
  };
}

// The library holds one machine per copy of itself, and it comes in two forms: that is how often one can be brought
// down.
const engines = [
  () => import("web-tree-sitter"),
  async () => require("web-tree-sitter") as typeof import("web-tree-sitter"),
];

// Several times what any code takes on a slow machine.
const baseMs = 500;
const msPerCharacter = 0.005;

/** Kinds that can be folded, by their id: below any parent (`-1`) or below these. */
type Folds = Map<number, Map<number, FoldSpan["fold"]>>;

const treeOf = (text: string, tree: Tree, language: Language, folds: Folds): SyntaxTree => ({
  get root() {
    return new WasmNode(tree.rootNode);
  },
  spans(leaf) {
    const spans: FoldSpan[] = [];
    const parents: number[] = [];
    walk(tree, (cursor, depth) => {
      // A node on one line holds nothing to fold; every question crosses into the parser, and most nodes are such.
      const end = text.indexOf("\n", cursor.startIndex);
      if (end === -1 || end >= cursor.endIndex) return "pass";
      const id = cursor.nodeTypeId;
      parents[depth] = id;
      const below = folds.get(id);
      const fold = below?.get(parents[depth - 1] ?? -1) ?? below?.get(-1);
      if (!fold) return "enter";
      const span = { fold, ...rangeOf(cursor) };
      const lines = span.to.line - span.from.line;
      if (lines > 1) spans.push(span);
      return lines < leaf ? "pass" : "enter";
    });
    return spans;
  },
  errors() {
    const issues: SyntaxIssue[] = [];
    if (!tree.rootNode.hasError) return issues;
    walk(tree, (cursor) => {
      const node = cursor.currentNode;
      if (!node.hasError && !node.isMissing) return "pass";
      if (!node.isError && !node.isMissing) return "enter";
      issues.push({ ...rangeOf(node), missing: node.isMissing ? node.type : undefined });
      return "pass";
    });
    return issues;
  },
  ofKind(kind) {
    const ids = new Set(idsOf(language, kind));
    const nodes: SyntaxNode[] = [];
    walk(tree, (cursor) => {
      if (ids.has(cursor.nodeTypeId)) nodes.push(new WasmNode(cursor.currentNode));
      return "enter";
    });
    return nodes;
  },
  [Symbol.dispose]: () => tree.delete(),
});

class WasmNode implements SyntaxNode {
  readonly #node: Node;
  #children: SyntaxNode[] | undefined;

  constructor(node: Node) {
    this.#node = node;
  }

  get kind(): string {
    return this.#node.type;
  }
  get named(): boolean {
    return this.#node.isNamed;
  }
  get from(): Position {
    return positionOf(this.#node.startIndex, this.#node.startPosition);
  }
  get to(): Position {
    return positionOf(this.#node.endIndex, this.#node.endPosition);
  }
  get broken(): boolean {
    return this.#node.hasError || this.#node.isMissing;
  }
  get children(): readonly SyntaxNode[] {
    this.#children ??= this.#node.children.flatMap((child) => (child ? [new WasmNode(child)] : []));
    return this.#children;
  }
}

const positionOf = (index: number, { row, column }: { row: number; column: number }): Position => ({
  index,
  line: row,
  column,
});

const rangeOf = (at: Pick<Node, "startIndex" | "startPosition" | "endIndex" | "endPosition">) => ({
  from: positionOf(at.startIndex, at.startPosition),
  to: positionOf(at.endIndex, at.endPosition),
});

/** Visits every node before its children, in a loop, so that no depth of nesting can exhaust the stack. */
function walk(tree: Tree, visit: (cursor: TreeCursor, depth: number) => "enter" | "pass"): void {
  const cursor = tree.walk();
  let depth = 0;
  try {
    for (;;) {
      if (visit(cursor, depth) === "enter" && cursor.gotoFirstChild()) {
        depth++;
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return;
        depth--;
      }
    }
  } finally {
    cursor.delete();
  }
}

function foldTable(language: Language, row: { bodies?: readonly string[]; data?: readonly string[] }): Folds {
  const folds: Folds = new Map();
  const add = (rule: string, fold: FoldSpan["fold"]) => {
    const [kind = "", parent] = rule.split(">").reverse();
    const parents = parent === undefined ? [-1] : idsOf(language, parent);
    const ids = idsOf(language, kind);
    if (ids.length === 0 || parents.length === 0) throw new Error(`the grammar has no ${rule}`);
    for (const id of ids) {
      const below = folds.get(id) ?? new Map<number, FoldSpan["fold"]>();
      for (const parent of parents) below.set(parent, fold);
      folds.set(id, below);
    }
  };
  for (const rule of row.data ?? []) add(rule, "data");
  for (const rule of row.bodies ?? []) add(rule, "body");
  return folds;
}

/** The ids of a named kind: an alias has its own. */
const idsOf = (language: Language, kind: string): number[] =>
  Array.from({ length: language.nodeTypeCount }, (_, id) => id).filter(
    (id) => language.nodeTypeForId(id) === kind && language.nodeTypeIsNamed(id),
  );
