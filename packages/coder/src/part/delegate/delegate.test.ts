import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Event } from "@pith/agent";
import { type Scratch, scratch, until } from "@pith/kit/test";
import { said } from "../../test/command.ts";
import { coderIn, houseIn, noticesOf, resultsOf, scriptIn, talkIn } from "../../test/open.ts";
import type { TaskData } from "./kinds.ts";

const task = (more: object = {}) => ({
  calls: [{ tool: "run_subagent", input: { task: "Where is the answer?", title: "Find the answer", ...more } }],
});
const read = (path: string) => ({ calls: [{ tool: "read", input: { path } }] });
/** The script of sub-agents. */
const explorer = (dir: Scratch, ...turns: unknown[]) => ({ "roles.explore": scriptIn(dir, turns, "child.json") });
const tasksIn = (events: readonly Event[]): TaskData[] =>
  events.flatMap((event) =>
    event.type === "progress" && event.part.kind === "task" ? [event.part.data as TaskData] : [],
  );
const folderOf = (file: string | undefined) => (file ?? "").replace(/\.jsonl$/, "");

test("a sub-agent works in a context of its own, and only its report comes back", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "export const answer = 42;\n", "work/AGENTS.md": "Marker of the project.\n" });
  const set = explorer(
    dir,
    { thinking: "Let me look.", ...read("a.ts"), expect: { system: ["sub-agent", "Marker of the project."] } },
    { text: "It stands at a.ts:1.", expect: { result: "answer = 42" } },
  );
  const turns = [task({ description: "in all files" }), { text: "Found.", expect: { result: "a.ts:1" } }];
  await using coder = disposing(await coderIn(dir, turns, { set }));
  await coder.send({ text: "go" });
  expect(resultsOf(coder)).toEqual(["It stands at a.ts:1."]);
  const last = tasksIn(coder.events).at(-1);
  expect(last).toMatchObject({ title: "Find the answer", description: "in all files", mode: "explore", callCount: 1 });
  expect(last?.calls).toEqual([{ tool: "read", about: "a.ts", state: "done" }]);
  expect(last?.thinking).toBe("Let me look.");
  // Its messages and results are no events of this conversation.
  const seen = coder.events.filter((event) => event.type !== "progress");
  const rest = JSON.stringify(seen.filter((event) => event.type !== "entry"));
  expect(rest).not.toContain("Let me look.");
  expect(rest).not.toContain("It stands at");
  const folder = folderOf(coder.file);
  expect(readdirSync(folder).toSorted()).toEqual(expect.arrayContaining(["explore.jsonl", "explore.md"]));
  expect(readFileSync(`${folder}/explore.md`, "utf8")).toBe("It stands at a.ts:1.");
  expect(readFileSync(`${folder}/explore.jsonl`, "utf8")).toContain("Let me look.");
});

const disposing = <T extends { close(): Promise<void> }>(coder: T) =>
  Object.assign(coder, { [Symbol.asyncDispose]: () => coder.close() });

test("a focus area stands in the task, and the report is limited by the prompt", async () => {
  using dir = scratch();
  const expected = { user: ["Where is the answer?", "FOCUS AREA\nsrc/"], system: "1500 words" };
  const set = explorer(dir, { text: "Nowhere.", expect: expected });
  await using coder = disposing(await coderIn(dir, [task({ context_hint: "src/" }), { text: "Ok." }], { set }));
  await coder.send({ text: "go" });
  expect(resultsOf(coder)).toEqual(["Nowhere."]);
});

test.each([
  ["explore", 10],
  ["plan", 10],
  ["review", 15],
  ["deep-explore", 20],
  ["chat", 10],
] as const)("a sub-agent in the mode %s that never ends is ended after %d requests", async (mode, most) => {
  using dir = scratch();
  dir.write({ "work/a.ts": "1\n" });
  const paths = Array.from({ length: 40 }, (_, at) => ({ ...read(`a.ts:${at + 1}`), text: `Step ${at + 1}.` }));
  const set = { ...explorer(dir, ...paths), "loop.mode": "off" as const };
  await using coder = disposing(await coderIn(dir, [task({ mode }), { text: "Ok." }], { set }));
  await coder.send({ text: "go" });
  const record = readFileSync(`${folderOf(coder.file)}/${mode}.jsonl`, "utf8");
  expect(record.split("\n").filter((line) => line.includes('"role":"assistant"'))).toHaveLength(most);
  expect(record).toContain(`last of your ${most} requests`);
  expect(resultsOf(coder)[0]).toContain("did not come to its end");
  expect(tasksIn(coder.events).length).toBeGreaterThan(0);
});

test("a sub-agent has the tools of its mode and can start no other", async () => {
  using dir = scratch();
  const house = await houseIn(dir, {
    "roles.explore": scriptIn(
      dir,
      [{ calls: [{ tool: "run_subagent", input: { task: "x", title: "y" } }] }, { text: "No." }],
      "child.json",
    ),
  });
  const asked: string[][] = [];
  const stream: typeof house.models.stream = (request, signal) => {
    if (request.system.join().includes("sub-agent of pith")) asked.push(request.tools.map(({ name }) => name));
    return house.models.stream(request, signal);
  };
  const heard = { ...house, models: { ...house.models, stream } };
  const model = scriptIn(dir, [task({ mode: "review" }), task(), { text: "Ok." }]);
  const { coder } = await talkIn(heard, { model });
  await coder.send({ text: "go" });
  await coder.close();
  expect(asked[0]?.toSorted()).toEqual(["ast_grep", "bash", "find", "read", "search"]);
  expect(asked.at(-1)?.toSorted()).toEqual(["ast_grep", "find", "read", "search"]);
  expect(readFileSync(`${folderOf(coder.file)}/review.jsonl`, "utf8")).toContain("There is no tool");
});

test("a deep exploration has sub-agents, which have none, and the session counts all costs", async () => {
  using dir = scratch();
  const usage = { input: 100, output: 10 };
  const inner = { tool: "run_subagent", input: { task: "The tests?", title: "Look at tests" } };
  const house = await houseIn(dir, {
    "roles.explore": scriptIn(
      dir,
      [
        { text: "No tests.", usage, when: { user: "The tests?" } },
        { calls: [inner], usage, expect: { system: "a sub-agent of yours" } },
        { text: "It has no tests.", usage, expect: { result: "No tests." } },
      ],
      "child.json",
    ),
  });
  const asked: string[][] = [];
  const stream: typeof house.models.stream = (request, signal) => {
    if (request.system.join().includes("sub-agent of pith")) asked.push(request.tools.map(({ name }) => name));
    return house.models.stream(request, signal);
  };
  const heard = { ...house, models: { ...house.models, stream } };
  const { coder } = await talkIn(heard, { model: scriptIn(dir, [task({ mode: "deep-explore" }), { text: "Ok." }]) });
  await coder.send({ text: "go" });
  expect(resultsOf(coder)).toEqual(["It has no tests."]);
  expect(asked.map((tools) => tools.includes("run_subagent"))).toEqual([true, false, true]);
  expect(coder.scene.spent.tokens).toBeGreaterThanOrEqual(330);
  await coder.close();
  const folder = `${folderOf(coder.file)}/deep-explore`;
  expect(readFileSync(`${folder}/explore.md`, "utf8")).toBe("No tests.");
});

test("a sub-agent may not write, run commands or read elsewhere unasked, even if the session may", async () => {
  using dir = scratch();
  dir.write({ "elsewhere.txt": "private\n" });
  const calls = [
    { tool: "write", input: { path: "new.txt", content: "x" } },
    { tool: "bash", input: { command: "echo x > made.txt" } },
    { tool: "bash", input: { command: "curl http://127.0.0.1:9/" } },
    { tool: "read", input: { path: dir.at("elsewhere.txt") } },
  ];
  const set = explorer(dir, { calls }, { text: "Tried." });
  await using coder = disposing(await coderIn(dir, [task({ mode: "review" }), { text: "Ok." }], { set, asks: false }));
  await coder.send({ text: "go" });
  const record = readFileSync(`${folderOf(coder.file)}/review.jsonl`, "utf8");
  expect(existsSync(dir.at("work/new.txt")) || existsSync(dir.at("work/made.txt"))).toBe(false);
  expect(record.split("\n").filter((line) => line.includes('"isError":true'))).toHaveLength(4);
  expect(record).not.toContain("private");
  expect(coder.events.filter(({ type }) => type === "question")).toEqual([]);
});

test.each([
  ["yes", "auto", { tool: "read", input: { path: "../elsewhere.txt" } }, "reads", "told in secret"],
  ["no", "auto", { tool: "read", input: { path: "../elsewhere.txt" } }, "reads", "The user said no"],
  ["yes", "ask", { tool: "bash", input: { command: "cat notes.txt" } }, "cat notes.txt", "kept in notes"],
  ["no", "ask", { tool: "bash", input: { command: "cat notes.txt" } }, "cat notes.txt", "The user said no"],
] as const)(
  "what asks in a sub-agent is asked in the session under its name: %s in %s",
  async (say, approval, ...rest) => {
    const [call, words, result] = rest;
    using dir = scratch();
    dir.write({ "elsewhere.txt": "told in secret\n", "work/notes.txt": "kept in notes\n" });
    const set = explorer(dir, { calls: [call] }, { text: "Tried.", expect: { result } });
    const turns = [task({ mode: "review" }), { text: "Ok." }];
    await using coder = disposing(await coderIn(dir, turns, { set, approval }));
    coder.subscribe((event) => {
      if (event.type === "question") coder.answer(event.question.id, { say });
    });
    await coder.send({ text: "go" });
    expect(resultsOf(coder)).toEqual(["Tried."]);
    const asked = coder.events.flatMap((event) => (event.type === "question" ? [event.question] : []));
    expect(asked).toEqual([expect.objectContaining({ agent: "review", form: "approval" })]);
    expect(asked[0]?.text).toStartWith("Sub-agent Find the answer: ");
    expect(`${asked[0]?.text} ${asked[0]?.intent?.command}`).toContain(words);
    expect(coder.scene.questions).toEqual([]);
    expect(readFileSync(coder.file ?? "", "utf8")).toContain('"agent":"review"');
  },
);

test("a session that comes to ask about every command has its sub-agents ask, too", async () => {
  using dir = scratch();
  dir.write({ "work/notes.txt": "kept in notes\n" });
  const cat = { calls: [{ tool: "bash", input: { command: "cat notes.txt" } }] };
  const set = explorer(dir, cat, cat, { text: "Tried." });
  await using coder = disposing(
    await coderIn(dir, [task({ mode: "review" }), { text: "Ok." }], { set, approval: "auto" }),
  );
  let asked = 0;
  coder.subscribe((event) => {
    if (event.type === "progress") coder.configure({ approval: "ask" });
    if (event.type !== "question") return;
    asked++;
    coder.answer(event.question.id, { say: "no" });
  });
  await coder.send({ text: "go" });
  expect(asked).toBeGreaterThan(0);
  expect(resultsOf(coder)).toEqual(["Tried."]);
});

test("the cost of a sub-agent counts for the session, and a budget ends it", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "1\n" });
  const usage = { input: 100, output: 10 };
  const set = explorer(dir, { ...read("a.ts"), usage }, { ...read("a.ts:1"), usage }, { text: "Late.", usage });
  await using coder = disposing(await coderIn(dir, [task(), { text: "Ok." }], { set, maxTokens: 200 }));
  await coder.send({ text: "go" });
  expect(coder.scene.spent.tokens).toBeGreaterThanOrEqual(220);
  expect(resultsOf(coder)[0]).toContain("--max-tokens");
  expect(resultsOf(coder)[0]).not.toContain("Late.");
  expect((await coder.usage()).total.input).toBeGreaterThanOrEqual(200);
});

test("an interrupt reaches sub-agents that work and those that wait", async () => {
  using dir = scratch();
  const set = { ...explorer(dir, { text: "Hm", hang: true }), "subagents.parallel": 1 };
  const both = { calls: [...task().calls, ...task({ title: "Another one here" }).calls] };
  await using coder = disposing(await coderIn(dir, [both, { text: "Ok." }], { set }));
  const turn = coder.send({ text: "go" });
  await until(
    () => tasksIn(coder.events).some(({ state }) => state === "running") || coder.scene.status.agents !== undefined,
    "a sub-agent",
  );
  expect(coder.scene.status.agents).toBe("1 agent");
  await coder.interrupt("enough");
  await turn;
  expect(coder.scene.status.agents).toBeUndefined();
  expect(resultsOf(coder)).toHaveLength(2);
});

test("a warning of a sub-agent is passed on with its title, and nothing else", async () => {
  using dir = scratch();
  const set = explorer(dir, { error: { kind: "auth", message: "no key" } });
  await using coder = disposing(await coderIn(dir, [task(), { text: "Ok." }], { set }));
  await coder.send({ text: "go" });
  expect(resultsOf(coder)[0]).toContain("The sub-agent failed: ");
  expect(noticesOf(coder.events).every((text) => text.startsWith("Sub-agent Find the answer: "))).toBe(true);
});

test("/explorer chooses the model of sub-agents, a resume keeps it, and a record cannot name a script", async () => {
  using dir = scratch();
  const house = await houseIn(dir);
  const child = scriptIn(dir, [{ text: "Mine." }], "child.json");
  const model = scriptIn(dir, [task(), { text: "Ok." }, { text: "Again." }]);
  const first = await talkIn(house, { model });
  const run = (words: string, of = first) =>
    said(
      of.hall.commands.rows.find(({ name }) => name === "explorer"),
      words,
    );
  expect(await run("")).toContain("script.json");
  expect(await run("nobody/nothing")).not.toContain("From now on");
  expect(await run(child)).toContain("child.json");
  await first.coder.send({ text: "go" });
  expect(resultsOf(first.coder)).toEqual(["Mine."]);
  await first.coder.close();
  const again = await talkIn(await houseIn(dir), { model, session: { open: "file", path: first.coder.file ?? "" } });
  expect(await run("", again)).toContain("script.json");
  await again.coder.close();
});

test("a model for sub-agents that is not available is reported once, in one line", async () => {
  using dir = scratch();
  const [call] = task().calls;
  const turns = [{ calls: [call, call] }, { text: "a." }, { text: "b." }, { text: "Ok." }];
  const set = { "roles.explore": "nobody/nothing" };
  await using coder = disposing(await coderIn(dir, turns, { set }));
  await coder.send({ text: "go" });
  const told = noticesOf(coder.events).filter((text) => text.includes("nobody/nothing"));
  expect(told).toEqual([
    expect.stringMatching(/^Sub-agents ask .*, not nobody\/nothing: there is no vendor "nobody"\.$/),
  ]);
});

test("a sub-agent has no shell where its parent has none", async () => {
  using dir = scratch();
  const house = await houseIn(dir, { "roles.explore": scriptIn(dir, [{ text: "No." }], "child.json") });
  const asked: string[][] = [];
  const stream: typeof house.models.stream = (request, signal) => {
    if (request.system.join().includes("sub-agent of pith")) asked.push(request.tools.map(({ name }) => name));
    return house.models.stream(request, signal);
  };
  const heard = { ...house, models: { ...house.models, stream } };
  const model = scriptIn(dir, [task({ mode: "review" }), { text: "Ok." }]);
  const { coder } = await talkIn(heard, { model, tools: ["read", "run_subagent"] });
  await coder.send({ text: "go" });
  await coder.close();
  expect(asked.map((names) => names.toSorted())).toEqual([["ast_grep", "find", "read", "search"]]);
});
