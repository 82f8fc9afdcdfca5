// Finds tests that cannot fail, or fail by chance: without an assertion that is reached, with one on a constant, with
// errors that nobody sees, or with a wait for a time where a state could be waited for.
import type { SgNode } from "@ast-grep/napi";
import { finish } from "./ratchet.ts";
import { parseSource } from "./syntax.ts";
import { type SourceFile, sourceFiles } from "./tree.ts";

/** Names of functions that fail a test by themselves. */
const asserting = ["expect", "until"];

/** Faults of the tests of a file, a sentence each; `helpers` are functions of other files that assert. */
export function judgeTests({ path, text }: SourceFile, helpers: ReadonlySet<string> = new Set()): string[] {
  const tree = parseSource(text);
  const names = assertingIn(tree, new Set([...asserting, ...helpers]));
  const at = (node: SgNode, what: string) => `${path}:${node.range().start.line + 1}  ${what}`;
  const lines = text.split("\n");
  const isExplained = (node: SgNode) => {
    const line = node.range().start.line;
    return [lines[line], lines[line - 1]].some((one) => one?.includes("//"));
  };
  const calls = tree.findAll({ rule: { kind: "call_expression" } });
  return [
    ...calls.flatMap((call) => {
      const body = bodyOf(call);
      const asserts = body?.findAll({ rule: { kind: "call_expression" } }).filter((one) => names.has(calledBy(one)));
      if (!body || !asserts) return [];
      if (asserts.length === 0) return [at(call, "a test without an assertion")];
      const isSure = asserts.some((one) => !isConditional(one, body));
      return isSure ? [] : [at(call, "a test whose assertions all stand behind a condition")];
    }),
    ...calls.filter(isOnConstant).map((call) => at(call, "an assertion on a constant")),
    ...calls
      .filter((call) => isFixedWait(call) && !isExplained(call))
      .map((call) => at(call, "a wait for a time: wait for a state, or say in a comment why there is none")),
    ...[
      ...tree.findAll({ rule: { pattern: "$A.catch(() => {})" } }),
      ...tree
        .findAll({ rule: { kind: "catch_clause" } })
        .filter((it) => /^\{\s*\}$/.test(it.field("body")?.text() ?? "")),
    ]
      .filter((node) => !isExplained(node))
      .map((node) => at(node, "an error that nobody sees: say in a comment why it does not matter")),
  ];
}

/** Functions that assert, among those that files for tests give to others. */
export function assertingHelpers(sources: readonly SourceFile[]): Set<string> {
  let known = new Set<string>(asserting);
  const trees = sources.map(({ text }) => parseSource(text));
  // Helpers call one another.
  for (let round = 0; round < 3; round++) known = new Set(trees.flatMap((tree) => [...assertingIn(tree, known)]));
  return known;
}

/** The names that assert in a file: those that are known, and the functions and members that call them. */
function assertingIn(tree: SgNode, known: ReadonlySet<string>): Set<string> {
  const names = new Set(known);
  const kinds = ["function_declaration", "variable_declarator", "pair", "method_definition"];
  const declared = tree.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    const words = new RegExp(`\\b(?:${[...names].map((name) => name.replace(/\W/g, "\\$&")).join("|")})\\s*[(<]`);
    for (const node of declared) {
      const name = (node.field("name") ?? node.field("key"))?.text();
      const value = (node.field("value") ?? node.field("body") ?? node) as SgNode;
      if (name && isFunction(node, value) && words.test(value.text())) names.add(name);
    }
  }
  return names;
}

const isFunction = (node: SgNode, value: SgNode): boolean =>
  /function|method/.test(String(node.kind())) || /^(?:arrow_function|function_expression)$/.test(String(value.kind()));

/** The callback of a test. */
function bodyOf(call: SgNode): SgNode | undefined {
  if (!/^test(?:\.(?:each|skipIf|if|concurrent|serial)\b[\s\S]*\))?$/.test(call.field("function")?.text() ?? ""))
    return undefined;
  const [title, ...rest] = (call.field("arguments")?.children() ?? []).filter(
    (it) => it.isNamed() && it.kind() !== "comment",
  );
  if (!title || rest.length === 0) return undefined;
  return rest.findLast((it) => /^(?:arrow_function|function_expression)$/.test(String(it.kind())));
}

/** The last word of what is called: `at.sees(…)` is `sees`. */
const calledBy = (call: SgNode): string => /(\w+)(?:<[^()]*>)?$/.exec(call.field("function")?.text() ?? "")?.[1] ?? "";

const branches = new Set(["if_statement", "ternary_expression", "switch_case", "catch_clause"]);

/** True where another path through the test leaves the assertion out. */
function isConditional(node: SgNode, body: SgNode): boolean {
  let below = node;
  for (const above of node.ancestors()) {
    if (above.id() === body.id()) return false;
    const isCondition = above.field("condition")?.id() === below.id();
    if (branches.has(String(above.kind())) && !isCondition && !assertsOtherwise(above, below)) return true;
    below = above;
  }
  return false;
}

/** True where both sides of a condition assert. */
const assertsOtherwise = (branch: SgNode, side: SgNode): boolean =>
  ["consequence", "alternative"].every((name) => {
    const other = branch.field(name);
    return other?.id() === side.id() || /\bexpect\(|\bthrow\b/.test(other?.text() ?? "");
  });

const literals = new Set(["true", "false", "number", "string", "null", "undefined", "regex"]);

function isOnConstant(call: SgNode): boolean {
  if (call.field("function")?.text() !== "expect") return false;
  const [value] = (call.field("arguments")?.children() ?? []).filter((it) => it.isNamed());
  return value !== undefined && literals.has(String(value.kind()));
}

const longestPause = 20;

/** A pause of a fixed length that is not between two looks at a state. */
function isFixedWait(call: SgNode): boolean {
  if (!/^(?:Bun\.)?sleep$/.test(call.field("function")?.text() ?? "")) return false;
  const [ms] = (call.field("arguments")?.children() ?? []).filter((it) => it.isNamed());
  if (ms?.kind() !== "number" || Number(ms.text().replaceAll("_", "")) < longestPause) return false;
  return !call.ancestors().some((it) => /^(?:for|while|do)_/.test(String(it.kind())));
}

if (import.meta.main) {
  const sources = await sourceFiles();
  const tests = sources.filter(({ path }) => path.endsWith(".test.ts"));
  const helpers = assertingHelpers(
    sources.filter(({ path }) => /^test\/|\/src\/test\//.test(path) && !path.endsWith(".test.ts")),
  );
  const findings = tests.flatMap((file) => judgeTests(file, helpers));
  finish({ findings }, `${tests.length} test files, ${helpers.size} helpers that assert`);
}
