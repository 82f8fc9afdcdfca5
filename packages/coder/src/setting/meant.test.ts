import { expect, test } from "bun:test";
import { type Scratch, scratch } from "@pith/kit/test";
import { openSettings } from "../test/settings.ts";
import { repeatedKey } from "./twice.ts";

async function opened(dir: Scratch, text?: string) {
  dir.write({ "work/.keep": "" });
  if (text !== undefined) dir.write({ "home/config.yml": text });
  const settings = await openSettings({ cwd: dir.at("work"), home: dir.at("home"), wrong: "is ignored" });
  if (!settings.ok) throw new Error(settings.message);
  return settings.value;
}

test.each([
  [
    "policy:\n  rules:\n    - command: git push *\n      verdict: deny\n    - command: ls\n      verdict: deny\n",
    undefined,
  ],
  ["policy.rules:\n- command: a\n  verdict: deny\n- command: b\n  verdict: deny\n", undefined],
  ["unknown:\n  -\n    a: 1\n  -\n    a: 2\n", undefined],
  ["policy:\n  rules:\n    - command: a\n      verdict: deny\n      verdict: ask\n", ["policy", "rules", "verdict"]],
  ["a:\n  - - b: 1\n      c: 2\n    - b: 3\nd: 1\na: 2\n", ["a"]],
  ["list:\n  - |\n    x: 1\n    x: 2\n  - text: >\n      y: 1\n      y: 2\nz: 1\n", undefined],
])("a key may stand in several items of a list, and twice in none: %j", (text, path) => {
  expect(repeatedKey(text)).toEqual(path);
});

test("what set writes is read again, lists of rules too, and names of other agents get ours", async () => {
  const rules = [
    { command: "git push *", verdict: "deny" },
    { command: "ls", verdict: "ask" },
  ];
  using dir = scratch();
  const first = await opened(dir);
  first.set("policy.rules", rules as never);
  await first.flush();
  const again = await opened(dir);
  expect(again.warnings).toEqual([]);
  expect(again.get("policy.rules")).toEqual(rules as never);
  const theirs =
    "aproval: { mode: ask }\npermissions: { deny: [x] }\nsandbox_mode: workspace-write\npermissions.defaultMode: plan\n";
  expect((await opened(dir, theirs)).warnings.map((line) => line.replace(/^.*?: /, ""))).toEqual([
    "aproval: unknown setting; did you mean approval.mode?",
    "permissions: unknown setting; policy.rules holds such rules (pith help rules)",
    "sandbox_mode: unknown setting; here it is sandbox.mode",
    "permissions.defaultMode: unknown setting; here it is approval.mode",
  ]);
});

test("settings that name several things take a text or a list", async () => {
  using dir = scratch();
  const text =
    "sandbox:\n  paths:\n    - /a\n    - /b\nenv.pass: [A_KEY, B_KEY]\nstatusLine.segments: [model, cost]\nproject.roots: [3]\n";
  const settings = await opened(dir, text);
  expect([settings.get("sandbox.paths"), settings.get("env.pass"), settings.get("statusLine.segments")]).toEqual([
    "/a\n/b",
    "A_KEY, B_KEY",
    "model, cost",
  ]);
  expect(settings.problems.join()).toContain("project.roots: expected text, or a list of texts, found a list");
});
