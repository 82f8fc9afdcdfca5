// Three ordinary tasks as a careful model does them, each answer made from nothing but the request before it: what they
// cost in requests and bytes.
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ask, model } from "../model.ts";
import { scratch } from "../scratch.ts";

const dir = scratch(afterAll);
const words = (name: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => ` * The ${at + 1}. remark about ${name}: it was written for people who read code.\n`,
  );

dir.write({
  "work/package.json": '{ "name": "till", "type": "module", "scripts": { "test": "node --test" } }\n',
  "work/README.md": "# till\n\n`priceOf(cart)` is what a cart costs. Tests: `npm test`.\n",
  "work/docs/use.md": "Call `priceOf` with a cart, and `roundUp` where cents matter.\n",
  "work/src/price.js": `import { roundUp } from "./round.js";

/**
${words("priceOf", 12).join("")} */
export function priceOf(cart) {
  let total = 0;
  for (let at = 1; at < cart.length; at++) {
    total += cart[at].price * cart[at].count;
  }
  return roundUp(total);
}
`,
  "work/src/round.js": `/**
${words("roundUp", 12).join("")} */
export function roundUp(amount) {
  return Math.floor(amount * 100) / 100;
}
`,
  "work/src/index.js": 'export { priceOf } from "./price.js";\nexport { roundUp } from "./round.js";\n',
  "work/src/bill.js": `import { priceOf } from "./price.js";

export const bill = (cart) => \`To pay: \${priceOf(cart).toFixed(2)}\`;
`,
  "work/test/price.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { priceOf, roundUp } from "../src/index.js";

test("every article counts", () => {
  assert.equal(priceOf([{ price: 2, count: 1 }, { price: 3, count: 2 }]), 8);
});

test("part of a cent is a cent", () => {
  assert.equal(roundUp(1.001), 1.01);
});
`,
});

const headerOf = (results: readonly string[], path: string): string => {
  const header = results.join("\n").match(new RegExp(`^\\[${path.replaceAll(".", "\\.")}#[0-9A-F]{4}\\]$`, "m"))?.[0];
  if (!header) throw new Error(`no tag of ${path} in ${results.join("\n")}`);
  return header;
};
const numberOf = (results: readonly string[], text: string): string => {
  const row = results
    .join("\n")
    .split("\n")
    .find((line) => line.includes(text));
  const number = row?.match(/^[ *]?(\d+):/)?.[1];
  if (!number) throw new Error(`no line ${text} in ${results.join("\n")}`);
  return number;
};
const run = { tool: "bash", args: { command: "npm test 2>&1" } };
const search = (pattern: string, ...paths: string[]) => ({ tool: "search", args: { pattern, paths } });

test("two bugs, a rename over five files and a new function take few requests and few bytes", async () => {
  const told = [
    model(
      { calls: [run] },
      ({ results: [output = ""] }) => {
        expect(output).toContain("every article counts");
        expect(output).toContain("part of a cent is a cent");
        return { calls: [search("function (priceOf|roundUp)\\(", "src")] };
      },
      ({ results }) => ({
        calls: [
          {
            tool: "edit",
            args: {
              input: `${headerOf(results, "src/price.js")}
replace ${numberOf(results, "let at = 1")}..${numberOf(results, "let at = 1")}:
+  for (let at = 0; at < cart.length; at++) {
${headerOf(results, "src/round.js")}
replace ${numberOf(results, "Math.floor")}..${numberOf(results, "Math.floor")}:
+  return Math.ceil(amount * 100) / 100;
`,
            },
          },
          run,
        ],
      }),
      ({ results: [, output = ""] }) => {
        expect(output).toContain("pass 2");
        return { text: "Both are fixed." };
      },
    ),
    model(
      { calls: [search("priceOf")] },
      ({ results: [found = ""] }) => {
        const files = [...found.matchAll(/^\[(.*)#[0-9A-F]{4}\]$/gm)].map((match) => match[1]);
        expect(files).toHaveLength(6);
        const command = `sed -i 's/priceOf/totalOf/g' ${files.join(" ")} && npm test 2>&1`;
        return { calls: [{ tool: "bash", args: { command } }, search("priceOf")] };
      },
      ({ results: [output = "", left = ""] }) => {
        expect([output.includes("pass 2"), left]).toEqual([true, "No matches"]);
        return { text: "Renamed." };
      },
    ),
    model(
      {
        calls: [
          search("function roundUp\\(", "src"),
          { tool: "read", args: { path: "src/index.js" } },
          { tool: "read", args: { path: "test/price.test.js" } },
        ],
      },
      ({ results }) => ({
        calls: [
          {
            tool: "edit",
            args: {
              input: `${headerOf(results, "src/round.js")}
insert tail:
+
+export const roundDown = (amount) => Math.floor(amount * 100) / 100;
${headerOf(results, "src/index.js")}
replace 2..2:
+export { roundDown, roundUp } from "./round.js";
${headerOf(results, "test/price.test.js")}
replace 3..3:
+import { roundDown, roundUp, totalOf } from "../src/index.js";
insert tail:
+
+test("part of a cent can be given away", () => {
+  assert.equal(roundDown(1.009), 1);
+});
`,
            },
          },
          run,
        ],
      }),
      ({ results: [, output = ""] }) => {
        expect(output).toContain("pass 3");
        return { text: "There is roundDown now." };
      },
    ),
  ];
  const tasks = ["Two tests fail; fix the bugs.", "Rename priceOf to totalOf.", "Add roundDown, with a test."];
  const ends = ["Both are fixed.\n", "Renamed.\n", "There is roundDown now.\n"];
  for (const [at, task] of tasks.entries()) {
    using one = told[at];
    if (!one) throw new Error("no model");
    expect((await ask(dir, one, "--approval", "yolo", task)).out).toBe(ends[at] ?? "");
  }
  expect(readFileSync(dir.at("work/src/bill.js"), "utf8")).toContain("totalOf(cart)");
  const requests = told.flatMap(({ asked }) => asked);
  const bytes = requests.reduce((sum, { raw }) => sum + raw.length, 0);
  process.stderr.write(`three tasks: ${requests.length} requests, ${(bytes / 1000).toFixed(0)} KB\n`);
  expect(requests.length).toBeLessThanOrEqual(12);
  expect(bytes).toBeLessThan(230_000);
}, 60_000);
