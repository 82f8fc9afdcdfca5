// The file that is shipped, alone: no sources, no node_modules, no launcher beside it.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { binary, needBinary, root } from "../need.ts";
import { run, scratch } from "../scratch.ts";

const missing = needBinary() !== undefined;

test.skipIf(missing)("dist/pith tells its version", async () => {
  using dir = scratch();
  expect(await run([binary, "--version"], { cwd: dir.path, env: {} })).toEqual({
    code: 0,
    signal: null,
    out: `${version}\n`,
    err: "",
  });
});

test.skipIf(missing)("the page on installing tells how large dist/pith is", () => {
  const page = readFileSync(join(root, "docs", "install.md"), "utf8");
  const parts = [...page.matchAll(/^ +([\d.]+) MB {2}/gm)].map(([, size]) => Number(size));
  expect(parts).toHaveLength(6);
  const said = parts.reduce((sum, part) => sum + part, 0);
  expect(Math.abs(statSync(binary).size / 1e6 / said - 1)).toBeLessThan(0.03);
});

test.skipIf(missing)("dist/pith shows a help that fits one screen", async () => {
  using dir = scratch();
  const { code, out, err } = await run([binary, "--help"], { cwd: dir.path, env: {} });
  const lines = out.trimEnd().split("\n");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(out).toContain("--yolo");
});

test.skipIf(missing)("dist/pith does a scripted job with tool calls, records it and goes on with it", async () => {
  using dir = scratch();
  const script = {
    turns: [
      { text: "I look first.", calls: [{ tool: "read", input: { path: "greeting.txt" } }] },
      { calls: [{ tool: "edit", input: { path: "greeting.txt", edits: [{ oldText: "helo", newText: "hello" }] } }] },
      {
        calls: [
          { tool: "bash", input: { command: "cat greeting.txt" } },
          { tool: "search", input: { pattern: "hello" } },
          { tool: "find", input: { paths: "*.txt" } },
        ],
      },
      { text: "The greeting is mended." },
      { text: "It was a missing l." },
    ],
  };
  dir.write({ "work/greeting.txt": "helo world\n", "script.json": JSON.stringify(script) });
  const place = { cwd: dir.at("work"), env: { HOME: dir.path, PATH: process.env.PATH ?? "" } };
  const model = ["--model", `faux/${dir.at("script.json")}`, "--yolo"];
  const first = await run([binary, "-p", "mend the greeting", ...model], place);
  expect(first).toMatchObject({ code: 0, out: "The greeting is mended.\n" });
  expect(readFileSync(dir.at("work", "greeting.txt"), "utf8")).toBe("hello world\n");

  const results = journal(dir.at(".pith", "sessions")).filter((it) => it.message?.role === "toolResult");
  expect(results.map((it) => [it.message?.toolName, it.message?.isError])).toEqual([
    ["read", false],
    ["edit", false],
    ["bash", false],
    ["search", false],
    ["find", false],
  ]);
  expect(JSON.stringify(results[3])).toContain("greeting.txt");

  const second = await run([binary, "-c", "-p", "what was it?", ...model], place);
  expect(second).toMatchObject({ code: 0, out: "It was a missing l.\n" });
});

test.skipIf(missing)("dist/pith runs one tool as the model would", async () => {
  using dir = scratch();
  dir.write({ "note.txt": "first\nsecond\n" });
  const place = { cwd: dir.path, env: { HOME: dir.path, PATH: process.env.PATH ?? "" } };
  const read = await run([binary, "tool", "read", '{"path":"note.txt"}'], place);
  expect(read).toMatchObject({ code: 0, err: "" });
  expect(read.out).toContain("2:second");
  const batch = await run([binary, "tool", "--batch"], {
    ...place,
    input: '{"name":"search","input":{"pattern":"second"}}\nnonsense\n{"name":"read","input":{"path":"none"}}\n',
  });
  const answers = batch.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(batch.code).toBe(0);
  expect(answers.map((it) => [it.isError, it.details?.kind])).toMatchObject([
    [false, "matches"],
    [true, "prose"],
    [true, "prose"],
  ]);
  expect(answers[0].text).toContain("note.txt");
});

interface Entry {
  message?: { role: string; toolName?: string; isError?: boolean };
}

function journal(folder: string): Entry[] {
  const [bucket = ""] = readdirSync(folder);
  const [file = ""] = readdirSync(`${folder}/${bucket}`).filter((name) => name.endsWith(".jsonl"));
  return readFileSync(`${folder}/${bucket}/${file}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
