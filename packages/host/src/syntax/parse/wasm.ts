import { readFileSync } from "node:fs";
import type { Language, Node, Tree, TreeCursor } from "web-tree-sitter";
import runtime from "web-tree-sitter/web-tree-sitter.wasm" with { type: "file" };
import { type LanguageName, languages } from "../language.ts";
import { isCalm, worked } from "./calm.ts";
import { grammarBytes } from "./grammar.ts";
import type { Parse, Place, Span, SyntaxIssue, SyntaxNode, SyntaxTree } from "./tree.ts";

/** Loads a grammar; the function it gives back parses at once, and gives up on what takes too long. */
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
    if (tree) return new WasmTree(text, tree, language, folds);
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

/** By kind id: foldable below any parent (`-1`) or below these. */
type Folds = Map<number, Map<number, Span["fold"]>>;

class WasmTree implements SyntaxTree {
  readonly #text: string;
  readonly #tree: Tree;
  readonly #language: Language;
  readonly #folds: Folds;

  constructor(text: string, tree: Tree, language: Language, folds: Folds) {
    this.#text = text;
    this.#tree = tree;
    this.#language = language;
    this.#folds = folds;
  }

  get root(): SyntaxNode {
    return new WasmNode(this.#tree.rootNode);
  }

  spans(leaf: number): Span[] {
    const spans: Span[] = [];
    const parents: number[] = [];
    walk(this.#tree, (cursor, depth) => {
      // What stands on one line holds nothing to fold; every question crosses into the parser, and most nodes are such.
      const end = this.#text.indexOf("\n", cursor.startIndex);
      if (end === -1 || end >= cursor.endIndex) return "pass";
      const id = cursor.nodeTypeId;
      parents[depth] = id;
      const below = this.#folds.get(id);
      const fold = below?.get(parents[depth - 1] ?? -1) ?? below?.get(-1);
      if (!fold) return "enter";
      const span = {
        fold,
        from: place(cursor.startIndex, cursor.startPosition),
        to: place(cursor.endIndex, cursor.endPosition),
      };
      const lines = span.to.line - span.from.line;
      if (lines > 1) spans.push(span);
      return lines < leaf ? "pass" : "enter";
    });
    return spans;
  }

  errors(): SyntaxIssue[] {
    const issues: SyntaxIssue[] = [];
    if (!this.#tree.rootNode.hasError) return issues;
    walk(this.#tree, (cursor) => {
      const node = cursor.currentNode;
      if (!node.hasError && !node.isMissing) return "pass";
      if (!node.isError && !node.isMissing) return "enter";
      const issue = { from: place(node.startIndex, node.startPosition), to: place(node.endIndex, node.endPosition) };
      issues.push(node.isMissing ? { ...issue, missing: node.type } : issue);
      return "pass";
    });
    return issues;
  }

  ofKind(kind: string): SyntaxNode[] {
    const ids = new Set(idsOf(this.#language, kind));
    const nodes: SyntaxNode[] = [];
    walk(this.#tree, (cursor) => {
      if (ids.has(cursor.nodeTypeId)) nodes.push(new WasmNode(cursor.currentNode));
      return "enter";
    });
    return nodes;
  }

  [Symbol.dispose](): void {
    this.#tree.delete();
  }
}

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
  get from(): Place {
    return place(this.#node.startIndex, this.#node.startPosition);
  }
  get to(): Place {
    return place(this.#node.endIndex, this.#node.endPosition);
  }
  get broken(): boolean {
    return this.#node.hasError || this.#node.isMissing;
  }
  get children(): readonly SyntaxNode[] {
    this.#children ??= this.#node.children.flatMap((child) => (child ? [new WasmNode(child)] : []));
    return this.#children;
  }
}

const place = (index: number, at: { row: number; column: number }): Place => ({
  index,
  line: at.row,
  column: at.column,
});

/** Every node before its children; a loop, so that no depth of nesting can exhaust the stack. */
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
  const add = (rule: string, fold: Span["fold"]) => {
    const [kind = "", parent] = rule.split(">").reverse();
    const parents = parent === undefined ? [-1] : idsOf(language, parent);
    const ids = idsOf(language, kind);
    if (ids.length === 0 || parents.length === 0) throw new Error(`the grammar has no ${rule}`);
    for (const id of ids) {
      const below = folds.get(id) ?? new Map<number, Span["fold"]>();
      for (const parent of parents) below.set(parent, fold);
      folds.set(id, below);
    }
  };
  for (const rule of row.data ?? []) add(rule, "data");
  for (const rule of row.bodies ?? []) add(rule, "body");
  return folds;
}

/** The ids of a named kind: an alias has its own. */
function idsOf(language: Language, kind: string): number[] {
  const ids: number[] = [];
  for (let id = 0; id < language.nodeTypeCount; id++)
    if (language.nodeTypeForId(id) === kind && language.nodeTypeIsNamed(id)) ids.push(id);
  return ids;
}
