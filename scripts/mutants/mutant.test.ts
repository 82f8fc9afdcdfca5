import { expect, test } from "bun:test";
import { readGraph } from "./graph.ts";
import { mutantsOf, randomOf } from "./mutant.ts";

const source = `import { sync } from "./disk.ts";
type Flag = true | false;
export async function save(size: number, text: string): Promise<boolean> {
  if (size >= 10 && text !== "") {
    await first(text);
    await sync(text);
  }
  try {
    announce(text);
  } catch (error) {
    report(error);
  }
  return "a" + text === "…" + "b";
}
`;

const made = (seed: number) => mutantsOf("a.ts", source, randomOf(seed));

test("every change is one place of the file, and the rest of it stays", () => {
  for (const { from, to, text, line } of made(1)) {
    const at = [...source].findIndex((char, index) => char !== text[index]);
    expect(at).toBeGreaterThan(0);
    expect(source.split("\n")[line - 1]).toContain(from.split("\n")[0]?.slice(0, 1) ?? "");
    expect(text.length - source.length).toBe(to.length - from.length);
    expect(text).toStartWith(source.slice(0, at));
  }
});

test("conditions, bounds, calls, awaits, catches, constants and answers are changed; types and texts are not", () => {
  const found = made(1).map(({ kind, from, to }) => `${kind}: ${from} → ${to}`);
  for (const wanted of [
    'condition turned: (size >= 10 && text !== "") → (!(size >= 10 && text !== ""))',
    "bound moved: >= → >",
    "operator changed: && → ||",
    "call left out: await sync(text); → ;",
    "call left out: announce(text); → ;",
    "awaits swapped: await first(text);\n    await sync(text); → await sync(text); await first(text);",
    "catch made silent: {\n    report(error);\n  } → {}",
    "constant changed: 10 → 11",
    'answer left out: return "a" + text === "…" + "b"; → return undefined as never;',
  ])
    expect(found).toContain(wanted);
  expect(found.join("\n")).not.toContain("+ → -");
  expect(made(1).every(({ line }) => line > 2)).toBe(true);
});

test("a seed gives the same order again, and grave calls come first", () => {
  const order = (seed: number) => made(seed).map(({ id }) => id);
  expect(order(7)).toEqual(order(7));
  expect(order(7)).not.toEqual(order(8));
  expect(new Set(order(7)).size).toBe(order(7).length);
  expect(made(3)[0]?.from).toMatch(/sync|announce/);
});

test("a change keeps its name when other lines are added", () => {
  const moved = mutantsOf("a.ts", `// new\n${source}`, randomOf(1));
  expect(moved.map(({ id }) => id).sort()).toEqual(
    made(1)
      .map(({ id }) => id)
      .sort(),
  );
});

test("the tests of a file are those that import it, its own first", async () => {
  const { testsOf } = await readGraph();
  const [own, ...others] = testsOf("packages/agent/src/loop/turn.ts");
  expect(own).toBe("packages/agent/src/loop/turn.test.ts");
  expect(others.length).toBeGreaterThan(3);
  expect(testsOf("packages/kit/src/nearest.ts").length).toBeGreaterThan(50);
  expect(testsOf("packages/none.ts")).toEqual([]);
});
