// Reads declarations and functions of a source file from its syntax tree; TypeScript 7 has no API for that.
import { Lang, parse, type SgNode } from "@ast-grep/napi";

export type SourceTree = SgNode;
export const parseSource = (source: string): SourceTree => parse(Lang.TypeScript, source).root();

export interface Declaration {
  kind: "type" | "function";
  name: string;
}

/** Types and functions that a file declares and exports; names it only passes on are left out. */
export function exportedDeclarations(tree: SourceTree): Declaration[] {
  const statements = tree.children();
  const exports = statements.filter((it) => it.kind() === "export_statement" && !it.field("source"));
  const direct = exports.flatMap((it) => it.children().flatMap(declarationsOf));
  const named = new Set(exports.flatMap((it) => it.children().flatMap(clauseNames)));
  return [...direct, ...statements.flatMap(declarationsOf).filter(({ name }) => named.has(name))];
}

function declarationsOf(node: SgNode): Declaration[] {
  const kind = String(node.kind());
  if (kind === "ambient_declaration") return node.children().flatMap(declarationsOf);
  if (kind === "lexical_declaration") return node.children().flatMap(functionVariable);
  const found = typeKinds.has(kind) ? "type" : declaredFunctions.has(kind) ? "function" : undefined;
  const name = node.field("name")?.text();
  return found && name ? [{ kind: found, name }] : [];
}

const typeKinds = new Set([
  "interface_declaration",
  "type_alias_declaration",
  "class_declaration",
  "abstract_class_declaration",
  "enum_declaration",
]);
const declaredFunctions = new Set(["function_declaration", "generator_function_declaration", "function_signature"]);
const functionKinds = [
  "arrow_function",
  "function_expression",
  "generator_function",
  "method_definition",
  "function_declaration",
  "generator_function_declaration",
];

function functionVariable(node: SgNode): Declaration[] {
  const value = node.kind() === "variable_declarator" ? node.field("value")?.kind() : undefined;
  return functionKinds.includes(String(value)) ? [{ kind: "function", name: node.field("name")?.text() ?? "" }] : [];
}

function clauseNames(node: SgNode): string[] {
  if (node.kind() !== "export_clause") return [];
  return node.children().flatMap((it) => it.field("name")?.text() ?? []);
}

export interface FunctionShape {
  /** Own name, or that of the function around it with `()` for each level: `open()` is a callback in `open`. */
  name: string;
  line: number;
  lines: number;
  parameters: number;
}

/** Functions of a file, in whatever form they are written, that are larger than `limits` in some way. */
export function largeFunctions(tree: SourceTree, limits: { lines: number; parameters: number }): FunctionShape[] {
  const nodes = tree.findAll({ rule: { any: functionKinds.map((kind) => ({ kind })) } });
  return nodes.flatMap((node) => {
    const { start, end } = node.range();
    const shape = { line: start.line + 1, lines: end.line - start.line + 1, parameters: countParameters(node) };
    const isLarge = shape.lines > limits.lines || shape.parameters > limits.parameters;
    return isLarge ? [{ name: nameOf(node), ...shape }] : [];
  });
}

function countParameters(node: SgNode): number {
  const list = node.field("parameters");
  return list ? list.children().filter((it) => String(it.kind()).endsWith("_parameter")).length : 1;
}

function nameOf(node: SgNode): string {
  const parent = node.parent();
  const named = node.field("name") ? node : namingKinds.has(String(parent?.kind())) ? parent : undefined;
  const own = named?.field("name") ?? named?.field("key") ?? named?.field("left");
  const owner = parent?.kind() === "class_body" ? parent.parent()?.field("name") : undefined;
  if (own) return owner ? `${owner.text()}.${own.text()}` : own.text();
  const outer = node.ancestors().find((it) => functionKinds.includes(String(it.kind())));
  return `${outer ? nameOf(outer) : ""}()`;
}

const namingKinds = new Set(["variable_declarator", "pair", "public_field_definition", "assignment_expression"]);

/** Interfaces of a file with the number of members each declares there; those inside a `declare module` as well. */
export function interfaceMembers(tree: SourceTree): { name: string; members: number }[] {
  const nodes = tree.findAll({ rule: { kind: "interface_declaration" } });
  return nodes.map((node) => ({
    name: node.field("name")?.text() ?? "",
    members: (node.field("body")?.children() ?? []).filter((it) => /_signature$/.test(String(it.kind()))).length,
  }));
}

/** Number of spreads that depend on a condition: `...(a ? { a } : {})` and `...(a && { a })`. */
export function conditionalSpreads(tree: SourceTree): number {
  const conditions = [{ kind: "ternary_expression" }, { pattern: "$A && $B" }];
  return tree.findAll({
    rule: { kind: "spread_element", has: { kind: "parenthesized_expression", has: { any: conditions } } },
  }).length;
}
