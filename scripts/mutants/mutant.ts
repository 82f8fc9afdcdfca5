// Changes one place of a source file in a way that a test should notice.
import type { SgNode } from "@ast-grep/napi";
import { parseSource } from "../gate/syntax.ts";

export interface Mutant {
  path: string;
  /** Kind of change, such as `call left out`. */
  kind: string;
  line: number;
  /** Text that stands there, and what stands there instead. */
  from: string;
  to: string;
  /** The whole file with the change. */
  text: string;
  /** Begin and end of the code that runs when the change counts. */
  start: number;
  end: number;
  /** Kind of code at the place: decides how reach.ts marks it. */
  place: "statement" | "expression" | "block";
  /** Names the change also after other lines of the file have changed: for reasons that excuse it. */
  id: string;
}

interface Change {
  kind: string;
  node: SgNode;
  to: string;
  /** The change ends with this node instead. */
  end?: SgNode;
  /** Expression that is evaluated where the change counts; without it, the node itself. */
  whole?: SgNode;
}
type Rule = (node: SgNode) => Change[];

const opposite: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
};
const bounds = new Set(["<", "<=", ">", ">="]);

/** The changes by the kind of the node that they begin at. */
const rules: Readonly<Record<string, Rule>> = {
  if_statement: turned,
  while_statement: turned,
  ternary_expression: turned,
  binary_expression(node) {
    const sign = node.field("operator");
    const [left, right] = [node.field("left")?.text(), node.field("right")?.text()];
    // Beside another `??` it could not stand without brackets.
    if (sign?.text() === "??") return [{ kind: "operator changed", node, to: `((${left}) && (${right}))` }];
    const to = opposite[sign?.text() ?? ""];
    if (!sign || to === undefined || isText(node)) return [];
    if (bounds.has(sign.text()) && isOrder(node)) return [];
    return [{ kind: bounds.has(sign.text()) ? "bound moved" : "operator changed", node: sign, whole: node, to }];
  },
  expression_statement(node) {
    const call = callOf(node);
    if (!call || tidy.test(call[0])) return swapped(node);
    return [{ kind: "call left out", node, to: ";" }, ...swapped(node)];
  },
  catch_clause(node) {
    const body = node.field("body");
    return body && body.text().replace(/\s/g, "") !== "{}" ? [{ kind: "catch made silent", node: body, to: "{}" }] : [];
  },
  number: (node) => (node.text().endsWith("n") || node.parent()?.field("key")?.id() === node.id() ? [] : [other(node)]),
  true: (node) => [{ kind: "constant changed", node, to: "false" }],
  false: (node) => [{ kind: "constant changed", node, to: "true" }],
  return_statement(node) {
    const value = node.children().find((child) => child.isNamed());
    return value && !isLiteral(value) ? [{ kind: "answer left out", node, to: "return undefined as never;" }] : [];
  },
};

function turned(node: SgNode): Change[] {
  const condition = node.field("condition");
  if (!condition) return [];
  const text = condition.text();
  return [{ kind: "condition turned", node: condition, to: text.startsWith("(") ? `(!${text})` : `!(${text})` }];
}

/** An order of two awaits: one that the other follows directly. */
function swapped(node: SgNode): Change[] {
  const next = node.next();
  if (!next || !isAwait(node) || next.kind() !== "expression_statement" || !isAwait(next)) return [];
  return [{ kind: "awaits swapped", node, end: next, to: `${next.text()} ${node.text()}` }];
}

/** Adds one to what is counted by hand; a larger number, such as a limit, is doubled. */
function other(node: SgNode): Change {
  const value = Number(node.text().replaceAll("_", ""));
  return { kind: "constant changed", node, to: String(value < 16 ? value + 1 : value * 2) };
}

const callOf = (statement: SgNode) => statement.text().match(/^(?:await |void )?[\w.#?[\]"]+\(/);
const isAwait = (statement: SgNode) => statement.text().startsWith("await ");
/** Calls that only end early what would end by itself. */
const tidy = /^(?:await |void )?(?:clearTimeout|clearInterval|[\w.?]+\.unref\??\.?)\($/;
/** Two that are alike may come in either order. */
const isOrder = (node: SgNode) =>
  /sort\w*\($/i.test(
    node
      .ancestors()
      .find((it) => it.kind() === "arguments")
      ?.prev()
      ?.text()
      .concat("(") ?? "",
  );
const isLiteral = (node: SgNode) => ["undefined", "null", "number", "true", "false"].includes(String(node.kind()));
/** Joined texts: another operator would not compile, or only change words. */
const isText = (node: SgNode) => /^[+]$/.test(node.field("operator")?.text() ?? "") && /["'`]/.test(node.text());
/** Words of calls on which promises hang; their mutants come first. */
const grave = /fsync|flush|mask|mark|deny|refus|lock|sync|append|announce|record|verify|reject/i;

/** True for a change that leaves out a call on which a promise hangs. */
export const isGrave = ({ kind, from }: Pick<Mutant, "kind" | "from">): boolean =>
  kind === "call left out" && grave.test(from);

/** All changes of a file, those that weigh most first, each of the rest in an order that the seed decides. */
export function mutantsOf(path: string, source: string, random: () => number): Mutant[] {
  const tree = parseSource(source);
  const nodes = tree.findAll({ rule: { any: Object.keys(rules).map((kind) => ({ kind })) } });
  const changes = nodes.filter((node) => !isType(node)).flatMap((node) => rules[String(node.kind())]?.(node) ?? []);
  const seen = new Map<string, number>();
  const mutants = changes.map((change) => {
    const made = mutantOf(path, source, change);
    const place = `${made.kind}\0${source.split("\n")[made.line - 1]?.trim()}\0${made.from}`;
    const nth = (seen.get(place) ?? 0) + 1;
    seen.set(place, nth);
    return { ...made, id: new Bun.CryptoHasher("sha256").update(`${place}\0${nth}`).digest("hex").slice(0, 10) };
  });
  const weighed = mutants.map((mutant) => ({ mutant, weight: grave.test(mutant.from) ? random() : 1 + random() }));
  return weighed.sort((a, b) => a.weight - b.weight).map(({ mutant }) => mutant);
}

function mutantOf(path: string, source: string, { node, to, kind, end = node, whole = node }: Change) {
  const { start } = node.range();
  const stop = end.range().end.index;
  const reached =
    whole === node
      ? { start: start.index, end: stop }
      : { start: whole.range().start.index, end: whole.range().end.index };
  return {
    path,
    kind,
    line: start.line + 1,
    from: source.slice(start.index, stop),
    to,
    text: `${source.slice(0, start.index)}${to}${source.slice(stop)}`,
    ...reached,
    place: placeOf(node),
  };
}

const placeOf = (node: SgNode): Mutant["place"] => {
  const kind = String(node.kind());
  if (kind === "statement_block") return "block";
  return kind.endsWith("_statement") ? "statement" : "expression";
};

/** Types change nothing at run time. */
const isType = (node: SgNode) =>
  node.ancestors().some((it) => /^(?:type_|interface_|literal_type)/.test(String(it.kind())));

/** Random numbers between 0 and 1 that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
