import { describe, expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { loadScript, parseScript } from "./load.ts";

const messageOf = async (text: string, name = "demo.yml") => {
  const parsed = await parseScript(text, name);
  return parsed.ok ? "fine" : parsed.message;
};

test("a script is the same in YAML and in JSON", async () => {
  const yaml = await parseScript(
    "name: Demo\nturns:\n  - text: |\n      one\n      two\n    calls:\n      - tool: read\n        input: { path: a }\n",
    "a.yml",
  );
  const json = await parseScript(
    JSON.stringify({ name: "Demo", turns: [{ text: "one\ntwo\n", calls: [{ tool: "read", input: { path: "a" } }] }] }),
    "a.json",
  );
  expect(yaml.ok).toBe(true);
  expect(yaml).toEqual(json);
});

test("a script file is read from the disk when nobody says otherwise", async () => {
  using dir = scratch();
  dir.write({ "a.yaml": "turns: [{ text: hi }]" });
  expect(await loadScript(dir.at("a.yaml"))).toMatchObject({ ok: true, value: { turns: [{ text: "hi" }] } });
  expect(await loadScript(dir.at("b.yaml"))).toMatchObject({
    ok: false,
    kind: "missing",
    message: expect.stringContaining("no such file"),
  });
});

test("every built-in script follows the rules of a script file", async () => {
  for (const name of ["tour", "echo"]) {
    const loaded = await loadScript(name);
    if (!loaded.ok) throw new Error(loaded.message);
    expect(await parseScript(JSON.stringify(loaded.value), `${name}.json`)).toEqual({ ok: true, value: loaded.value });
  }
});

describe("a mistake is named with file, turn, key and what was expected", () => {
  test.each([
    ["turns: []", "demo.yml: turns: expected at least one turn"],
    ["turns: [{ text: 5 }]", "demo.yml: turn 1, text: expected a text or a list of chunks"],
    ["turns: [{ text: a }, { calls: [{ tool: 7 }] }]", "demo.yml: turn 2, calls[0].tool: expected text, found 7"],
    [
      "turns: [{ calls: [{ tool: a, input: {}, rawInput: '' }] }]",
      "demo.yml: turn 1, calls[0]: expected either input or rawInput",
    ],
    ["turns: [{ hang: true, cut: true }]", "demo.yml: turn 1: expected only one of error, cut and hang"],
    ["turns: [{ expect: { user: { matches: '(' } } }]", "turn 1, expect.user"],
    ["turns: [{ error: { kind: fire } }]", "demo.yml: turn 1, error.kind: "],
    ["turns: [{ text: a }]\nafter: loop", "demo.yml: after: "],
    ["turns: [{ text: a }]\nproject: { files: { ../x: a } }", "project.files.../x: "],
    ["just text", 'demo.yml: expected a group, found "just text"'],
    ["", "demo.yml: expected a group, found null"],
  ])("%s", async (text, message) => {
    expect(await messageOf(text)).toContain(message);
  });

  test("an unknown key is answered with the known ones", async () => {
    expect(await messageOf("turns: [{ txet: a }]")).toStartWith(
      'demo.yml: turn 1: unknown key "txet"; the keys here are when, expect,',
    );
  });

  test.each([
    ["YAML", "demo.yml", "name: a\nturns:\n  - text: 'never closed\n  - text: b\n", 3],
    ["YAML", "demo.yml", "name: a\n\tturns: 1\n", 2],
    ["YAML", "demo.yml", "turns: [1, 2\nname: b\n", 1],
    ["JSON", "demo.json", '{\n  "name": "a",\n  "turns": [}\n}', 3],
    ["JSON", "demo.json", '{\n  "name": "a"\n', 3],
    ["JSON", "demo.json", '{\n  "name": "a"\n  "turns": [] }', 3],
    ["JSON", "demo.json", '{\n  "name": "a\n", "turns": [] }', 2],
    ["JSON", "demo.json", '{ "turns": [\n  { "text": "a", "repeat": 01 }] }', 2],
    ["JSON", "demo.json", '{ "turns": [] }\n\nx', 3],
    ["JSON", "demo.json", "", 1],
  ])("broken %s names the line: %s %j", async (format, name, text, line) => {
    expect(await messageOf(text, name)).toStartWith(`${name}, line ${line}: not ${format}: `);
  });
});

test("a stage cannot reach outside its folder", async () => {
  for (const path of ["/etc/x", "../x", "a/../../x", "~/x", "a//b", "./a", "c:/x", "a\\b", "", "a\u0000b", "a/."]) {
    const script = JSON.stringify({ turns: [{ text: "a" }], project: { files: { [path]: "" } } });
    expect([path, (await messageOf(script, "a.json")).includes("relative path")]).toEqual([path, true]);
  }
  expect(
    await messageOf(
      JSON.stringify({
        turns: [{ text: "a" }],
        project: { files: { "src/.env": "", "a b.txt": "" }, executable: ["../x"] },
      }),
      "a.json",
    ),
  ).toContain("executable[0]");
});
