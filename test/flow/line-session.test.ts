// Session commands at the line prompt.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

test("/name, /copy, /fork, /diff, /tree, /export and /debug are there at the line prompt, too", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\n" });
  const write = { calls: [{ tool: "write", input: { path: "a.txt", content: "one\nthree\n" } }] };
  const desk = terminal(dir, ["--yolo", ...scripted(dir, write, { text: "First.\u001b[2J" }, { text: "Second." })]);
  const enter = async (text: string, seen: string | RegExp) => {
    await desk.waits();
    desk.type(`${text}\n`);
    await desk.sees(seen);
  };
  await enter("/tree", "nothing was said yet");
  desk.type("\x1b");
  await enter("change it", "First.");
  await enter("/copy", "Copied the message");
  expect(desk.screen()).toContain("\x1b]52;c;");
  await enter("/copy code 3", "There is no code 3.");
  desk.type("\x15");
  await enter("/name \u202eMine", "The session was renamed.");
  await enter("/diff", "changes of the session: 1 hunk");
  await desk.sees("+ three");
  desk.type("\x1b");
  await enter("/diff b.txt", "This session has not changed b.txt.");
  await enter("/export md out.md", "The session is in");
  expect(readFileSync(dir.at("work/out.md"), "utf8")).toContain("First.");
  await enter("/fork", "This is a copy; the session before stays as it was.");
  await enter("and then", "Second.");
  await enter("/tree", "tree (default, 5 entries)");
  desk.type("\x1b[H\r");
  await desk.sees("No summary");
  desk.type("\r");
  await desk.sees(/❯ change it\s*$/);
  desk.type("\x15");
  await enter("/debug report", "The report is");
  await desk.waits();
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
  const kept = readdirSync(dir.at("home"), { recursive: true, encoding: "utf8" });
  expect(kept.filter((name) => name.endsWith(".jsonl") && /--\/[^/]*$/.test(name))).toHaveLength(2);
});
