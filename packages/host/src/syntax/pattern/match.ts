import type { Place, SyntaxNode, SyntaxTree } from "../parse/tree.ts";
import { type Goal, isSeparator, type Pattern } from "./goal.ts";

/** What a hole stands for: one node, or a list of them with what is between. */
export interface Capture {
  nodes: readonly SyntaxNode[];
  from: Place;
  to: Place;
}

export interface Match {
  from: Place;
  /**
   * Behind the last thing the pattern names: what the code has in addition (an `else` after an `if`) is not part of
   * the match.
   */
  to: Place;
  captures: ReadonlyMap<string, Capture>;
}

/** Whether a text can hold a match; asked before it is parsed. */
export const mayMatch = (pattern: Pattern, text: string): boolean => pattern.words.every((word) => text.includes(word));

/** All matches in the order of the text; matches may lie inside each other. */
export function findMatches(pattern: Pattern, tree: SyntaxTree, text: string): Match[] {
  return tree.ofKind(pattern.goal.kind).flatMap((node) => {
    const matched = matchOne(pattern.goal, node, { captures: new Map(), end: node.from }, { text, left: maxTries });
    return matched === undefined || matched === "skip"
      ? []
      : [{ from: node.from, to: matched.end, captures: matched.captures }];
  });
}

/** Several list holes can match a long list in very many ways; a match that is not found among these is none. */
const maxTries = 100_000;

interface Look {
  text: string;
  left: number;
}

interface State {
  captures: ReadonlyMap<string, Capture>;
  end: Place;
}

/** `skip`: a mere word or a comment of the code, which the pattern need not name. */
function matchOne(goal: Goal, node: SyntaxNode, state: State, look: Look): State | "skip" | undefined {
  if (--look.left < 0) return undefined;
  if (node.named && isComment(node.kind) && !("kind" in goal && isComment(goal.kind))) return "skip";
  switch (goal.is) {
    case "one":
      return node.named ? remember(state, goal.name, { nodes: [node], from: node.from, to: node.to }, look) : undefined;
    case "many":
      return remember(state, goal.name, { nodes: [node], from: node.from, to: node.to }, look);
    case "word":
      if (
        goal.kind === node.kind &&
        goal.named === node.named &&
        (!goal.named || goal.text === textOf(node, look.text))
      )
        return { ...state, end: node.to };
      return node.named ? undefined : "skip";
    case "tree":
      return goal.kind === node.kind ? matchAll(goal.children, 0, node.children, 0, state, look) : undefined;
  }
}

/**
 * The goals from `i` on against the nodes from `j` on. Nodes that are left over when all goals are met do not matter.
 */
function matchAll(
  goals: readonly Goal[],
  i: number,
  nodes: readonly SyntaxNode[],
  j: number,
  state: State,
  look: Look,
): State | undefined {
  const goal = goals[i];
  if (!goal) return state;
  if (goal.is === "many") return matchMany(goals, i, nodes, j, state, look);
  const matched = matchNext(goal, goals, i, nodes, j, state, look);
  const after = goals[i + 1];
  if (matched || !isSeparator(goal) || after?.is !== "many") return matched;
  // `f($A, $$$)`: where the hole stands for nothing, nothing separates it.
  const without = remember(state, after.name, span([], state.end), look);
  return without && matchAll(goals, i + 2, nodes, j, without, look);
}

function matchNext(
  goal: Goal,
  goals: readonly Goal[],
  i: number,
  nodes: readonly SyntaxNode[],
  j: number,
  state: State,
  look: Look,
): State | undefined {
  for (let at = j; at < nodes.length; at++) {
    const matched = matchOne(goal, nodes[at] as SyntaxNode, state, look);
    if (matched !== "skip") return matched && matchAll(goals, i + 1, nodes, at + 1, matched, look);
  }
  return undefined;
}

/**
 * As few nodes as let the rest of the goals match. Separators that follow the hole in the pattern are not part of what
 * it stands for.
 */
function matchMany(
  goals: readonly Goal[],
  i: number,
  nodes: readonly SyntaxNode[],
  j: number,
  state: State,
  look: Look,
): State | undefined {
  const { name } = goals[i] as Goal & { is: "many" };
  let next = i + 1;
  while (isSeparator(goals[next])) next++;
  const separators = next - i - 1;
  const take = (until: number) =>
    remember(state, name, span(nodes.slice(j, Math.max(j, until - separators)), state.end), look);
  const goal = goals[next];
  if (!goal) {
    const matched = take(nodes.length);
    return matched && { ...matched, end: nodes.at(-1)?.to ?? matched.end };
  }
  for (let at = j; at < nodes.length; at++) {
    const matched = goal.is === "many" ? state : matchOne(goal, nodes[at] as SyntaxNode, state, look);
    if (matched === undefined || matched === "skip") continue;
    const taken = take(at);
    const here = taken && (goal.is === "many" ? taken : matchOne(goal, nodes[at] as SyntaxNode, taken, look));
    if (here === undefined || here === "skip") continue;
    const rest = matchAll(
      goals,
      goal.is === "many" ? next : next + 1,
      nodes,
      goal.is === "many" ? at : at + 1,
      here,
      look,
    );
    if (rest) return rest;
  }
  return undefined;
}

const isComment = (kind: string) => kind.endsWith("comment");

const span = (nodes: readonly SyntaxNode[], otherwise: Place): Capture => ({
  nodes,
  from: nodes[0]?.from ?? otherwise,
  to: nodes.at(-1)?.to ?? otherwise,
});

/** A name that was met before must stand for the same code again. */
function remember(state: State, name: string | undefined, capture: Capture, look: Look): State | undefined {
  const end = capture.nodes.length > 0 ? capture.to : state.end;
  if (name === undefined) return { ...state, end };
  const before = state.captures.get(name);
  if (before) return sameCode(before, capture, look.text) ? { ...state, end } : undefined;
  return { captures: new Map(state.captures).set(name, capture), end };
}

function sameCode(a: Capture, b: Capture, text: string): boolean {
  const words = (capture: Capture) => capture.nodes.flatMap((node) => leaves(node).map((leaf) => textOf(leaf, text)));
  const [left, right] = [words(a), words(b)];
  return left.length === right.length && left.every((word, i) => word === right[i]);
}

export function leaves(node: SyntaxNode): SyntaxNode[] {
  const leaves: SyntaxNode[] = [];
  const waiting = [node];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (at.children.length === 0) leaves.push(at);
    else waiting.push(...at.children.toReversed());
  }
  return leaves;
}

const textOf = (node: SyntaxNode, text: string) => text.slice(node.from.index, node.to.index);
