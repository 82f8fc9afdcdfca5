import { expect, test } from "bun:test";
import { readCondition } from "../../capability/read/condition.ts";
import { Engine } from "./engine.ts";
import { RuleMatcher } from "./matcher.ts";
import { Prefilter } from "./prefilter.ts";
import type { StreamRule, StreamSource } from "./rule.ts";

function rule(
  condition: string | undefined,
  patterns: readonly string[] = [],
  minds = (_: StreamSource) => true,
): StreamRule {
  const read = condition === undefined ? undefined : readCondition(condition);
  if (read && !read.ok) throw new Error(read.message);
  return {
    name: condition ?? patterns.join(),
    watch: { conditions: read ? [read.value] : [], patterns, scopes: [] },
    minds,
  };
}

/** After which of the pieces something was found; one more than there are when it was at the end. */
async function foundAt(watcher: StreamRule, pieces: readonly string[], source: StreamSource = { of: "text" }) {
  let loads = 0;
  const watch = new RuleMatcher([watcher], () => {
    loads++;
    return Engine.load(() => {});
  });
  for (const [at, piece] of pieces.entries()) {
    watch.push("a", source, piece);
    if (((await watch.look()) ?? []).length > 0) return { at, loads };
  }
  watch.close("a");
  return { at: ((await watch.look()) ?? []).length > 0 ? pieces.length : -1, loads };
}
const at = async (...args: Parameters<typeof foundAt>) => (await foundAt(...args)).at;

test("a condition that is split over pieces is found at the piece that completes it", async () => {
  expect(await at(rule("forbidden"), ["a for", "bidden fruit", " more"])).toBe(1);
  expect(await at(rule("console\\.log\\(.*secret"), ["console.lo", "g(a, ", "b, sec", "ret)", "x"])).toBe(3);
  expect(await at(rule("(?i)TODO:\\s*later"), ["todo:", "\n\n", "LATER"])).toBe(2);
  expect(await at(rule("[0-9]{4}"), ["12", "34", " x\n", "y"])).toBe(2);
  expect(await at(rule("[0-9]{4}"), ["12", "34"])).toBe(2);
});

test("the end of an unfinished text does not count as the end of a word or of the text", async () => {
  expect(await at(rule("\\bforbid\\b"), ["forbid", "den", " x"])).toBe(-1);
  expect(await at(rule("\\bforbid\\b"), ["forbid", " x"])).toBe(1);
  expect(await at(rule("foobar$"), ["foobar", " x"])).toBe(-1);
  expect(await at(rule("foobar$"), ["x foobar"])).toBe(1);
  expect(await at(rule("^foobar"), ["x\n", "foobar"])).toBe(-1);
  expect(await at(rule("^foobar"), [`${"x ".repeat(10_000)}\n`, "foobar", "\n"])).toBe(-1);
});

test("rules are not asked about a short call before one of their words has come", async () => {
  let asked = 0;
  const call: StreamSource = { of: "tool", call: "c", tool: "write", path: "a.ts" };
  const picky = (answer: boolean) =>
    rule("forbidden", [], () => {
      asked++;
      return answer;
    });
  expect(await at(picky(true), ["nothing of", " the kind"], call)).toBe(-1);
  expect(asked).toBe(0);
  expect(await at(picky(true), ["a forb", "idden word"], call)).toBe(1);
  expect(await at(picky(false), ["a forb", "idden word"], call)).toBe(-1);
  expect(asked).toBe(2);
  expect(await at(picky(false), ["x".repeat(10_000), " forbidden"], call)).toBe(-1);
  expect(await at(picky(true), ["x".repeat(10_000), " forbidden"], call)).toBe(1);
});

test("the engine is not loaded before a word of a condition has come", async () => {
  expect(await foundAt(rule("forbidden\\s+fruit"), ["nothing of", " the kind\n", "at all"])).toEqual({
    at: -1,
    loads: 0,
  });
});

test("rules that match everything, or explode elsewhere, cost little on a line of ten megabytes", async () => {
  const line = Array.from({ length: 2500 }, () => "a".repeat(4096));
  const started = performance.now();
  expect(await at(rule("(a+)+$"), [...line, "b"])).toBe(-1);
  expect(await at(rule("aaaa+b\\d"), line)).toBe(-1);
  expect(await at(rule(".*"), ["x", "\n"])).toBe(1);
  expect(performance.now() - started).toBeLessThan(8000);
});

test("a match over several lines is found, also one that is longer than the searched window", async () => {
  const lines = Array.from({ length: 400 }, (_, i) => `line number ${i} of the middle\n`);
  expect(await at(rule("BEGIN[\\s\\S]*FINISH"), ["BEGIN\n", ...lines.slice(0, 50), "FINISH\n"])).toBe(51);
  expect(await at(rule("BEGIN[\\s\\S]*FINISH"), ["BEGIN\n", ...lines, "FINISH\n"])).toBe(402);
});

test("code is found by its structure, once it is complete", async () => {
  const source: StreamSource = { of: "tool", call: "c", tool: "write", path: "a.ts" };
  const clear = rule(undefined, ["if ($X) clearTimeout($X)"]);
  expect(await at(clear, ["if (timer) clearTimeout(timer);\n", "next();\n"], source)).toBeGreaterThan(-1);
  expect(await at(clear, ["if (timer) clearTimeout(other);\n", "next();\n"], source)).toBe(-1);
  expect(await at(clear, ["if (timer) clearTimeout(timer);\n"], { of: "text" })).toBe(-1);
  const swallowed = rule(undefined, ["try { $$$A } catch ($E) {}"]);
  expect(await at(swallowed, ["try {\n  a();\n} catch (e) {\n", "  throw e;\n", "}\n"], source)).toBe(-1);
  expect(await at(swallowed, ["try {\n  a();\n} catch (e) {\n", "}\n", "next();\n"], source)).toBe(2);
});

test("a rule is silent for texts that it does not watch, and words are never joined over texts", async () => {
  expect(
    await at(
      rule("forbidden", [], ({ of }) => of === "thinking"),
      ["forbidden"],
    ),
  ).toBe(-1);
  const watch = new RuleMatcher([rule("forbidden")], () => Engine.load(() => {}));
  watch.push("a", { of: "text" }, "for");
  watch.push("b", { of: "thinking" }, "bidden");
  watch.close("a", "b");
  expect(await watch.look()).toBeUndefined();
});

test("all words are found in one pass, whatever they share and however the text is cut", () => {
  const words = ["he", "she", "his", "hers", "über", "kelvin"];
  const prefilter = new Prefilter(words);
  const found: string[] = [];
  let state = 0;
  for (const piece of ["us", "He", "rs ÜBER üb", "er \u212aelvin"])
    state = prefilter.run(state, piece, (word) => void found.push(words[word] as string));
  expect(found).toEqual(["she", "he", "hers", "über", "kelvin"]);
});
