// Editors drive pith by the Agent Client Protocol.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import {
  type EditorOptions,
  methods,
  openEditor,
  type RequestError,
  saidIn,
} from "../../packages/cli/src/test/editor.ts";
import { until } from "../../packages/kit/src/test/index.ts";
import { envOf, main, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const { session } = methods.agent;
function editor(dir: Scratch, { argv = [], env, ...more }: Partial<EditorOptions> & { argv?: readonly string[] }) {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const command = [process.execPath, main, "--", "acp", ...argv];
  return openEditor({ ...more, command, cwd: dir.at("work"), env: envOf(dir, env) });
}

const say = (text: string) => [{ type: "text" as const, text }];

test("a call whose answer a rule has stopped, or that broke off, does not stay pending in an editor", async () => {
  using dir = scratch();
  dir.write({ "work/.pith/rules/mine.md": "---\ncondition: forbidden\n---\nNever do that.\n" });
  const call = (content: string, more = {}) => ({
    calls: [{ tool: "write", input: { path: "a.txt", content } }],
    chunkSize: 8,
    ...more,
  });
  const argv = scripted(dir, call("forbidden and more"), call("fine", { cut: 6 }), call("fine"), { text: "Done." });
  const { agent, updates, close } = await editor(dir, { argv: [...argv, "--approval", "write"] });
  const { sessionId } = await agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await agent.request(session.prompt, { sessionId, prompt: say("go") });
  const last = new Map<string, string | null | undefined>();
  for (const update of updates)
    if (update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update")
      last.set(update.toolCallId, update.status);
  expect([...last.values()].toSorted()).toEqual(["completed", "failed", "failed"]);
  expect(saidIn(updates, "agent_thought_chunk")).toContain("rule broken: mine");
  await close();
});

test("a prompt is answered, its calls are shown with kind, place and difference, and can be loaded again", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\n" });
  const argv = scripted(
    dir,
    { thinking: "hm", text: "I look.", calls: [{ tool: "read", input: { path: "a.txt" } }] },
    { calls: [{ tool: "write", input: { path: "b.txt", content: "three\n" } }] },
    { text: "Done.", usage: { input: 900, output: 20 } },
    { text: "Again." },
  );
  const first = await editor(dir, { argv: [...argv, "--approval", "write"] });
  const made = await first.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  expect(made.modes?.currentModeId).toBe("write");
  expect(made.configOptions?.map(({ id }) => id)).toEqual(["model", "thought_level", "mode"]);
  const { sessionId } = made;
  expect(await first.agent.request(session.prompt, { sessionId, prompt: say("go") })).toEqual({
    stopReason: "end_turn",
  });
  expect(readFileSync(dir.at("work/b.txt"), "utf8")).toBe("three\n");
  const { updates } = first;
  expect(saidIn(updates, "agent_message_chunk")).toBe("I look.Done.");
  expect(saidIn(updates, "agent_thought_chunk")).toBe("hm");
  const calls = updates.filter((update) => update.sessionUpdate === "tool_call");
  expect(calls).toMatchObject([
    { kind: "read", status: "pending" },
    { kind: "edit", status: "pending" },
  ]);
  const done = updates.filter((update) => update.sessionUpdate === "tool_call_update" && update.status === "completed");
  expect(done).toMatchObject([
    { locations: [{ path: dir.at("work/a.txt") }] },
    { content: [{ type: "diff", path: dir.at("work/b.txt"), oldText: null, newText: "three\n" }] },
  ]);
  expect(updates.some((update) => update.sessionUpdate === "available_commands_update")).toBe(true);
  expect(updates.some((update) => update.sessionUpdate === "usage_update")).toBe(true);
  expect(await first.close()).toEqual({ code: 0, err: "" });

  const second = await editor(dir, { argv });
  const listed = await second.agent.request(session.list, { cwd: dir.at("work") });
  expect(listed.sessions).toMatchObject([{ sessionId, cwd: dir.at("work") }]);
  await second.agent.request(session.load, { sessionId, cwd: dir.at("work"), mcpServers: [] });
  expect(saidIn(second.updates, "user_message_chunk")).toBe("go");
  expect(saidIn(second.updates, "agent_message_chunk")).toBe("I look.Done.");
  expect(await second.agent.request(session.prompt, { sessionId, prompt: say("more") })).toEqual({
    stopReason: "end_turn",
  });
  expect(saidIn(second.updates, "agent_message_chunk")).toBe("I look.Done.Again.");
  await second.agent.request(session.delete, { sessionId });
  expect((await second.agent.request(session.list, {})).sessions).toEqual([]);
  expect((await second.close()).code).toBe(0);
});

test("what has to be allowed is asked with all of it in sight, a no is a no, and a yes may hold", async () => {
  using dir = scratch();
  const write = (path: string) => ({ calls: [{ tool: "write", input: { path, content: "x\n" } }] });
  const argv = [...scripted(dir, write("no.txt"), write("yes.txt"), { text: "Done." }), "--approval", "ask"];
  const one = await editor(dir, {
    argv,
    permit: ({ toolCall }) => (JSON.stringify(toolCall).includes("no.txt") ? "no" : "yes"),
  });
  const { sessionId } = await one.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await one.agent.request(session.prompt, { sessionId, prompt: say("go") });
  expect(one.asked).toMatchObject([
    { toolCall: { kind: "edit", content: [{ type: "diff", newText: "x\n" }, { type: "content" }] } },
    { options: [{ kind: "allow_once" }, ...(one.asked[1]?.options.slice(1, -1) ?? []), { kind: "reject_once" }] },
  ]);
  expect([existsSync(dir.at("work/no.txt")), existsSync(dir.at("work/yes.txt"))]).toEqual([false, true]);
  await one.close();
});

test("a client that cancels, leaves or cannot answer allows nothing", async () => {
  using dir = scratch();
  const call = { calls: [{ tool: "write", input: { path: "no.txt", content: "x\n" } }] };
  const argv = [...scripted(dir, call, { text: "Done." }), "--approval", "ask"];
  const held = Promise.withResolvers<undefined>();
  const one = await editor(dir, { argv, permit: () => held.promise });
  const { sessionId } = await one.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  const answer = one.agent.request(session.prompt, { sessionId, prompt: say("go") });
  while (one.asked.length === 0) await Bun.sleep(5);
  await one.agent.notify(session.cancel, { sessionId });
  expect(await answer).toEqual({ stopReason: "cancelled" });
  held.resolve(undefined);
  expect((await one.close()).code).toBe(0);
  const two = await editor(dir, { argv, permit: () => new Promise(() => {}) });
  const { sessionId: other } = await two.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  // Who leaves hears no answer.
  two.agent.request(session.prompt, { sessionId: other, prompt: say("go") }).catch(() => {});
  while (two.asked.length === 0) await Bun.sleep(5);
  expect((await two.close()).code).toBe(0);
  expect(existsSync(dir.at("work/no.txt"))).toBe(false);
});

test("a prompt that is cancelled while its files are still looked at begins no turn", async () => {
  using dir = scratch();
  dir.write({ "work/big.txt": "line\n".repeat(20_000) });
  const argv = scripted(
    dir,
    { calls: [{ tool: "write", input: { path: "a.txt", content: "x\n" } }] },
    { text: "Done." },
  );
  const one = await editor(dir, { argv: [...argv, "--yolo"] });
  const { sessionId } = await one.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  const link = { type: "resource_link" as const, name: "big", uri: `file://${dir.at("work/big.txt")}` };
  const prompt = [...say("go"), ...Array.from({ length: 20 }, () => link)];
  const answer = one.agent.request(session.prompt, { sessionId, prompt });
  await one.agent.notify(session.cancel, { sessionId });
  expect(await answer).toEqual({ stopReason: "cancelled" });
  expect(one.updates.some(({ sessionUpdate }) => sessionUpdate === "tool_call")).toBe(false);
  expect(existsSync(dir.at("work/a.txt"))).toBe(false);
  expect((await one.close()).code).toBe(0);
});

test("a slash command that is cancelled says so, and one that is not there is not sent to the model", async () => {
  using dir = scratch();
  const script = { turns: [{ text: "One." }], after: "repeat-last", side: { summary: { text: "Sum.", hang: true } } };
  dir.write({ "script.json": JSON.stringify(script) });
  const capabilities = { session: { compaction: {} } };
  const one = await editor(dir, { argv: ["--model", dir.at("script.json")], capabilities });
  const { sessionId } = await one.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  const ask = (text: string) => one.agent.request(session.prompt, { sessionId, prompt: say(text) });
  await ask("hello");
  const compacting = ask("/compact");
  await until(() => one.updates.some(({ sessionUpdate }) => sessionUpdate === "compaction_update"), "the beginning");
  await one.agent.notify(session.cancel, { sessionId });
  expect(await compacting).toEqual({ stopReason: "cancelled" });
  one.updates.length = 0;
  expect(await ask("/nosuchcommand")).toEqual({ stopReason: "end_turn" });
  expect(saidIn(one.updates, "agent_message_chunk")).toContain("There is no command /nosuchcommand");
  expect((await one.close()).code).toBe(0);
});

test("a question of the model is a form where the client has forms, and options where it has none", async () => {
  using dir = scratch();
  const question = { id: "colour", question: "Which?", options: [{ label: "red" }, { label: "blue" }] };
  const ask = { calls: [{ tool: "ask", input: { questions: [question] } }] };
  const argv = scripted(dir, ask, { text: "Fine." });
  const forms = await editor(dir, {
    argv,
    capabilities: { elicitation: { form: {} } },
    fill: () => ({ action: "accept", content: { answer: "2" } }),
  });
  const one = await forms.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await forms.agent.request(session.prompt, { sessionId: one.sessionId, prompt: say("go") });
  expect(JSON.stringify(forms.updates)).toContain("User selected: blue");
  await forms.close();
  const plain = await editor(dir, { argv, permit: ({ options }) => options[0]?.optionId });
  const two = await plain.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await plain.agent.request(session.prompt, { sessionId: two.sessionId, prompt: say("go") });
  expect(JSON.stringify(plain.updates)).toContain("User selected: red");
  await plain.close();
});

test("of several that may be chosen a client without forms chooses one after another, and takes back", async () => {
  using dir = scratch();
  const options = ["red", "green", "blue"].map((label) => ({ label }));
  const ask = {
    calls: [{ tool: "ask", input: { questions: [{ id: "c", question: "Which?", options, multi: true }] } }],
  };
  const wanted = ["blue", "red", "green", "Not: red", "Done"];
  const one = await editor(dir, {
    argv: scripted(dir, ask, { text: "Fine." }),
    permit: ({ options: offered }) => offered.find(({ name }) => name === wanted[one.asked.length - 1])?.optionId,
  });
  const { sessionId } = await one.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await one.agent.request(session.prompt, { sessionId, prompt: say("go") });
  expect(JSON.stringify(one.updates)).toContain("User selected: green, blue");
  expect(one.asked[0]?.options.map(({ name }) => name)).toEqual(["red", "green", "blue", "No answer"]);
  expect(JSON.stringify(one.asked[4]?.toolCall)).toContain("Chosen so far: green, blue.");
  await one.close();
});

test("modes, levels and commands are changed and told; a wrong value is refused", async () => {
  using dir = scratch();
  const one = await editor(dir, { argv: scripted(dir, { text: "Hello." }) });
  const { sessionId } = await one.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await one.agent.request(session.setMode, { sessionId, modeId: "plan" });
  const set = await one.agent.request(session.setConfigOption, { sessionId, configId: "mode", value: "ask" });
  expect(set.configOptions.find(({ id }) => id === "mode")).toMatchObject({ currentValue: "ask" });
  const wrong = one.agent.request(session.setConfigOption, { sessionId, configId: "mode", value: "wild" });
  expect(await wrong.catch((error: RequestError) => error.code)).toBe(-32602);
  await one.agent.request(session.prompt, { sessionId, prompt: say("/context") });
  expect(saidIn(one.updates, "agent_message_chunk")).toContain("tokens");
  const resumed = await one.agent.request(session.resume, { sessionId, cwd: dir.at("work") });
  expect(resumed.modes?.currentModeId).toBe("ask");
  await one.agent.request(session.close, { sessionId });
  const gone = one.agent.request(session.prompt, { sessionId, prompt: say("hi") });
  expect(await gone.catch((error: RequestError) => error.code)).toBe(-32002);
  await one.close();
});

test("without a model the client is told to sign in, and how", async () => {
  using dir = scratch();
  const one = await editor(dir, { env: { OLLAMA_HOST: "127.0.0.1:9", PITH_NO_DISCOVERY: "1" } });
  const failed = await one.agent
    .request(session.new, { cwd: dir.at("work"), mcpServers: [] })
    .catch((error: RequestError) => error);
  expect(failed).toMatchObject({ code: -32000, message: expect.stringContaining("pith auth add") });
  await one.close();
});

test("unsaved text of the editor is what is read and edited, and undo brings it back", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "old\n", "work/crlf.txt": "one\r\n" });
  const buffers = new Map([[dir.at("work/a.txt"), "typed\nbut not saved\n"]]);
  const saved: string[] = [];
  const edit = (path: string, oldText: string, newText: string) => ({
    calls: [{ tool: "edit", input: { path, edits: [{ old_text: oldText, new_text: newText }] } }],
  });
  const argv = [
    ...scripted(
      dir,
      { calls: [{ tool: "read", input: { path: "a.txt" } }] },
      edit("a.txt", "not saved", "changed"),
      edit("crlf.txt", "one", "two"),
      { text: "Done." },
    ),
    ...["--approval", "write", "--config", dir.at("replace.yml")],
  ];
  dir.write({ "replace.yml": "edit:\n  mode: replace\n" });
  const one = await editor(dir, {
    argv,
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    read: (path) => buffers.get(path) ?? readFileSync(path, "utf8"),
    write(path, content) {
      saved.push(content);
      buffers.set(path, content);
      writeFileSync(path, content);
    },
  });
  const { sessionId } = await one.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await one.agent.request(session.prompt, { sessionId, prompt: say("go") });
  expect(JSON.stringify(one.updates)).toContain("but not saved");
  expect(saved).toEqual(["typed\nbut not saved\n", "typed\nbut changed\n"]);
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("typed\nbut changed\n");
  expect(readFileSync(dir.at("work/crlf.txt"), "utf8")).toBe("two\r\n");
  await one.agent.request(session.prompt, { sessionId, prompt: say("/undo") });
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("typed\nbut not saved\n");
  await one.close();
});

test("an editor that gives an error, or changes the file meanwhile, harms nothing", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "old\n", "replace.yml": "edit:\n  mode: replace\n" });
  const input = { path: "a.txt", edits: [{ old_text: "old", new_text: "new" }] };
  const argv = [
    ...scripted(dir, { calls: [{ tool: "edit", input }] }, { text: "Done." }),
    ...["--approval", "write", "--config", dir.at("replace.yml")],
  ];
  const capabilities = { fs: { readTextFile: true, writeTextFile: true } };
  const broken = await editor(dir, {
    argv,
    capabilities,
    read() {
      throw new Error("no such buffer");
    },
  });
  const first = await broken.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await broken.agent.request(session.prompt, { sessionId: first.sessionId, prompt: say("go") });
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("new\n");
  await broken.close();
  dir.write({ "work/a.txt": "old\n" });
  let reads = 0;
  const typing = await editor(dir, { argv, capabilities, read: () => (reads++ === 0 ? "old\n" : `old ${reads}\n`) });
  const second = await typing.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  await typing.agent.request(session.prompt, { sessionId: second.sessionId, prompt: say("go") });
  expect(JSON.stringify(typing.updates)).toContain("changed in the editor");
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("old\n");
  await typing.close();
});

test("a message that nests without end ends nothing, and the end of input is still the end", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const sent = [
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}',
    `{"jsonrpc":"2.0","id":${deep},"method":"session/list","params":{}}`,
    '{"jsonrpc":"2.0","id":"after","method":"session/list","params":{}}',
  ];
  const child = Bun.spawn([process.execPath, main, "--", "acp", ...scripted(dir, { text: "First." })], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  for (const line of sent) child.stdin.write(`${line}\n`);
  child.stdin.flush();
  let said = "";
  for await (const chunk of child.stdout) {
    said += Buffer.from(chunk).toString();
    if (said.includes('"after"')) child.stdin.end();
  }
  expect(await child.exited).toBe(0);
  expect(said).toContain("-32700");
});

test("a session is found by its whole id alone, and what is too long or no picture ends nothing", async () => {
  using dir = scratch();
  const one = await editor(dir, { argv: scripted(dir, { text: "First." }, { text: "Second." }) });
  const cwd = dir.at("work");
  const { sessionId } = await one.agent.request(session.new, { cwd, mcpServers: [] });
  await one.agent.request(session.prompt, { sessionId, prompt: say("go") });
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => 0,
      ({ code }: RequestError) => code,
    );
  const picture = { type: "image" as const, data: "no base64!", mimeType: "image/png" };
  expect(await refusal(one.agent.request(session.prompt, { sessionId, prompt: [picture] }))).toBe(-32602);
  expect(await refusal(one.agent.request(session.prompt, { sessionId, prompt: [] }))).toBe(-32602);
  expect(await refusal(one.agent.request(session.new, { cwd: "/tmp\0x", mcpServers: [] }))).toBe(-32602);
  await one.agent.request(session.close, { sessionId });
  const [file = ""] = new Bun.Glob("**/*.jsonl").scanSync({ cwd: dir.at("home"), dot: true, absolute: true });
  for (const named of [sessionId.slice(0, 13), file, sessionId.toUpperCase()]) {
    expect(await refusal(one.agent.request(session.load, { sessionId: named, cwd, mcpServers: [] }))).toBe(-32002);
    await one.agent.request(session.delete, { sessionId: named });
  }
  expect(existsSync(file)).toBe(true);
  const long = one.agent.request(session.list, { cursor: "x".repeat(33 << 20) });
  // It is never answered.
  long.catch(() => {});
  expect((await one.agent.request(session.list, {})).sessions).toHaveLength(1);
  expect(await one.close()).toMatchObject({ code: 0 });
});
