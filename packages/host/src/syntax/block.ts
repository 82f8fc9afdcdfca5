import { type Language, withTree } from "./open.ts";
import type { SyntaxNode } from "./parse/tree.ts";
import type { LineRange } from "./summary.ts";

/**
 * The lines of the construct that begins on a line (1-based). Undefined when none begins there (a blank or closing
 * line, the inside of a text) or when it does not parse. A mark in front of a declaration (decorator, annotation)
 * belongs to the construct only when the line asked for is the mark's.
 */
export function blockAt(text: string, language: Language, line: number): LineRange | undefined {
  const start = firstLetter(text, line);
  if (start === undefined) return undefined;
  return withTree(text, language, ({ root }) => {
    const node = outermost(pathTo(root, start), start, /[{([]/.test(text.charAt(start)));
    if (!node || node.broken) return undefined;
    const { from, to } = node;
    return { from: line, to: to.column === 0 && to.line > from.line ? to.line : to.line + 1 };
  });
}

/** The declarations of several lines that begin on these lines, with all of theirs. */
export function declarationsAt(text: string, language: Language, lines: readonly number[]): LineRange[] {
  const found = withTree(text, language, ({ root }) =>
    lines.flatMap((line): LineRange[] => {
      const start = firstLetter(text, line);
      const node = start === undefined ? undefined : outermost(pathTo(root, start), start, false);
      if (!node || node.broken || !declaration.test(node.kind) || node.to.line === node.from.line) return [];
      return [{ from: line, to: node.to.column === 0 ? node.to.line : node.to.line + 1 }];
    }),
  );
  return found ?? [];
}

/** Kinds of things that have a name, as the grammars call them. */
const declaration =
  /^(?!import|include|using).*(?:declaration|definition|_item|_specifier)$|^(?:class|module|method|singleton_method|export_statement|impl)$/;

function firstLetter(text: string, line: number): number | undefined {
  let at = 0;
  for (let i = 1; i < line; i++) {
    at = text.indexOf("\n", at) + 1;
    if (at === 0) return undefined;
  }
  const end = text.indexOf("\n", at);
  const row = text.slice(at, end === -1 ? undefined : end);
  const indent = row.length - row.trimStart().length;
  return line < 1 || indent === row.length ? undefined : at + indent;
}

/** The nodes from the root down to the word at `index`. */
function pathTo(root: SyntaxNode, index: number): SyntaxNode[] {
  const path = [root];
  for (let node: SyntaxNode | undefined = root; node; ) {
    node = node.children.find((child) => child.from.index <= index && index < child.to.index);
    if (node) path.push(node);
  }
  return path;
}

function outermost(path: readonly SyntaxNode[], start: number, bracket: boolean): SyntaxNode | undefined {
  const begins = path.slice(1).find((node) => {
    if (!bracket && lists.has(node.kind)) return false;
    return node.from.index === start || (node.from.index < start && node.children.length > 0 && onlyMarks(node, start));
  });
  // A word that is no node of its own (a closing bracket, `else`, `end`) begins nothing.
  return begins && (begins.named || begins.children.length > 0) ? begins : undefined;
}

/** True where everything in front of `start` is decoration, some of it on earlier lines. */
function onlyMarks(node: SyntaxNode, start: number): boolean {
  return node.children.every(
    (child) =>
      child.from.index >= start ||
      (child.to.index <= start ? isMark(child) : child.children.length > 0 && onlyMarks(child, start)),
  );
}

const isMark = (node: SyntaxNode): boolean =>
  /decorator|annotation|attribute|comment/.test(node.kind) ||
  (node.kind === "modifiers" && node.children.every(isMark));

/** Kinds that only hold constructs, and begin where the first of them does. */
const lists = new Set([
  ...["block", "block_mapping", "block_node", "block_sequence", "body_statement", "chunk", "document", "else"],
  ...["indented_block", "modifiers", "section", "source", "statement_list", "statements", "stream", "template_body"],
  "then",
]);
