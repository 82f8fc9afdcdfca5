// Session commands at the line prompt.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

test("/name, /copy, /fork, /branch, /export, /diff and /debug are there at the line prompt, too", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\n" });
  const write = { calls: [{ tool: "write", input: { path: "a.txt", content: "one\nthree\n" } }] };
  const desk = terminal(dir, ["--yolo", ...scripted(dir, write, { text: "First.\u001b[2J" }, { text: "Second." })]);
  const enter = async (text: string, seen: string | RegExp) => {
    await desk.waits();
    desk.type(`${text}\n`);
    await desk.sees(seen);
  };
  await enter("/branch", "Nothing was said yet.");
  await enter("change it", "First.");
  await enter("/copy", "Copied the message");
  expect(desk.screen()).toContain("\x1b]52;c;");
  await enter("/copy code 3", "There is no code 3.");
  await enter("/name \u202eMine", "The session has its name.");
  await enter("/diff", "modified a.txt +1 -1");
  await desk.sees("+three");
  await enter("/diff b.txt", "Nothing that is still there was changed.");
  await enter("/export md out.md", "The session is in");
  expect(readFileSync(dir.at("work/out.md"), "utf8")).toContain("First.");
  await enter("/fork", /`pith -r [0-9a-f-]{13}` goes on with it/);
  await enter("and then", "Second.");
  await enter("/branch", /1 {2}and then\s+2 {2}change it/);
  await enter("/branch 9", "Usage: /branch");
  await enter("/branch 1", /before you said:\s+and then/);
  await enter("/branch", /1 {2}change it\s+\/branch <n>/);
  await enter("/debug report", "The report is");
  await desk.waits();
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
  const kept = readdirSync(dir.at("home"), { recursive: true, encoding: "utf8" });
  expect(kept.filter((name) => name.endsWith(".jsonl") && /--\/[^/]*$/.test(name))).toHaveLength(2);
});
