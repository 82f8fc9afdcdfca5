import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { houseIn, resultsOf, scriptIn, talkIn } from "../test/open.ts";
import type { PartRow } from "./list.ts";

// Every registered tool: what its paths lead to is swapped between the verdict and the run.

const text = "const shared = 1;\n";
const noPath = "touches no path";

/** A call by the way of a link; or the reason why there is none. A tool that is missing here fails the test below. */
const calls: Record<string, { before?: object[]; input: object; set?: object } | typeof noPath> = {
  read: { input: { path: "way/a.ts" } },
  write: { input: { path: "way/a.ts", content: "changed\n" } },
  edit: {
    input: { path: "way/a.ts", edits: [{ oldText: "shared = 1", newText: "shared = 2" }] },
    set: { "edit.mode": "replace" },
  },
  bash: { input: { command: "echo changed > a.ts; cat a.ts", cwd: "way" } },
  search: { input: { pattern: "shared", paths: ["way"] } },
  find: { input: { paths: ["way/*.ts"] } },
  ast_grep: { input: { pat: "const $A = $B", paths: ["way"] } },
  ast_edit: { input: { ops: [{ pat: "const $A = 1", out: "const $A = 2" }], paths: ["way/a.ts"] } },
  resolve: {
    before: [{ tool: "ast_edit", input: { ops: [{ pat: "const $A = 1", out: "let $A = 2" }], paths: ["way/a.ts"] } }],
    input: { action: "apply", reason: "right" },
  },
  job: noPath,
  todo: noPath,
  ask: noPath,
  run_subagent: noPath,
  load_tools: noPath,
  checkpoint: noPath,
  rewind: noPath,
};

const dir = scratch(afterAll);

test("there is a case for every registered tool", async () => {
  const house = await houseIn(dir, { "checkpoint.enabled": true });
  const talk = await talkIn(house, { model: scriptIn(dir, [{ text: "." }]), session: { open: "none" } });
  expect(talk.hall.tools.names.toSorted()).toEqual(Object.keys(calls).toSorted());
  await talk.coder.close();
});

for (const [tool, made] of Object.entries(calls)) {
  if (made === noPath) continue;
  test(`${tool} does nothing when its path leads elsewhere after it was judged`, async () => {
    using place = scratch();
    place.write({ "work/inside/a.ts": text, "outside/a.ts": text, "outside/secret.ts": "const shared = 'secret';\n" });
    const turn = (to: string) => {
      rmSync(place.at("work/way"), { force: true });
      symlinkSync(to, place.at("work/way"));
    };
    turn("inside");
    const swap: PartRow = {
      reach: "every",
      make: () => ({
        name: "swap",
        hooks: [
          {
            name: "swap",
            call: ({ call }) => {
              if (call.name === tool) turn("../outside");
              return { do: "allow" };
            },
          },
        ],
      }),
    };
    const house = await houseIn(place, made.set);
    const steps = [
      ...(made.before ?? []).map((call) => ({ calls: [call] })),
      { calls: [{ tool, input: made.input }] },
      { text: "." },
      { text: "." },
    ];
    const talk = await talkIn(house, { model: scriptIn(place, steps), rows: [swap], session: { open: "none" } });
    await talk.coder.send({ text: "go" });
    expect(resultsOf(talk.coder).at(-1)).toContain("does not lead to");
    expect(resultsOf(talk.coder).join("\n")).not.toContain("secret");
    for (const folder of ["work/inside", "outside"]) expect(readFileSync(place.at(folder, "a.ts"), "utf8")).toBe(text);
    expect(readdirSync(place.at("outside")).toSorted()).toEqual(["a.ts", "secret.ts"]);
    await talk.coder.close();
  });
}
