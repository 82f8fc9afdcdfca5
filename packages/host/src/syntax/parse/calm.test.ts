import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuSince } from "@pith/kit/test";
import { openLanguage, withTree } from "../open.ts";
import { isCalm, worked } from "./calm.ts";

/** Texts that would hang or crash a parser. */
const hostile = {
  brackets: "([{".repeat(8_000),
  quotes: "'\"`\n".repeat(8_000),
  tags: "<a ".repeat(8_000),
  backslashes: "\\\n".repeat(8_000),
  words: "a b\n".repeat(8_000),
  chain: `x = ${"a + ".repeat(60_000)}1;\n`,
};

// Those that were seen to hang for a minute or to bring down their machine, and the three that are parsed natively.
for (const name of [
  "python",
  "java",
  "c-sharp",
  "scala",
  "lua",
  "elixir",
  "dart",
  "css",
  "typescript",
  "tsx",
  "javascript",
] as const)
  test(`${name}: a hostile text neither hangs nor breaks the parser`, async () => {
    const language = await openLanguage(name);
    const began = process.cpuUsage();
    for (const text of Object.values(hostile)) withTree(text, language, (tree) => tree.errors());
    expect(cpuSince(began)).toBeLessThan(10_000);
    expect(withTree("a\n", language, (tree) => tree.root.kind)).toBeString();
  }, 120_000);

/** In a process of its own: it uses up the machines that others still need. */
const crashes = `
  import { openLanguage, withTree } from ${JSON.stringify(join(import.meta.dir, "../open.ts"))};
  const errors = (text, language) => (withTree(text, language, (tree) => tree.errors()) ?? []).length;
  const crash = () => { throw new WebAssembly.RuntimeError("unreachable"); };
  const first = await openLanguage("json");
  const out = [withTree("[1]", first, crash)];
  const second = await openLanguage("json");
  out.push(second !== first, withTree("[1]", first, crash), (await openLanguage("json")) === second);
  out.push(withTree("[1]", second, (tree) => tree.root.kind), errors("[1", second));
  out.push(withTree("[1]", second, crash), errors("[1", await openLanguage("json")));
  out.push(errors("let = ", await openLanguage("typescript")) > 0);
  process.stdout.write(JSON.stringify(out));
`;

test("a machine that a text brought down is replaced, once, and then grammars are off and nothing else is", () => {
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", crashes]);
  expect(stderr.toString()).toBe("");
  // The second crash of the first machine is its own: it does not cost the second one its life.
  expect(JSON.parse(stdout.toString())).toEqual([null, true, null, true, "document", 1, null, 0, true]);
});

test("code is calm, noise is not", () => {
  for (const text of [
    readFileSync(import.meta.path, "utf8"),
    'const a = ["a", "b", "c"];\n'.repeat(50),
    "if (a < b && c < d) e();\n".repeat(500),
    "",
    "é",
  ])
    expect(isCalm(text)).toBe(true);
  for (const text of [hostile.brackets, hostile.quotes, hostile.tags]) expect(isCalm(text)).toBe(false);
  expect(isCalm(`${"(".repeat(300)}x${")".repeat(300)}`)).toBe(true);
  expect(isCalm("]".repeat(1000))).toBe(true);
  expect(isCalm("[".repeat(1000))).toBe(false);
});

test("a chain is as long as it is, whatever the brackets within it hold", () => {
  const chain = (links: number, link = "abc + ") => `x(${link.repeat(links)}d);\n`;
  expect(isCalm(chain(5000))).toBe(true);
  expect(isCalm(chain(5001))).toBe(false);
  expect(isCalm(chain(5001, "f(a + b, c) + "))).toBe(false);
  expect(isCalm(chain(4000, "f(a + b + c, d) + "))).toBe(true);
  expect(isCalm(chain(5001).repeat(2).replace("+", ","))).toBe(false);
  expect(isCalm(chain(5000).repeat(3))).toBe(true);
});

test("a text is not given up because the machine is busy with something else", () => {
  let [now, busy] = [0, 0];
  const enough = worked(
    500,
    () => now,
    () => busy,
  );
  now = 10_000;
  busy = 60;
  expect(enough()).toBe(false);
  busy = 501;
  expect(enough()).toBe(true);
});
