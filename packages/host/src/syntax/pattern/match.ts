import type { Position, SyntaxNode, SyntaxTree } from "../parse/tree.ts";
import { type CodePattern, type Goal, isSeparator } from "./goal.ts";

/** The code that a hole stands for: one node, or a list of them with the signs between. */
export interface Capture {
  nodes: readonly SyntaxNode[];
  from: Position;
  to: Position;
}

export interface Match {
  from: Position;
  /** Behind the last thing the pattern names: further code (an `else` after an `if`) is not part of the match. */
  to: Position;
  captures: ReadonlyMap<string, Capture>;
}

/** True for a text that can hold a match; asked before it is parsed. */
export const mayMatch = (pattern: CodePattern, text: string): boolean =>
  pattern.words.every((word) => text.includes(word));

/** All matches in the order of the text; matches may lie inside each other. */
export const findMatches = ({ goal }: CodePattern, tree: SyntaxTree, text: string): Match[] =>
  tree.ofKind(goal.kind).flatMap((node) => {
    const matched = new Matcher(text).one(goal, node, { captures: new Map(), end: node.from });
    if (matched === undefined || matched === "skip") return [];
    return [{ from: node.from, to: matched.end, captures: matched.captures }];
  });

/** Several list holes can match a long list in very many ways; a match that is not found among these is none. */
const maxTries = 100_000;

interface State {
  captures: ReadonlyMap<string, Capture>;
  end: Position;
}

/** The goals of one level of a pattern, and the nodes of the code that they are held against. */
interface Level {
  goals: readonly Goal[];
  nodes: readonly SyntaxNode[];
}

class Matcher {
  readonly #text: string;
  #left = maxTries;

  constructor(text: string) {
    this.#text = text;
  }

  /** `skip`: a mere word or a comment of the code, which the pattern need not name. */
  one(goal: Goal, node: SyntaxNode, state: State): State | "skip" | undefined {
    if (--this.#left < 0) return undefined;
    if (node.named && isComment(node.kind) && !("kind" in goal && isComment(goal.kind))) return "skip";
    switch (goal.is) {
      case "one":
        return node.named ? this.#remember(state, goal.name, spanOf([node], node.from)) : undefined;
      case "many":
        return this.#remember(state, goal.name, spanOf([node], node.from));
      case "word": {
        const same = goal.kind === node.kind && goal.named === node.named;
        if (same && (!goal.named || goal.text === textOf(node, this.#text))) return { ...state, end: node.to };
        return node.named ? undefined : "skip";
      }
      case "tree":
        return goal.kind === node.kind
          ? this.#all({ goals: goal.children, nodes: node.children }, 0, 0, state)
          : undefined;
    }
  }

  /**
   * The goals from `i` on against the nodes from `j` on. Nodes that are left over when all goals are met do not matter.
   */
  #all(level: Level, i: number, j: number, state: State): State | undefined {
    const [goal, after] = [level.goals[i], level.goals[i + 1]];
    if (!goal) return state;
    if (goal.is === "many") return this.#many(level, i, j, state);
    const matched = this.#next(level, i, j, state);
    if (matched || !isSeparator(goal) || after?.is !== "many") return matched;
    // `f($A, $$$)`: where the hole stands for nothing, nothing separates it.
    const without = this.#remember(state, after.name, spanOf([], state.end));
    return without && this.#all(level, i + 2, j, without);
  }

  #next(level: Level, i: number, j: number, state: State): State | undefined {
    for (let at = j; at < level.nodes.length; at++) {
      const matched = this.one(level.goals[i] as Goal, level.nodes[at] as SyntaxNode, state);
      if (matched !== "skip") return matched && this.#all(level, i + 1, at + 1, matched);
    }
    return undefined;
  }

  /** As few nodes as let the rest of the goals match; separators behind the hole are not part of its code. */
  #many(level: Level, i: number, j: number, state: State): State | undefined {
    const { goals, nodes } = level;
    const { name } = goals[i] as Goal & { is: "many" };
    let next = i + 1;
    while (isSeparator(goals[next])) next++;
    const separators = next - i - 1;
    const take = (until: number) =>
      this.#remember(state, name, spanOf(nodes.slice(j, Math.max(j, until - separators)), state.end));
    const goal = goals[next];
    if (!goal) {
      const matched = take(nodes.length);
      return matched && { ...matched, end: nodes.at(-1)?.to ?? matched.end };
    }
    const fits = (at: number, from: State) =>
      goal.is === "many" ? from : this.one(goal, nodes[at] as SyntaxNode, from);
    const step = goal.is === "many" ? 0 : 1;
    for (let at = j; at < nodes.length; at++) {
      const matched = fits(at, state);
      if (matched === undefined || matched === "skip") continue;
      const taken = take(at);
      const here = taken && fits(at, taken);
      const rest = here && here !== "skip" ? this.#all(level, next + step, at + step, here) : undefined;
      if (rest) return rest;
    }
    return undefined;
  }

  /** A name that was met before must stand for the same code again. */
  #remember(state: State, name: string | undefined, capture: Capture): State | undefined {
    const end = capture.nodes.length > 0 ? capture.to : state.end;
    if (name === undefined) return { ...state, end };
    const before = state.captures.get(name);
    if (before) return sameCode(before, capture, this.#text) ? { ...state, end } : undefined;
    return { captures: new Map(state.captures).set(name, capture), end };
  }
}

const isComment = (kind: string) => kind.endsWith("comment");

const spanOf = (nodes: readonly SyntaxNode[], otherwise: Position): Capture => ({
  nodes,
  from: nodes[0]?.from ?? otherwise,
  to: nodes.at(-1)?.to ?? otherwise,
});

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
