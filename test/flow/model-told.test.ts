// The prompt stays true: over a resume, another place, another day, a refusal, a kill.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { ask, model } from "../model.ts";
import { envOf, main, pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

test("after a resume /todo shows closed tasks once, and import and clear replace the whole list", async () => {
  using dir = scratch();
  const todo = (ops: object[]) => ({ tool: "todo", args: { ops } });
  using told = model(
    {
      calls: [
        todo([
          { op: "init", list: [{ phase: "P", items: ["a", "b", "c"] }] },
          { op: "done", task: "a" },
        ]),
        todo([
          { op: "drop", task: "b" },
          { op: "done", task: "c" },
        ]),
      ],
    },
    { text: "done" },
  );
  expect((await ask(dir, told, "go")).code).toBe(0);
  const type = async (command: string) =>
    (await pith(dir, ["-p", "-c", ...told.argv, command], { env: told.env })).out.trim();
  const whole = "# P\n- [x] a\n- [-] b\n- [x] c";
  expect(await type("/todo")).toBe(whole);
  expect(await type("/todo add d")).toContain("- [/] d");
  expect((await type("/todo")).match(/- \[/g)).toHaveLength(4);
  await type("/todo export list.md");
  expect((await type("/todo import list.md")).match(/- \[/g)).toHaveLength(4);
  expect((await type("/todo")).match(/- \[/g)).toHaveLength(4);
  expect(await type("/todo rm a")).not.toContain("[x] a");
  expect(await type("/todo")).not.toContain("[x] a");
  dir.write({ "work/new.md": "- [ ] only\n" });
  expect(await type("/todo import new.md")).toBe("# Todos\n- [/] only");
  expect(await type("/todo")).toBe("# Todos\n- [/] only");
  await type("/todo done only");
  await type("/todo clear");
  expect(await type("/todo")).toBe("The todo list is empty.");
});

test("a prompt that the server refuses is not dropped: the run fails and says so", async () => {
  using dir = scratch();
  using told = model(({ raw }) => (raw.includes("poison") ? { refuse: 400 } : { text: "Fine." }));
  expect(await ask(dir, told, "hello")).toMatchObject({ code: 0, out: "Fine.\n" });
  const refused = await ask(dir, told, "-c", "some poison");
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("refuses this prompt");
  expect(await ask(dir, told, "-c", "go on")).toMatchObject({ code: 0, out: "Fine.\n" });
});

test("messages of --next survive a kill, and go on in their order", async () => {
  using dir = scratch();
  const asked = Promise.withResolvers<void>();
  using told = model(
    () => {
      asked.resolve();
      return new Promise(() => {});
    },
    ({ said }) => ({ text: `heard ${said.at(-1)}` }),
  );
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const child = Bun.spawn(
    [process.execPath, main, "-p", "--yolo", "first", "--next", "second", "--next", "third", ...told.argv],
    { cwd: dir.at("work"), env: envOf(dir, told.env), stdout: "ignore", stderr: "ignore" },
  );
  await asked.promise;
  await until(() => recordOf(dir).split("pith.inbox").length === 3, "the messages on the disk");
  child.kill("SIGKILL");
  await child.exited;
  const again = await ask(dir, told, "-c", "are you there?");
  expect(again).toMatchObject({ code: 0, out: "heard user: third\n" });
  expect(again.err).toContain('left from before and sent along: "second", "third"');
  expect(told.asked.at(-1)?.said.filter((text) => text.startsWith("user"))).toEqual([
    "user: first",
    "user: are you there?",
    "user: second",
    "user: third",
  ]);
});

test("what was said while a killed turn ran comes before a newer prompt, once", async () => {
  using dir = scratch();
  const asked = Promise.withResolvers<void>();
  using told = model(
    () => {
      asked.resolve();
      return new Promise(() => {});
    },
    { text: "Blue it is." },
  );
  const desk = terminal(dir, [...told.argv, "--yolo"], told.env);
  await desk.waits();
  desk.type("paint it\n");
  await asked.promise;
  desk.type("in blue\n");
  await until(() => recordOf(dir).includes("in blue"), "the words on the disk");
  desk.child.kill("SIGKILL");
  await desk.child.exited;
  expect(await ask(dir, told, "-c", "is it done?")).toMatchObject({ code: 0, out: "Blue it is.\n" });
  expect(told.asked.at(-1)?.said).toEqual(["user: paint it", "user: in blue", "user: is it done?"]);
  await ask(dir, told, "-c", "and now?");
  expect(told.asked.at(-1)?.raw.split("in blue")).toHaveLength(2);
});

test("who goes back into the middle of a batch finds what its calls did", async () => {
  using dir = scratch();
  const bash = (command: string) => ({ tool: "bash", args: { command } });
  using told = model({ calls: [bash("echo one"), bash("echo two")] }, { text: "Both ran." });
  await ask(dir, told, "go");
  const entries = recordOf(dir)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const first = entries.find(({ message }) => message?.role === "toolResult");
  const { id } = entries[0];
  expect((await ask(dir, told, "-r", `${id}#${first.id}`, "and?")).code).toBe(0);
  expect(told.asked.at(-1)?.said.slice(-3)).toEqual(["tool: one", "tool: two", "user: and?"]);
});

/** The newest record of a scratch home. */
function recordOf(dir: Scratch): string {
  const [file] = [...new Bun.Glob("home/.pith/sessions/**/*.jsonl").scanSync({ cwd: dir.path, dot: true })];
  return file === undefined ? "" : readFileSync(dir.at(file), "utf8");
}

test("another directory, another day and another model are told when a session goes on", async () => {
  using dir = scratch();
  using told = model({ text: "ok" });
  await ask(dir, told, "hello");
  const [file = ""] = [...new Bun.Glob("home/.pith/sessions/**/*.jsonl").scanSync({ cwd: dir.path, dot: true })];
  const same = await ask(dir, told, "-c", "still here");
  expect(same.code).toBe(0);
  expect(told.asked.at(-1)?.raw).not.toContain("it has changed");

  // As if it had been told long ago.
  const record = readFileSync(dir.at(file), "utf8");
  dir.write({ [file]: record.replace(/Date: \d{4}-\d\d-\d\d/, "Date: 2020-02-02") });
  dir.write({ "other/.keep": "" });
  const elsewhere = () =>
    ask(dir, told, "--model", "openai/gpt-5.4", "--cwd", dir.at("other"), "-r", dir.at(file), "and now?");
  expect((await elsewhere()).code).toBe(0);
  const note = told.asked.at(-1)?.said.find((text) => text.includes("it has changed"));
  expect(note).toContain(`- Working directory: ${dir.at("other")} (before: ${dir.at("work")})`);
  expect(note).toContain(`- Date: ${new Date().toISOString().slice(0, 10)}`);
  expect(note).toContain("- Model: you are openai/gpt-5.4; the answers so far are openai/gpt-5.5's");
  expect(note?.split("\n- ")).toHaveLength(4);
  // A change is reported once.
  await elsewhere();
  expect(told.asked.at(-1)?.raw.split("it has changed")).toHaveLength(2);
});

test("a session that was moved is told of its new place", async () => {
  using dir = scratch();
  using told = model({ text: "ok" });
  await ask(dir, told, "hello");
  const [file = ""] = [...new Bun.Glob("home/.pith/sessions/**/*.jsonl").scanSync({ cwd: dir.path, dot: true })];
  dir.write({ "moved/.keep": "" });
  const moved = await pith(dir, ["session", "move", dir.at(file), dir.at("moved")]);
  expect(moved).toMatchObject({ code: 0 });
  expect((await ask(dir, told, "--cwd", dir.at("moved"), "-c", "where are you?")).code).toBe(0);
  expect(told.asked.at(-1)?.raw).toContain(`- Working directory: ${dir.at("moved")} (before: ${dir.at("work")})`);
});
