import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { argvOf, RpcClient } from "../../packages/cli/src/client/rpc-client.ts";
import { commands } from "../../packages/cli/src/wire/command.ts";
import type { Dialog } from "../../packages/cli/src/wire/frame.ts";
import { envOf, main, scripted } from "../pith.ts";
import { type Line, rpc } from "../rpc.ts";
import { scratch } from "../scratch.ts";

const write = (file: string) => ({ calls: [{ tool: "bash", input: { command: `echo hi > ${file}` } }] });
const isSettled = ({ type }: Line) => type === "agent_settled";
const typesOf = (lines: readonly Line[]) => lines.map(({ type }) => type);

test("the first line says that commands are taken, and a prompt is answered before its turn is over", async () => {
  using dir = scratch();
  await using talk = rpc(dir, scripted(dir, { text: "Hello." }));
  expect(await talk.ask({ type: "prompt", message: "hi" })).toMatchObject({ command: "prompt", success: true });
  await talk.until(isSettled);
  expect(talk.lines[0]).toMatchObject({ type: "ready", protocol: 1, cwd: dir.at("work") });
  // As pi has it: the answer, and then what comes of the prompt.
  const order = typesOf(talk.lines).filter((type) => /response|agent_|turn_/.test(type));
  expect(order).toEqual(["response", "agent_start", "turn_start", "turn_end", "agent_end", "agent_settled"]);
  expect(await talk.ask({ type: "get_last_assistant_text" })).toMatchObject({ data: { text: "Hello." } });
  expect(await talk.end()).toBe(0);
});

test("while a turn runs a prompt says how it is meant, however soon it comes", async () => {
  using dir = scratch();
  await using talk = rpc(dir, scripted(dir, { text: "One." }, { text: "Two." }));
  const all = ["a", "b", "c"].map((message, at) =>
    talk.ask({ type: "prompt", message, ...(at === 2 && { streamingBehavior: "followUp" }) }),
  );
  expect((await Promise.all(all)).map(({ success }) => success)).toEqual([true, false, true]);
  await talk.until(isSettled);
  expect(await talk.ask({ type: "get_fork_messages" })).toMatchObject({
    data: { messages: [{ text: "a" }, { text: "c" }] },
  });
  expect(await talk.end()).toBe(0);
});

test("a question comes twice under one id; the first answer counts, and a later one is an error", async () => {
  using dir = scratch();
  const said = scripted(dir, write("a.txt"), write("b.txt"), { text: "Done." });
  await using talk = rpc(dir, [...said, "--approval", "ask"]);
  await talk.ask({ type: "prompt", message: "go" });
  const first = await talk.until(({ type }) => type === "question");
  const dialog = await talk.until(({ type }) => type === "extension_ui_request");
  expect(dialog).toMatchObject({ id: first.id, method: "select", options: expect.arrayContaining(["Yes", "No"]) });
  expect(String(dialog.title)).toContain("echo hi > a.txt");
  expect(await talk.ask({ type: "answer", question: first.id, option: "maybe" })).toMatchObject({ success: false });
  expect(await talk.ask({ type: "answer", question: first.id, option: "yes" })).toMatchObject({ success: true });
  expect(await talk.ask({ type: "answer", question: first.id, option: "no" })).toMatchObject({ success: false });
  const second = await talk.until(({ type, id }) => type === "extension_ui_request" && id !== first.id);
  talk.send({ type: "extension_ui_response", id: second.id, value: "No" });
  talk.send({ type: "extension_ui_response", id: second.id, value: "Yes" });
  await talk.until(isSettled);
  await talk.until(({ command, success }) => command === "extension_ui_response" && success === false);
  expect([existsSync(dir.at("work/a.txt")), existsSync(dir.at("work/b.txt"))]).toEqual([true, false]);
  expect(await talk.end()).toBe(0);
});

test("what is no command gets an error each, and the server lives", async () => {
  using dir = scratch();
  await using talk = rpc(dir, scripted(dir, { text: "Hello." }));
  const bad: unknown[] = [
    "not json",
    '{"type":"get_state"',
    "[]",
    "7",
    "null",
    '"get_state"',
    `{"id":${"[".repeat(100_000)}${"]".repeat(100_000)},"type":"get_state"}`,
    {},
    { type: 7 },
    { type: "nope" },
    { type: "__proto__" },
    { type: "constructor" },
    { type: "prompt" },
    { type: "prompt", message: { text: "x" } },
    { type: "prompt", message: "x", images: [{ type: "image" }] },
    { type: "set_steering_mode", mode: "sometimes" },
    { type: "set_model", provider: "nobody", modelId: "nothing" },
    { type: "switch_session", sessionPath: "/etc/passwd" },
    { type: "fork", entryId: "zzz" },
    { type: "get_entries", since: "zzz" },
    { type: "answer", question: "main/none", option: "yes" },
    { type: "extension_ui_response", id: "main/none", value: "Yes" },
    { type: "extension_ui_response" },
    { type: "host_tool_result", id: "host_1", result: { content: [] } },
    { type: "set_host_tools", tools: [{ name: "bash", description: "x", parameters: {} }] },
    { type: "prompt", message: "x", images: [{ type: "image", data: "<svg/>", mimeType: "image/png" }] },
    { type: "prompt", message: "x", images: [{ type: "image", data: "aGVsbG8gd29ybGQ=", mimeType: "text/html" }] },
    { type: "clone" },
    { type: "export_html" },
    { type: "prompt", message: "/nosuchcommand" },
    { type: "steer", message: "/approval" },
  ];
  for (const line of bad) talk.send(line);
  expect(await talk.ask({ type: "get_state" })).toMatchObject({ success: true });
  await talk.until(() => talk.lines.filter(({ success }) => success === false).length === bad.length);
  const told = talk.lines.filter(({ success }) => success === false);
  expect(told.slice(0, 9).map(({ command }) => command)).toEqual(Array(9).fill("parse"));
  for (const { error } of told) expect(String(error).length).toBeGreaterThan(5);
  expect(await talk.end()).toBe(0);
});

test("a line of more than 32 MB is passed over and told, an id in use is refused, and CRLF is fine", async () => {
  using dir = scratch();
  await using talk = rpc(dir, scripted(dir, { text: "Hello." }));
  talk.send(`{"type":"prompt","message":"${"x".repeat(33 * 1024 * 1024)}"}`);
  talk.send({ id: "one", type: "bash", command: "sleep 30" });
  talk.send({ id: "one", type: "get_state" });
  talk.send('{"id":"crlf","type":"get_state"}\r');
  await talk.until(({ id, success }) => id === "crlf" && success === true);
  expect(talk.lines.filter(({ success }) => success === false)).toMatchObject([
    { command: "parse" },
    { command: "get_state", id: "one" },
  ]);
  talk.send({ type: "abort_bash" });
  expect(await talk.until(({ command }) => command === "bash")).toMatchObject({ id: "one", data: { cancelled: true } });
  expect(await talk.end()).toBe(0);
}, 60_000);

test("a retry that is given up has an end, and with nothing to give up that is no error", async () => {
  using dir = scratch();
  await using talk = rpc(dir, scripted(dir, { error: { status: 500, message: "boom" } }, { text: "Hello." }));
  expect(await talk.ask({ type: "abort_retry" })).toMatchObject({ success: true });
  await talk.ask({ type: "prompt", message: "go" });
  await talk.until(({ type }) => type === "auto_retry_start");
  expect(await talk.ask({ type: "abort_retry" })).toMatchObject({ success: true });
  await talk.until(({ type }) => type === "agent_settled");
  const retries = talk.lines.filter(({ type }) => type.startsWith("auto_retry"));
  expect(retries).toMatchObject([
    { type: "auto_retry_start", attempt: 1 },
    { type: "auto_retry_end", attempt: 1, success: false, finalError: expect.stringContaining("given up") },
  ]);
  // Unrelated to what follows.
  talk.lines.length = 0;
  await talk.ask({ type: "prompt", message: "again" });
  await talk.until(({ type }) => type === "agent_settled");
  expect(typesOf(talk.lines)).not.toContain("auto_retry_end");
  expect(await talk.end()).toBe(0);
});

/** Longer than what a summary of it keeps word for word. */
const long = "It is long. ".repeat(400);

test("what is said while the conversation is made shorter is taken at once, and answered afterwards", async () => {
  for (const how of [
    { type: "compact" },
    { type: "prompt", message: "/compact" },
    { type: "prompt", message: "/handoff" },
  ]) {
    using dir = scratch();
    const slow = { text: "Sum.", delayMs: 500 };
    const turns = [{ text: long }];
    const script = { turns, after: "repeat-last", side: { summary: slow, handoff: slow } };
    dir.write({ "script.json": JSON.stringify(script) });
    await using talk = rpc(dir, ["--model", dir.at("script.json")]);
    for (const message of ["hi", "and on"]) {
      await talk.ask({ type: "prompt", message });
      await talk.until(({ type }) => type === "agent_settled");
      talk.lines.length = 0;
    }
    talk.send({ ...how, id: "shorter" });
    await talk.until(({ type }) => type === "compaction_start");
    for (const message of ["first of two", "second of two"])
      expect(await talk.ask({ type: "prompt", message })).toMatchObject({ success: true });
    expect(typesOf(talk.lines)).not.toContain("compaction_end");
    await talk.until(({ id, success }) => id === "shorter" && success === true);
    await talk.until(({ type }) => type === "agent_end");
    await talk.until(({ type }) => type === "agent_settled");
    const { data } = await talk.ask({ type: "get_messages" });
    const said = JSON.stringify(data);
    expect(said.indexOf("first of two")).toBeGreaterThan(0);
    expect(said.indexOf("second of two")).toBeGreaterThan(said.indexOf("first of two"));
    expect(await talk.end()).toBe(0);
  }
}, 30_000);

test("what runs can be ended and questions answered while another session waits to be opened", async () => {
  using dir = scratch();
  const script = { turns: [{ text: "One." }], side: { summary: { text: "Sum.", hang: true } } };
  dir.write({ "script.json": JSON.stringify(script) });
  await using talk = rpc(dir, ["--model", dir.at("script.json")]);
  await talk.ask({ type: "prompt", message: "hi" });
  await talk.until(({ type }) => type === "agent_settled");
  talk.send({ id: "compact", type: "prompt", message: "/compact" });
  await talk.until(({ type }) => type === "compaction_start");
  talk.send({ id: "new", type: "new_session" });
  talk.send({ id: "after", type: "get_state" });
  expect(await talk.ask({ type: "answer", question: "none", option: "yes" })).toMatchObject({ success: false });
  expect(await talk.ask({ type: "abort" })).toMatchObject({ success: true });
  await talk.until(({ id }) => id === "compact");
  await talk.until(({ id, success }) => id === "new" && success === true);
  expect(await talk.until(({ id }) => id === "after")).toMatchObject({ data: { messageCount: 0 } });
  expect(await talk.end()).toBe(0);
});

test("after a compaction the messages are the summary and what came with it, not all of it twice", async () => {
  using dir = scratch();
  const script = { turns: [{ text: long }, { text: "Two." }], after: "repeat-last", side: { summary: "In short." } };
  dir.write({ "script.json": JSON.stringify(script), "home/.pith/config.yml": "compaction:\n  keepRecentTokens: 1\n" });
  await using talk = rpc(dir, ["--model", dir.at("script.json")]);
  const say = async (message: string) => {
    talk.lines.length = 0;
    await talk.ask({ type: "prompt", message });
    await talk.until(({ type }) => type === "agent_settled");
  };
  await say("first words");
  await say("second words");
  expect(await talk.ask({ type: "compact" })).toMatchObject({ success: true });
  const { data } = (await talk.ask({ type: "get_messages" })) as { data?: { messages: { role: string }[] } };
  expect(data?.messages.map(({ role }) => role)).toEqual(["compactionSummary", "assistant"]);
  expect(await talk.end()).toBe(0);
});

test("nothing of the old session follows the answer to new_session, and a turn that runs is ended first", async () => {
  using dir = scratch();
  const said = scripted(dir, { calls: [{ tool: "bash", input: { command: "sleep 30" } }] }, { text: "Second." });
  await using talk = rpc(dir, [...said, "--yolo"]);
  const old = (await talk.ask({ type: "get_state" })) as { data?: { sessionFile: string } };
  await talk.ask({ type: "prompt", message: "go" });
  await talk.until(({ type }) => type === "tool_execution_start");
  expect(await talk.ask({ type: "new_session" })).toMatchObject({ success: true, data: { cancelled: false } });
  const at = talk.lines.findIndex(({ command }) => command === "new_session");
  expect(typesOf(talk.lines.slice(0, at))).toContain("agent_settled");
  const state = await talk.ask({ type: "get_state" });
  expect(state).toMatchObject({ data: { messageCount: 0 } });
  expect(typesOf(talk.lines.slice(at + 1))).toEqual(["response"]);
  // And back again.
  const file = old.data?.sessionFile ?? "";
  expect(await talk.ask({ type: "switch_session", sessionPath: file })).toMatchObject({ success: true });
  expect(await talk.ask({ type: "get_state" })).toMatchObject({ data: { sessionFile: file } });
  expect(await talk.end()).toBe(0);
});

test("a tool of the client is asked about, called, may show how far it is, and is told when nobody waits", async () => {
  using dir = scratch();
  const call = { calls: [{ tool: "lights", input: { on: true } }] };
  await using talk = rpc(dir, [...scripted(dir, call, call, { text: "Done." }), "--approval", "auto"]);
  const parameters = { type: "object", properties: { on: { type: "boolean" } } };
  const lights = { name: "lights", description: "Switches the lights.", parameters };
  // Unknown fields from a client are ignored, at any depth.
  const newer = { ...lights, readsSkillUris: true };
  expect(await talk.ask({ type: "set_host_tools", tools: [newer], later: 1 })).toMatchObject({
    data: { toolNames: ["lights"] },
  });
  await talk.ask({ type: "prompt", message: "go" });
  const question = await talk.until(({ type }) => type === "question");
  expect(talk.lines.some(({ type }) => type === "host_tool_call")).toBe(false);
  expect(question).toMatchObject({ toolName: "lights", args: { on: true }, intent: { effect: "exec" } });
  await talk.ask({ type: "answer", question: question.id, option: "yes" });
  const { id } = await talk.until(({ type }) => type === "host_tool_call");
  talk.send({ type: "host_tool_update", id, partialResult: { content: [{ type: "text", text: "half" }] } });
  await talk.until(({ type }) => type === "tool_execution_update");
  talk.send({ type: "host_tool_result", id, result: { content: [{ type: "text", text: "They are on." }] } });
  const end = await talk.until(({ type }) => type === "tool_execution_end");
  expect(end).toMatchObject({ toolName: "lights", isError: false, result: { content: [{ text: "They are on." }] } });
  expect(await talk.ask({ type: "set_host_tools", tools: [] })).toMatchObject({ success: false });
  const again = await talk.until((line) => line.type === "question" && line.id !== question.id);
  await talk.ask({ type: "answer", question: again.id, option: "yes" });
  const open = await talk.until((line) => line.type === "host_tool_call" && line.id !== id);
  await talk.ask({ type: "abort" });
  expect(await talk.until(({ type }) => type === "host_tool_cancel")).toMatchObject({ targetId: open.id });
  expect(await talk.end()).toBe(0);
});

const states: [string, readonly string[], (talk: ReturnType<typeof rpc>) => Promise<unknown>][] = [
  ["nothing runs", ["--yolo"], (talk) => talk.until(({ type }) => type === "ready")],
  ["nobody has listened yet", ["--yolo"], async () => {}],
  [
    "a call runs",
    ["--yolo"],
    async (talk) => {
      talk.send({ type: "prompt", message: "go" });
      await talk.until(({ type }) => type === "tool_execution_start");
    },
  ],
  [
    "a question is open",
    ["--approval", "ask"],
    async (talk) => {
      talk.send({ type: "prompt", message: "go" });
      await talk.until(({ type }) => type === "question");
    },
  ],
  [
    "a command of the person's runs",
    ["--yolo"],
    async (talk) => {
      talk.send({ type: "bash", command: "echo begun; sleep 30" });
      await talk.until(({ type }) => type === "bash_execution_update");
    },
  ],
];
test.each(states)("when nobody sends any more while %s, it ends in order with 0", async (_, argv, begin) => {
  using dir = scratch();
  const said = scripted(dir, { calls: [{ tool: "bash", input: { command: "sleep 30" } }] });
  await using talk = rpc(dir, [...said, ...argv]);
  await begin(talk);
  expect(await talk.end()).toBe(0);
  const begun = typesOf(talk.lines).includes("agent_start");
  expect(typesOf(talk.lines).includes("agent_settled")).toBe(begun);
  for (const { command, success } of talk.lines) if (command === "prompt") expect(success).toBe(true);
});

test("where nobody answers questions, what would be asked is refused and the turn goes on", async () => {
  using dir = scratch();
  await using talk = rpc(dir, [
    ...scripted(dir, write("a.txt"), { text: "Done." }),
    "--approval",
    "ask",
    "--no-questions",
  ]);
  await talk.ask({ type: "prompt", message: "go" });
  await talk.until(isSettled);
  expect(typesOf(talk.lines)).not.toContain("question");
  expect(existsSync(dir.at("work/a.txt"))).toBe(false);
  expect(await talk.end()).toBe(0);
});

test.each([
  ["immediate", false],
  ["wait", true],
])("steering in the mode %s: whether calls that have not begun are made is %s", async (mode, made) => {
  using dir = scratch();
  const slow = { tool: "bash", input: { command: "sleep 0.5" } };
  const said = scripted(dir, { calls: [slow, ...write("late.txt").calls] }, { text: "Done." });
  await using talk = rpc(dir, [...said, "--yolo"]);
  await talk.ask({ type: "set_interrupt_mode", mode });
  await talk.ask({ type: "prompt", message: "go" });
  await talk.until(({ type }) => type === "tool_execution_start");
  await talk.ask({ type: "steer", message: "no, wait" });
  await talk.until(isSettled);
  expect(existsSync(dir.at("work/late.txt"))).toBe(made);
  expect(await talk.end()).toBe(0);
});

test("slash commands work in prompts, and what they show is told", async () => {
  using dir = scratch();
  dir.write({ "work/.pith/commands/greet.md": "Greet $1." });
  await using talk = rpc(dir, scripted(dir, { text: "Hello." }));
  expect(await talk.ask({ type: "prompt", message: "/approval auto" })).toMatchObject({ success: true });
  expect(await talk.until(({ type }) => type === "command_result")).toMatchObject({ name: "approval", isError: false });
  expect(await talk.ask({ type: "prompt", message: "/approval plan" })).toMatchObject({ success: true });
  await talk.until(({ method, statusText }) => method === "setStatus" && statusText === "plan");
  await talk.ask({ type: "prompt", message: "/approval auto" });
  expect(await talk.ask({ type: "get_state" })).toMatchObject({ data: { approvalMode: "auto" } });
  const { data } = (await talk.ask({ type: "get_commands" })) as {
    data?: { commands: { name: string; sourceInfo: object }[] };
  };
  // A client that waits for the end is told so after a change of session, too.
  talk.lines.length = 0;
  expect(await talk.ask({ type: "prompt", message: "/new" })).toMatchObject({ success: true });
  expect(typesOf(talk.lines)).toContain("agent_settled");
  const info = (wanted: string) => data?.commands.find(({ name }) => name === wanted)?.sourceInfo;
  expect(info("approval")).toMatchObject({ path: "", source: "pith" });
  expect(info("greet")).toMatchObject({ path: dir.at("work/.pith/commands/greet.md"), scope: "project" });
  expect(await talk.ask({ type: "prompt", message: "/quit" })).toMatchObject({ success: true });
  expect(await talk.end()).toBe(0);
});

test("the client has a method for every command, and each answer has the shape that the table says", async () => {
  using dir = scratch();
  const model = scripted(dir, { text: long }, write("a.txt"), { text: "Two." });
  await using client = new RpcClient({
    cliPath: main,
    cwd: dir.at("."),
    env: { ...envOf(dir), PITH_HOME: dir.at("home") },
    args: [...model, "--approval", "ask"],
  });
  await client.start();
  const answers = new Set(["extension_ui_response", "host_tool_update", "host_tool_result"]);
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const missing = Object.keys(commands).filter((name) => !answers.has(name) && !(camel(name) in client));
  expect(missing).toEqual([]);

  const shaped = async (name: keyof typeof commands, args: object = {}) => {
    const data = await client.request(name, args as never);
    const read = (commands[name].gives as { safeParse(value: unknown): unknown } | undefined)?.safeParse(data);
    expect([name, read ?? { success: true }]).toMatchObject([name, { success: true }]);
    return data;
  };
  expect(await client.setHostTools([])).toEqual([]);
  expect((await client.promptAndWait("hi")).map(({ type }) => type)).toContain("agent_settled");
  // The client shows what it is asked, and answers.
  client.onExtensionUi((dialog: Dialog) => client.replyExtensionUi(dialog.id, { value: "Yes" }));
  await client.prompt("write it");
  await client.waitForIdle();
  expect(readFileSync(dir.at("a.txt"), "utf8")).toBe("hi\n");
  for (const name of [
    "get_state",
    "get_messages",
    "get_fork_messages",
    "get_branch_messages",
    "get_last_assistant_text",
    "get_entries",
    "get_tree",
    "get_session_stats",
    "get_commands",
    "get_available_models",
    "get_available_thinking_levels",
    "cycle_model",
    "cycle_thinking_level",
    "clear_queue",
    "compact",
    "clone",
  ] as const)
    await shaped(name);
  await shaped("bash", { command: "echo out; exit 3" });
  await shaped("export_html", { outputPath: dir.at("page.html") });
  expect(readFileSync(dir.at("page.html"), "utf8")).toContain("write it");
  await shaped("set_session_name", { name: "my work" });
  expect((await client.getState()).sessionName).toBe("my work");
  const [first] = await client.getForkMessages();
  expect(await client.fork(first?.entryId ?? "")).toEqual({ text: "hi", cancelled: false });
  expect((await client.getState()).messageCount).toBe(0);
  expect(await client.bash("exit 3")).toMatchObject({ exitCode: 3, cancelled: false, output: "" });
  await expect(client.steer("/approval")).rejects.toThrow("cannot be queued");
}, 60_000);

test("a client says why pith did not start", async () => {
  using dir = scratch();
  const client = new RpcClient({ cliPath: main, cwd: dir.path, env: envOf(dir), args: ["--model", "nobody/nothing"] });
  await expect(client.start()).rejects.toThrow(/nobody/);
  expect(argvOf({ cliPath: "pith", provider: "a", model: "b", session: "01", args: ["--yolo"] })).toEqual(
    "pith --mode rpc --model a/b --resume 01 --yolo".split(" "),
  );
});
