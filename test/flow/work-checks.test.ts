// Work that checks itself, through the real program: what people and programs see of it, and how a run ends.
import { expect, test } from "bun:test";
import { full } from "../full.ts";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
const rule = { "work/.pith/rules/mine.md": "---\ncondition: forbidden\n---\nNever say that.\n" };
const slow = { "home/.pith/config.yml": "verify:\n  command: sleep 60\n" };

test("a model that goes in circles ends a run with exit code 1, and says why", async () => {
  using dir = scratch();
  const model = scripted(dir, ...Array.from({ length: 30 }, () => bash("cat gone")));
  const { code, err } = await pith(dir, ["-p", "go", "--approval", "auto", ...model]);
  expect(code).toBe(1);
  expect(err).toContain("goes in circles: the same call has failed 3 times");
});

test("--until works until the command succeeds, ends with 1 if it never does, and goes with -p only", async () => {
  using dir = scratch();
  const model = scripted(dir, { text: "Done." }, write("ok", "1\n"), { text: "Now it is." });
  const done = await pith(dir, ["-p", "go", "--approval", "write", "--until", "test -e ok && echo yes", ...model]);
  expect(done).toMatchObject({ code: 0, out: "Done.\nNow it is.\n" });
  using other = scratch();
  const never = scripted(other, ...Array.from({ length: 30 }, (_, at) => ({ text: `Try ${at}.` })));
  const ended = await pith(other, ["-p", "go", "--mode", "json", "--until", "false", ...never]);
  expect(ended.code).toBe(1);
  expect(ended.err).toContain("did not succeed in 20 rounds");
  expect(ended.out.split("\n").filter((line) => line.includes('"turn_end"'))).toHaveLength(20);
  expect(await pith(dir, ["--line", "--until", "true"])).toMatchObject({ code: 2 });
}, 60_000);

test("time that is used up while a goal is looked at is no success", async () => {
  using dir = scratch();
  const model = scripted(dir, { text: "Done." }, { text: "Again." });
  const { code, err } = await pith(dir, ["-p", "go", "--max-time", "2", "--until", "sleep 60", ...model]);
  expect(err).toContain("--max-time");
  expect(code).not.toBe(0);
}, 30_000);

test("programs hear of a rule that was broken, and every message that began has an end", async () => {
  using dir = scratch();
  dir.write(rule);
  const model = scripted(dir, { text: "a forbidden word" }, { text: "Sorry." });
  const { out, code } = await pith(dir, ["-p", "go", "--mode", "json", ...model]);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(events.find(({ type }) => type === "ttsr_triggered")).toMatchObject({
    how: "stopped",
    rules: [{ name: "mine" }],
  });
  let open = 0;
  for (const { type } of events) {
    if (type === "message_start") open++;
    if (type === "message_end") open--;
    expect(open === 0 || open === 1).toBe(true);
  }
});

test("at the line prompt a stopped answer is named, and /skip ends a check", async () => {
  using dir = scratch();
  dir.write({ ...rule, ...slow });
  const model = scripted(dir, { text: "a forbidden word" }, write("a.txt", "x\n"), { text: "Written." });
  const line = terminal(dir, [...model, "--approval", "auto"]);
  await line.waits();
  line.type("go\r");
  await line.sees("rule broken: mine");
  await line.sees("Written.");
  line.type("/skip\r");
  await line.sees("The check is skipped.");
  await line.waits();
  line.type("/quit\r");
  expect(await line.child.exited).toBe(0);
}, 60_000);

test("on the full screen a stopped answer is gone and named, and /skip ends a check", async () => {
  using dir = scratch();
  dir.write({ ...rule, ...slow });
  const model = scripted(dir, { text: "a forbidden word", chunkSize: 4, chunkDelayMs: 1 }, write("a.txt", "x\n"), {
    text: "Written.",
  });
  const screen = full(dir, [...model, "--approval", "auto"], { columns: 160 });
  await screen.sees("faux");
  screen.type("go\r");
  await screen.sees("rule broken: mine");
  await screen.sees("sleep 60");
  expect(screen.grid()).not.toContain("a forbidden");
  screen.type("/skip\r");
  await screen.sees("The check is skipped.");
  screen.type("/quit\r");
  expect(await screen.child.exited).toBe(0);
}, 60_000);
