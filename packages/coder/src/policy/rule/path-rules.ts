import type { ClosingRules } from "@pith/host";
import { realPath } from "@pith/kit";
import { isBelow } from "../../judge/path-kind.ts";
import { type Bases, type PathTest, pathTests } from "./glob.ts";
import type { RuleLayer } from "./layer.ts";
import { type Ruling, stricter } from "./ruling.ts";
import type { Rule } from "./schema.ts";

/** Rules about reading a path, whoever reads it and by whichever name. */
export interface ReadRules {
  /** The strictest of what is said of all names of one place. */
  verdict(...paths: readonly string[]): Ruling;
}

/** Calls name few of the files they go through: these are the tools that find the rest by themselves. */
const walkers = ["read", "search", "find", "ast_grep", "ast_edit"];

/** Undefined where no rule closes anything; what only one tool may not, counts for these. */
export function readRules(layers: readonly RuleLayer[], bases: Bases, tools = walkers): ReadRules | undefined {
  const ready = layers.map(({ from, rules }) => ({ from, rules: rules.flatMap((rule) => testOf(rule, bases, tools)) }));
  if (!ready.some(({ rules }) => rules.some(({ verdict }) => verdict !== "allow"))) return undefined;
  const one = (path: string): Ruling => {
    let said: Ruling | undefined;
    for (const { from, rules } of ready) {
      const here = rules.findLast(({ fits }) => fits(path))?.verdict;
      if (here !== undefined) said = from === "user" || said === undefined ? here : stricter(said, here);
    }
    return said ?? "allow";
  };
  return { verdict: (...paths) => paths.map(one).reduce(stricter, "allow") };
}

/** Collects what rules forbid commands to read, for the sandbox to hide as far as it can be found. */
export function hiddenPaths(layers: readonly RuleLayer[], bases: Bases): ClosingRules | undefined {
  const closed = readRules(layers, bases, ["bash"]);
  if (!closed) return undefined;
  const rules = layers.flatMap((layer) => layer.rules.filter(({ verdict }) => verdict === "deny"));
  const tests = rules.flatMap(({ path }) => (path === undefined ? [] : pathTests(path, bases)));
  const places = tests.filter((test) => isEnforceable(test, bases)).map(({ folder }) => folder);
  const outermost = [...new Set(places)].filter((one) => !places.some((other) => other !== one && leads(other, one)));
  return { folders: outermost, closes: (path) => closed.verdict(path) === "deny" };
}

/** True when somebody who walks through a folder comes to the path: links on the way are not followed. */
const leads = (folder: string, path: string): boolean =>
  isBelow(folder, path) && realPath(path) === realPath(folder) + path.slice(folder.length);

/** True when the paths of a pattern can be searched for: in the project, or where it names one exactly. */
export const isEnforceable = ({ folder, deep }: PathTest, { roots }: Bases): boolean =>
  !deep || roots.some((root) => isBelow(root, folder));

/**
 * True when a place is closed to somebody who looks from above it; one that asks is open where the place above asks
 * too.
 */
export function isBarred(closed: ReadRules, path: string, from: string): boolean {
  const said = closed.verdict(path);
  return said === "deny" || (said === "ask" && closed.verdict(from) !== "ask");
}

interface Test {
  verdict: Rule["verdict"];
  fits(path: string): boolean;
}

function testOf(rule: Rule, bases: Bases, tools: readonly string[]): Test[] {
  const { path, effect, tool, command, domain, server, verdict } = rule;
  if (path === undefined || command !== undefined || domain !== undefined || server !== undefined) return [];
  if (effect !== undefined && effect !== "read") return [];
  // What one tool may look at is not free for all; what one may not is closed to those that would come across it.
  if (tool !== undefined && (verdict === "allow" || !tools.some((name) => named(tool, name)))) return [];
  const tests = pathTests(path, bases);
  const fits = (at: string) => tests.some((one) => (verdict === "allow" ? one.test(at) : one.covers(at)));
  return [{ verdict, fits }];
}

function named(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === name;
  return name.startsWith(first) && rest.every((piece) => name.includes(piece)) && name.endsWith(rest.at(-1) ?? "");
}
