import { Lang, parse, parseAsync, type SgNode, type SgRoot } from "@ast-grep/napi";
import { collect } from "../../platform.ts";
import { type LanguageName, languages } from "../language.ts";
import { isCalm } from "./calm.ts";
import type { FoldSpan, Parse, ParseAside, Position, SyntaxIssue, SyntaxNode, SyntaxTree } from "./tree.ts";

const langs: Partial<Record<LanguageName, Lang>> = {
  typescript: Lang.TypeScript,
  tsx: Lang.Tsx,
  javascript: Lang.JavaScript,
};

export function openNative(name: LanguageName): { parse: Parse; aside: ParseAside } {
  const lang = langs[name];
  if (lang === undefined) throw new Error(`no native parser for ${name}`);
  const { bodies = [], data = [] } = languages[name];
  // One rule, one walk. Most of what could be folded stands on one line; that never leaves the parser.
  const rule: Rule = { all: [{ any: [...anyOf(bodies), ...anyOf(data)] }, { regex: "\\n" }] };
  const folds = { rule, data: new Set(data) };
  let forgotten = 0;
  const isFit = (text: string) => isCalm(text) && isCode(lang, text);
  const tree = (text: string, parsed: SgRoot) =>
    treeOf(parsed.root(), folds, () => {
      forgotten += text.length;
      if (forgotten < collectFrom) return;
      forgotten = 0;
      setImmediate(collect);
    });
  return {
    parse: (text) => (isFit(text) ? tree(text, parse(lang, text)) : undefined),
    aside: async (text) => (isFit(text) ? tree(text, await parseAsync(lang, text)) : undefined),
  };
}

// The collector does not see how large a tree is (fifty times its text), so it would let hundreds of megabytes pile up.
const collectFrom = 512 * 1024;

const wholeUpTo = 16 * 1024;
const sampleEvery = 64 * 1024;
/** A text that takes so little at its beginning is code; of any other, more is tried. */
const glance = { length: 512, ms: 0.4 };
const sample = { length: 3 * 1024, ms: 5 };

/**
 * Tries a long text in samples: code parses at once, or fails in few places. The parser cannot be stopped, and a text
 * that is no code (a translation file that is called .ts) takes it a time that grows with the square of its length.
 */
function isCode(lang: Lang, text: string): boolean {
  if (text.length <= wholeUpTo) return true;
  for (let at = 0; at < text.length; at += sampleEvery) {
    const from = at === 0 ? 0 : text.indexOf("\n", at) + 1;
    const tried = slow(lang, text, from, glance) && slow(lang, text, from, sample);
    const wrong = tried?.root().findAll({ rule: { kind: "ERROR" } }).length ?? 0;
    // Once more: a machine that was busy with something else is not the text's fault.
    if (wrong > 20 && slow(lang, text, from, sample)) return false;
  }
  return true;
}

function slow(lang: Lang, text: string, from: number, { length, ms }: typeof sample): SgRoot | undefined {
  const began = performance.now();
  const parsed = parse(lang, text.slice(from, from + length));
  return performance.now() - began > ms ? parsed : undefined;
}

type Rule = Record<string, unknown>;
interface Folds {
  rule: Rule;
  data: ReadonlySet<string>;
}

/** Wrong and made-up nodes, found by one walk. */
const wrongOrEmpty: Rule = { any: [{ kind: "ERROR" }, { regex: "^$" }] };

const treeOf = (root: SgNode, folds: Folds, forget: () => void): SyntaxTree => ({
  root: new NativeNode(root),
  // The tree is walked inside the parser: everything is found, and only spans that have lines to fold come out.
  spans: () =>
    root.findAll({ rule: folds.rule }).flatMap((node): FoldSpan[] => {
      const { start: from, end: to } = node.range();
      return to.line - from.line > 1 ? [{ fold: folds.data.has(String(node.kind())) ? "data" : "body", from, to }] : [];
    }),
  errors() {
    const issues = root.findAll({ rule: wrongOrEmpty }).flatMap((node): SyntaxIssue[] => {
      const [{ start: from, end: to }, kind] = [node.range(), String(node.kind())];
      if (kind === "ERROR") return [{ from, to }];
      return isMissing(node) ? [{ from, to, missing: kind }] : [];
    });
    let end = -1;
    return issues
      .sort((a, b) => a.from.index - b.from.index || b.to.index - a.to.index)
      .filter(({ from, to }) => {
        // An error inside of another is told with it.
        if (from.index < end) return false;
        end = Math.max(end, to.index);
        return true;
      });
  },
  ofKind: (kind) => root.findAll({ rule: { kind } }).map((node) => new NativeNode(node)),
  [Symbol.dispose]: forget,
});

/** Every question crosses into the parser, so each is asked once and only when needed. */
class NativeNode implements SyntaxNode {
  readonly #node: SgNode;
  #kind: string | undefined;
  #range: { start: Position; end: Position } | undefined;
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
  get from(): Position {
    this.#range ??= this.#node.range();
    return this.#range.start;
  }
  get to(): Position {
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

// The parser does not name the words it made up; but a word of the language that takes no room was not in the text.
const isMissing = (node: SgNode): boolean =>
  node.isLeaf() &&
  node.range().start.index === node.range().end.index &&
  (!node.isNamed() || String(node.kind()).endsWith("identifier"));

/** Parents are asked for together: one look upwards per node, not one per rule. */
function anyOf(rules: readonly string[]): Rule[] {
  const parents = new Map<string, string[]>();
  for (const rule of rules) {
    const [kind = "", parent] = rule.split(">").reverse();
    parents.set(kind, [...(parents.get(kind) ?? []), ...(parent === undefined ? [] : [parent])]);
  }
  return [...parents].map(([kind, list]) =>
    list.length === 0 ? { kind } : { kind, inside: { any: list.map((parent) => ({ kind: parent })) } },
  );
}
