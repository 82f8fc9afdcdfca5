// The coder without a face: what a program that embeds pith does.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Entry, Event } from "@pith/agent";
import { scratch, until } from "@pith/kit/test";
import type { Coder } from "./hall/coder.ts";
import { said } from "./test/command.ts";
import { coderIn, resultsOf, scriptIn } from "./test/open.ts";

const messages = (coder: Coder) =>
  coder.path().flatMap((entry) => (entry.type === "message" ? [entry.message.role] : []));
const users = (coder: Coder) =>
  coder
    .path()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "user" ? [JSON.stringify(entry.message.content)] : [],
    );
/** Waits for the first event of a kind. */
const first = (coder: Coder, wanted: (event: Event) => boolean) =>
  new Promise<Event>((done) => void coder.subscribe((event) => wanted(event) && done(event)));
const asking = (event: Event) => event.type === "turn" && event.state.name === "asking";
/** A call that runs until there is a file `go`. */
const untilGo = { calls: [{ tool: "bash", input: { command: "until [ -e go ]; do sleep 0.01; done" } }] };
const write = (path: string) => ({ calls: [{ tool: "write", input: { path, content: "x" } }] });

test("a program runs a prompt, answers a question, steers, and reads the record, without any argv", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [write("a.txt"), { text: "Done.", expect: { user: "and say done" } }], {
    approval: "ask",
  });
  using _ = coder.subscribe((event) => {
    if (event.type !== "question") return;
    void coder.send({ text: "and say done" }, "steer");
    coder.answer(event.question.id, { say: "yes" });
  });
  await coder.send({ text: "write it" });
  expect(messages(coder)).toEqual(["user", "assistant", "toolResult", "user", "assistant"]);
  expect(coder.events.map(({ type }) => type)).toContain("question");
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("x");
  await coder.close();
});

test("an interrupt from a program ends the turn and the coder can be used again", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ hang: true }, { text: "Here again." }], { asks: false });
  const asked = first(coder, asking);
  const sent = coder.send({ text: "wait" });
  await asked;
  await coder.interrupt("enough");
  await sent;
  await coder.send({ text: "hello?" });
  const ends = coder.events.flatMap((event) =>
    event.type === "turn" && event.state.name === "idle" ? [event.state.end.reason] : [],
  );
  expect(ends).toEqual(["interrupted", "done"]);
  await coder.close();
});

test("what runs unasked and how long the model thinks is changed while a conversation goes on, and kept", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [write("a.txt"), { text: "No." }, write("b.txt"), { text: "Yes." }], {
    approval: "ask",
    asks: false,
  });
  await coder.send({ text: "write a" });
  coder.configure({ approval: "write", thinking: "high" });
  coder.configure({ thinking: "high" });
  expect(coder.choice).toMatchObject({ approval: "write", effort: "high" });
  await coder.send({ text: "write b" });
  const [refused, written] = resultsOf(coder);
  expect(refused).toContain("--approval write");
  expect(written).not.toContain("--approval");
  const levels = (entries: readonly Entry[]) =>
    entries.flatMap((entry) => (entry.type === "thinking_level_change" ? [entry.thinkingLevel] : []));
  expect(levels(coder.path()).filter((level) => level === "high")).toHaveLength(1);
  await coder.close();
  const later = await coderIn(dir, [{ text: "Hi." }], { session: { open: "file", path: coder.file ?? "" } });
  expect(later.choice.effort).toBe("high");
  await later.close();
});

test.each([
  ["all", 3],
  ["one-at-a-time", 4],
] as const)("what waits for the end of a turn is delivered %s when that is chosen", async (followUpMode, answers) => {
  using dir = scratch();
  const coder = await coderIn(dir, [untilGo, { text: "First." }, { text: "Second." }, { text: "Third." }]);
  coder.configure({ followUpMode });
  expect(coder.choice.queue.after).toBe(followUpMode);
  const sent = coder.send({ text: "begin" });
  await until(() => coder.scene.calls.length === 1, "the running call");
  void coder.send({ text: "this" }, "after");
  void coder.send({ text: "that" }, "after");
  await until(() => coder.scene.queue.length === 2, "both in the queue");
  dir.write({ "work/go": "" });
  await sent;
  expect(users(coder)).toHaveLength(3);
  expect(messages(coder).filter((role) => role === "assistant")).toHaveLength(answers);
  await coder.close();
});

const together = ["user", "assistant", "toolResult", "user", "user", "assistant"] as const;
const apart = ["user", "assistant", "toolResult", "user", "assistant", "user", "assistant"] as const;
test.each([
  ["all", "the setting", together],
  ["all", "chosen", together],
  ["one-at-a-time", "the setting", apart],
  ["one-at-a-time", "chosen", apart],
] as const)("what steers is delivered %s when that is %s", async (steeringMode, by, roles) => {
  using dir = scratch();
  const coder = await coderIn(dir, [write("a.txt"), { text: "Second." }, { text: "Third." }], {
    approval: "ask",
    set: { steeringMode: by === "the setting" ? steeringMode : steeringMode === "all" ? "one-at-a-time" : "all" },
  });
  if (by === "chosen") coder.configure({ steeringMode });
  const question = first(coder, (event) => event.type === "question");
  const sent = coder.send({ text: "begin" });
  const asked = await question;
  void coder.send({ text: "this" }, "steer");
  void coder.send({ text: "that" }, "steer");
  await until(() => coder.scene.queue.length === 2, "both in the queue");
  if (asked.type === "question") coder.answer(asked.question.id, { say: "yes" });
  await sent;
  expect(messages(coder)).toEqual([...roles]);
  await coder.close();
});

test("input that was taken back is never delivered, by no resume either", async () => {
  using dir = scratch();
  const turns = [{ hang: true }, { text: "Later." }];
  const coder = await coderIn(dir, turns);
  const asked = first(coder, asking);
  const sent = coder.send({ text: "begin" });
  await asked;
  void coder.send({ text: "not this" }, "after");
  void coder.send({ text: "but this" }, "after");
  await until(() => coder.scene.queue.length === 2, "both in the queue");
  const [unwanted] = coder.scene.queue;
  expect(coder.withdraw(unwanted?.id ?? "")).toEqual({ text: "not this" });
  expect(coder.withdraw(unwanted?.id ?? "")).toBeUndefined();
  expect(coder.scene.queue.map(({ text, when }) => [text, when])).toEqual([["but this", "after"]]);
  await coder.interrupt("enough");
  await sent;
  await coder.close();
  const model = scriptIn(dir, [{ text: "One." }, { text: "Two." }, { text: "Three." }], "later.json");
  const later = await coderIn(dir, turns, { model, session: { open: "file", path: coder.file ?? "" } });
  expect(later.scene.queue.map(({ text }) => text)).toEqual(["but this"]);
  await later.send({ text: "go on" });
  expect(users(later).join()).toContain("but this");
  expect(users(later).join()).not.toContain("not this");
  await later.close();
});

test("the scene tells who joins late what stands: the question, the call, what waits", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [write("a.txt"), untilGo, { text: "Done." }, { text: "Stopped." }], {
    approval: "ask",
  });
  expect(coder.scene).toMatchObject({ turn: undefined, questions: [], queue: [], calls: [] });
  const sent = coder.send({ text: "begin" });
  await until(() => coder.scene.questions.length === 1, "the question");
  const [question] = coder.scene.questions;
  expect(question).toMatchObject({ agent: "main", form: "approval", intent: { effect: "write" } });
  void coder.send({ text: "and then stop" }, "after");
  await until(() => coder.scene.queue.length === 1, "the queue");
  coder.configure({ approval: "yolo" });
  coder.answer(question?.id ?? "", { say: "yes" });
  await until(() => coder.scene.calls.some(({ call }) => call.name === "bash"), "the running call");
  expect(coder.scene).toMatchObject({ turn: { name: "running" }, questions: [] });
  dir.write({ "work/go": "" });
  await sent;
  expect(coder.scene).toMatchObject({
    turn: { name: "idle", end: { reason: "done" } },
    questions: [],
    queue: [],
    calls: [],
  });
  await coder.close();
});

test("a command that a person types is heard while it runs, and recorded when it is over", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "Hi." }]);
  const ran = coder.command("echo first; until [ -e go ]; do sleep 0.01; done; echo last", "in");
  await until(() => Object.values(coder.scene.outputs).some(({ text }) => text.includes("first")), "live output");
  dir.write({ "work/go": "" });
  expect(await ran).toMatchObject({ output: "first\nlast\n", exitCode: 0, cancelled: false });
  expect(coder.scene.outputs).toEqual({});
  const outputs = coder.events.flatMap((event) => (event.type === "output" ? [event] : []));
  // It stands there before it says anything.
  const command = expect.stringContaining("echo first");
  expect(outputs.slice(0, 2)).toMatchObject([
    { command, text: "", lines: 0 },
    { command, text: "first\n" },
  ]);
  expect(outputs.at(-1)).not.toHaveProperty("text");
  expect(messages(coder)).toEqual(["bashExecution" as "user"]);
  await coder.close();
});

test("what a person runs during a turn gets its place behind the calls, before the model is asked next", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [untilGo, { text: "Done." }]);
  const sent = coder.send({ text: "begin" });
  await until(() => coder.scene.calls.length === 1, "the running call");
  await coder.command("echo mine", "in");
  dir.write({ "work/go": "" });
  await sent;
  expect(messages(coder)).toEqual(["user", "assistant", "toolResult", "bashExecution" as "user", "assistant"]);
  await coder.close();
});

test("what a person ran during a turn is recorded also when the turn ends without asking the model again", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ hang: true }]);
  const asked = first(coder, asking);
  const sent = coder.send({ text: "begin" });
  await asked;
  await coder.command("echo mine", "in");
  expect(messages(coder)).toEqual(["user"]);
  await coder.interrupt("enough");
  await sent;
  expect(messages(coder).at(-1)).toBe("bashExecution" as "user");
  await coder.close();
});

test("what a person runs is recorded also when pith ends in the middle of it", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "Hi." }]);
  const ran = coder.command("echo begun; sleep 60", "in");
  await until(() => Object.keys(coder.scene.outputs).length === 1, "live output");
  await coder.close();
  expect(readFileSync(coder.file ?? "", "utf8")).toContain("echo begun");
  expect(await ran).toMatchObject({ cancelled: true });
});

test("an interrupt ends what a person runs", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "Hi." }]);
  const ran = coder.command("echo on; sleep 60", "out");
  await until(() => Object.keys(coder.scene.outputs).length === 1, "live output");
  await coder.interrupt("enough");
  expect(await ran).toMatchObject({ cancelled: true, excludeFromContext: true });
  await coder.close();
});

test("while a turn runs, a command for any time is carried out, and another is told to wait", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [write("a.txt"), { text: "Done." }, { hang: true }]);
  const perform = async (text: string) => {
    const typed = coder.commands.read(text);
    if (typed.is !== "command") throw new Error(`${text} is ${typed.is}`);
    const ending = await coder.perform(typed);
    return ending.do === "show" ? ending.outcome.text : ending.do;
  };
  await coder.send({ text: "write it" });
  const asked = first(coder, asking);
  const sent = coder.send({ text: "wait" });
  await asked;
  expect(await perform("/undo")).toBe("busy");
  expect(await perform("/jobs")).toBe("There are no background jobs.");
  expect(await perform("/quit")).toBe("wish");
  await coder.interrupt("enough");
  await sent;
  expect(await perform("/undo")).toContain("a.txt");
  expect(await Bun.file(dir.at("work/a.txt")).exists()).toBe(false);
  await coder.close();
});

test("only what a person typed is a command: what a program sends is said to the model as it is", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ expect: { user: "/undo" }, text: "What shall be undone?" }]);
  await coder.send({ text: "/undo" });
  expect(messages(coder)).toEqual(["user", "assistant"]);
  await coder.close();
});

test("a resumed session keeps the dialect that its model was told, whatever the environment says", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "Hi." }], { set: { "edit.mode": "patch" } });
  await coder.send({ text: "hello" });
  await coder.close();
  const later = await coderIn(dir, [{ text: "Hi." }, { text: "Again." }], {
    set: { "edit.mode": "replace" },
    env: { PATH: process.env.PATH, PITH_EDIT_VARIANT: "hashline" },
    session: { open: "file", path: coder.file ?? "" },
  });
  await later.send({ text: "hello again" });
  expect(later.choice.dialect).toBe("patch");
  expect(later.path().filter((entry) => entry.type === "custom" && entry.customType === "pith.prompt")).toHaveLength(1);
  await later.close();
});

test("help names every command that the parts bring", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "Hi." }]);
  const help = await said(coder.commands.rows.find(({ name }) => name === "help"));
  const names = [
    ..."help approval why context memory todo plan btw explorer cost skip undo redo keep changes".split(" "),
    ..."jobs more save history model quit sources reload init new hooks compact handoff".split(" "),
  ];
  expect(coder.commands.rows.map(({ name }) => name)).toEqual(names);
  for (const name of names) expect(help).toContain(`/${name}`);
  await coder.close();
});

test("going back in the tree has the summary written by the model that is in use now", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "One." }, { text: "Two." }]);
  const side = { branch: "Summed up by the other." };
  await coder.send({ text: "first" });
  const [, answer = ""] = coder.path().flatMap((entry) => (entry.type === "message" ? [entry.id] : []));
  await coder.send({ text: "second" });
  expect(await coder.use(scriptIn(dir, [{ text: "Hi." }], "other.json", { side }))).toMatchObject({
    ok: true,
  });
  expect(await coder.walk.go(answer, "own")).toMatchObject({
    done: "moved",
    summary: { summary: expect.stringContaining("Summed up by the other.") },
  });
  await coder.close();
});

test("a program has the last word on every block of the system prompt, and it is recorded as said", async () => {
  using dir = scratch();
  let given: readonly string[] = [];
  const every = (blocks: readonly string[]) => {
    given = blocks;
    return ["Only this."];
  };
  const coder = await coderIn(dir, [{ text: "Hi." }], { words: { every } });
  await coder.send({ text: "hello" });
  const prompts = coder.path().flatMap((entry) => {
    const isPrompt = entry.type === "custom" && entry.customType === "pith.prompt";
    return isPrompt ? [(entry.data as { system?: unknown }).system] : [];
  });
  expect([given.length >= 2, given[0]?.startsWith("You are pith"), prompts]).toEqual([true, true, [["Only this."]]]);
  await coder.close();
});
