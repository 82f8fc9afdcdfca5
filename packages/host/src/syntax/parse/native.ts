import { Lang, parse, type SgNode } from "@ast-grep/napi";
import { type LanguageName, languages } from "../language.ts";
import type { Place, Span, SyntaxIssue, SyntaxNode, SyntaxTree } from "./tree.ts";

const langs: Partial<Record<LanguageName, Lang>> = { typescript: Lang.TypeScript, tsx: Lang.Tsx, javascript: Lang.JavaScript, html: Lang.Html, css: Lang.Css };

export function openNative(name: LanguageName): (text: string) => SyntaxTree {
  const lang = langs[name];
  if (lang === undefined) throw new Error(`no native parser for ${name}`);
  const { bodies = [], data = [] } = languages[name];
  // One rule, one walk. Most literals stand on one line; those never leave the parser.
  const rule: Rule = { any: [...anyOf(bodies), { all: [{ any: anyOf(data) }, { regex: "\\n" }] }] };
  const folds = { rule, data: new Set(data) };
  return (text) => new NativeTree(parse(lang, text).root(), folds);
}

type Rule = Record<string, unknown>;
interface Folds {
  rule: Rule;
  data: ReadonlySet<string>;
}

class NativeTree implements SyntaxTree {
  readonly #root: SgNode;
  readonly #folds: Folds;

  constructor(root: SgNode, folds: Folds) {
    this.#root = root;
    this.#folds = folds;
  }

  get root(): SyntaxNode {
    return new NativeNode(this.#root);
  }

  // The tree is walked inside the parser: everything is found, and only what has lines to fold comes out.
  spans(): Span[] {
    const spans: Span[] = [];
    for (const node of this.#root.findAll({ rule: this.#folds.rule })) {
      const { start, end } = node.range();
      if (end.line - start.line > 1) spans.push({ fold: this.#folds.data.has(String(node.kind())) ? "data" : "body", from: start, to: end });
    }
    return spans;
  }

  errors(): SyntaxIssue[] {
    const wrong = this.#root.findAll({ rule: { kind: "ERROR" } }).map((node): SyntaxIssue => ({ from: node.range().start, to: node.range().end }));
    const empty = this.#root.findAll({ rule: { regex: "^$" } }).flatMap((node): SyntaxIssue[] => {
      const { start, end } = node.range();
      return isMissing(node) ? [{ from: start, to: end, missing: String(node.kind()) }] : [];
    });
    const outer = wrong.filter((one, i) => !wrong.slice(0, i).some((other) => other.to.index >= one.to.index));
    return [...outer, ...empty.filter((one) => !outer.some((other) => other.from.index <= one.from.index && one.from.index < other.to.index))].sort(
      (a, b) => a.from.index - b.from.index,
    );
  }

  ofKind(kind: string): SyntaxNode[] {
    return this.#root.findAll({ rule: { kind } }).map((node) => new NativeNode(node));
  }

  // The collector frees it.
  [Symbol.dispose](): void {}
}

/** Every question crosses into the parser, so each is asked once and only when needed. */
class NativeNode implements SyntaxNode {
  readonly #node: SgNode;
  #kind: string | undefined;
  #range: { start: Place; end: Place } | undefined;
  #children: SyntaxNode[] | undefined;

  constructor(node: SgNode) {
    this.#node = node;
  }

  get kind(): string {
    this.#kind ??= String(this.#node.kind());
    return this.#kind;
  }
  get named(): boolean {
    return this.#node.isNamed();
  }
  get from(): Place {
    this.#range ??= this.#node.range();
    return this.#range.start;
  }
  get to(): Place {
    this.#range ??= this.#node.range();
    return this.#range.end;
  }
  get broken(): boolean {
    return (
      this.kind === "ERROR" ||
      isMissing(this.#node) ||
      this.#node.has({ rule: { kind: "ERROR" } }) ||
      this.#node.findAll({ rule: { regex: "^$" } }).some(isMissing)
    );
  }
  get children(): readonly SyntaxNode[] {
    this.#children ??= this.#node.children().map((child) => new NativeNode(child));
    return this.#children;
  }
}

// The parser does not say what it made up; but a word of the language that takes no room was not in the text.
const isMissing = (node: SgNode): boolean =>
  node.isLeaf() && node.range().start.index === node.range().end.index && (!node.isNamed() || String(node.kind()).endsWith("identifier"));

/** Parents are asked for together: one look upwards per node, not one per rule. */
function anyOf(rules: readonly string[]): Rule[] {
  const parents = new Map<string, string[]>();
  for (const rule of rules) {
    const [kind = "", parent] = rule.split(">").reverse();
    parents.set(kind, [...(parents.get(kind) ?? []), ...(parent === undefined ? [] : [parent])]);
  }
  return [...parents].map(([kind, list]) => (list.length === 0 ? { kind } : { kind, inside: { any: list.map((one) => ({ kind: one })) } }));
}
