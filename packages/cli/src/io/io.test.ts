import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = mkdtempSync(join(tmpdir(), "pith-io-"));
afterAll(() => rmSync(root, { recursive: true }));
const main = join(import.meta.dir, "..", "main.ts");
const options = { cwd: root, env: { HOME: root, PATH: process.env.PATH ?? "" } };
const lines = [
  expect.stringMatching(/^openai, from the strongest/),
  expect.stringMatching(/^ {2}1\. /),
  expect.stringMatching(/^ {2}2\. /),
  expect.stringMatching(/^ {2}3\. /),
  "pith: no key of openai was found",
];

test("what is said after a list stands after it where both go into one pipe or file", () => {
  const sh = (script: string) => Bun.spawnSync(["sh", "-c", script, "sh", process.execPath, main], options).stdout;
  const why = '"$1" "$2" -- auth why openai';
  for (const script of [`${why} 2>&1 | cat`, `${why} >both 2>&1; cat both`])
    expect(sh(script).toString().trimEnd().split("\n")).toEqual(lines);
  expect(sh(`${why} 2>/dev/null | cat`).toString().trimEnd().split("\n")).toEqual(lines.slice(0, -1));
});

test("what is said after a list stands after it at a terminal", async () => {
  let seen = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([process.execPath, main, "--", "auth", "why", "openai"], {
    ...options,
    terminal: { cols: 80, rows: 24, data: (_, data) => (seen += decoder.decode(data, { stream: true })) },
  });
  await child.exited;
  expect(seen.trimEnd().split("\r\n")).toEqual(lines);
});
