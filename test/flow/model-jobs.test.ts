// Background jobs, as the model and the user see them.
import { expect, test } from "bun:test";
import { ask, model } from "../model.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const bash = (command: string, more: object = {}) => ({ tool: "bash", args: { command, ...more } });
const list = { tool: "job", args: { list: true } };

test("the end of a job comes with the next step of the turn, and stdout is the answer to the prompt", async () => {
  using dir = scratch();
  using told = model({ calls: [bash("echo built", { async: true })] }, ({ raw }) =>
    raw.includes("Background job bash-1 (") ? { text: "It is built." } : { calls: [bash("sleep 0.02")] },
  );
  expect(await ask(dir, told, "build it")).toMatchObject({ code: 0, out: "It is built.\n" });
  expect(told.asked.at(-1)?.said.at(-1)).toMatch(/^user: Background job bash-1 .*has completed.*\n\nbuilt$/);
});

test("the end of a job is told once, by a list or by itself", async () => {
  using dir = scratch();
  const ends = ({ raw }: { raw: string }) =>
    raw.split("Background job bash-1 (").length + raw.split("## Completed (1)").length - 2;
  let more = 2;
  using told = model(
    { calls: [bash("mkfifo go; echo > go", { async: true })] },
    { calls: [bash("until [ -p go ]; do sleep 0.01; done; cat go; sleep 0.2"), list] },
    (now) => (ends(now) > 0 && more-- === 0 ? { text: "Seen." } : { calls: [bash("sleep 0.02")] }),
  );
  expect(await ask(dir, told, "go")).toMatchObject({ code: 0, out: "Seen.\n" });
  expect(told.asked.at(-1) && ends(told.asked.at(-1) ?? { raw: "" })).toBe(1);
});

test("what the model says to a reminder comes after the answer, never instead of it", async () => {
  using dir = scratch();
  using told = model(
    { calls: [bash("sleep 60", { async: true })] },
    { text: "The answer is 42." },
    { text: "I do not need the job." },
  );
  const ended = await ask(dir, told, "what is it?");
  expect(ended).toMatchObject({ code: 0, out: "The answer is 42.\nI do not need the job.\n" });
  expect(told.asked.at(-1)?.said.at(-1)).toContain("Still running in the background: bash-1");
});

test("an open task draws another answer, and the first one is kept", async () => {
  using dir = scratch();
  const todo = (ops: object[]) => ({ tool: "todo", args: { ops } });
  using told = model(
    { calls: [todo([{ op: "init", list: [{ phase: "p", items: ["one"] }] }])] },
    { text: "Two files are wrong." },
    { calls: [todo([{ op: "done", task: "one" }])] },
    { text: "The list is closed now." },
  );
  expect((await ask(dir, told, "look")).out).toBe("Two files are wrong.\nThe list is closed now.\n");
});

test("a command that leaves processes behind is told how to keep them", async () => {
  using dir = scratch();
  using told = model({ calls: [bash("sleep 60 & echo started")] }, { text: "ok" });
  await ask(dir, told, "serve");
  expect(told.asked[1]?.results[0]).toContain("`async: true`");
});

test("/quit names the jobs that end with it", async () => {
  using dir = scratch();
  const desk = terminal(dir, [
    "--yolo",
    ...scripted(dir, { calls: [{ tool: "bash", input: { command: "sleep 60", async: true } }] }, { text: "Running." }),
  ]);
  await desk.waits();
  desk.type("serve\n");
  await desk.sees("Running.");
  await desk.waits();
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
  expect(desk.screen()).toContain("Ends with the session: bash-1 (sleep 60).");
});

test("Ctrl+C interrupts a turn that the end of a job began, and the prompt comes back", async () => {
  using dir = scratch();
  const command = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });
  const desk = terminal(dir, [
    "--yolo",
    ...scripted(
      dir,
      command("until [ -e go ]; do sleep 0.02; done", { async: true }),
      { text: "Started." },
      command("sleep 61"),
      { text: "Still here." },
    ),
  ]);
  await desk.waits();
  desk.type("start\n");
  await desk.sees("Started.");
  await desk.waits();
  dir.write({ "work/go": "" });
  await desk.sees("• bash sleep 61");
  desk.type("\u0003");
  await desk.sees("Interrupted.");
  await desk.waits();
  desk.type("are you there?\n");
  await desk.sees("Still here.");
  await desk.waits();
  desk.type("\u0004");
  expect(await desk.child.exited).toBe(0);
});
