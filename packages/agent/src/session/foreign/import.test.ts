import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Context } from "../context.ts";
import { Journal } from "../journal.ts";
import { memoryBlobs } from "../store/blob.ts";
import { fileStorage } from "../store/disk.ts";
import { type ImportSource, importSession } from "./import.ts";

const root = mkdtempSync(join(tmpdir(), "pith-import-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;

async function bring(source: ImportSource, lines: object[]) {
  const [file, sessions] = [join(root, `${made}.jsonl`), join(root, `${made++}`)];
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\nhalf a li`);
  return { file, sessions, result: await importSession(source, file, { sessions, blobs: memoryBlobs() }) };
}

function open(file: string, access: "read" | "write" = "read", at?: string): Journal {
  const opened = Journal.open({ storage: fileStorage(file), clock: { now: () => 0 }, onFault: () => {} }, access);
  if (!opened.ok) throw new Error(opened.message);
  expect(opened.value.notes).toEqual([]);
  if (at !== undefined) opened.value.journal.tree.moveTo(at);
  return opened.value.journal;
}
const said = (journal: Journal) =>
  new Context(journal).messages.map(({ role, content }) => {
    const parts: { type: string; text?: string; name?: string; thinking?: string }[] =
      typeof content === "string" ? [{ type: "text", text: content }] : content;
    return `${role}: ${parts.map((part) => part.text ?? part.name ?? part.thinking ?? part.type).join(" + ")}`;
  });

const claude = (type: string, uuid: string, parentUuid: string | null, message: object, more: object = {}) => ({
  type,
  uuid,
  parentUuid,
  sessionId: "11111111-2222-4333-8444-555555555555",
  cwd: "/home/me/project",
  timestamp: `2026-02-01T10:00:${String(made).padStart(2, "0")}.000Z`,
  message,
  ...more,
});
const answer = (id: string, part: object) => ({
  id,
  role: "assistant",
  model: "claude-x",
  content: [part],
  usage: { input_tokens: 3, output_tokens: 4 },
});

test("a session of Claude Code comes in with whole replies, results in place and dead ends left out", async () => {
  const { result, file, sessions } = await bring("claude", [
    { type: "summary", summary: "Counting files", leafUuid: "x" },
    claude("user", "u0", null, { role: "user", content: "meta" }, { isMeta: true }),
    claude("user", "u1", null, { role: "user", content: "count the files" }),
    claude("user", "dead", "u1", { role: "user", content: "an abandoned way" }),
    claude("assistant", "a1", "u1", answer("m1", { type: "thinking", thinking: "hm", signature: "sig" })),
    claude(
      "assistant",
      "a2",
      "a1",
      answer("m1", { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }),
    ),
    claude(
      "assistant",
      "a3",
      "a2",
      answer("m1", { type: "tool_use", id: "t2", name: "Read", input: { file_path: "a" } }),
    ),
    claude("user", "r1", "a2", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "a\nb" }],
    }),
    claude("user", "side", "a3", { role: "user", content: "of a helper" }, { isSidechain: true }),
    claude("user", "r2", "a3", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "no" }], is_error: true }],
    }),
    claude("assistant", "a4", "r2", answer("m2", { type: "text", text: "two" })),
  ]);
  if (!result.ok) throw new Error(result.message);
  const journal = open(result.value.file);
  expect(journal.header).toMatchObject({ id: "11111111-2222-4333-8444-555555555555", cwd: "/home/me/project" });
  expect(said(journal)).toEqual([
    "user: count the files",
    "assistant: hm + Bash + Read",
    "toolResult: a\nb",
    "toolResult: no",
    "assistant: two",
  ]);
  expect(journal.tree.name).toBe("Counting files");
  const before = readFileSync(result.value.file, "utf8");
  expect(await importSession("claude", file, { sessions, blobs: memoryBlobs() })).toEqual({
    ok: true,
    value: { file: result.value.file, done: "known" },
  });
  expect(readFileSync(result.value.file, "utf8")).toBe(before);
});

test("a compacted session of Claude Code keeps what came before, and shows the model the summary", async () => {
  const { result } = await bring("claude", [
    claude("user", "u1", null, { role: "user", content: "long ago" }),
    {
      type: "system",
      subtype: "compact_boundary",
      uuid: "b",
      parentUuid: null,
      logicalParentUuid: "u1",
      sessionId: "s",
    },
    claude("user", "u2", "b", { role: "user", content: "what was done so far" }, { isCompactSummary: true }),
    claude("user", "u3", "u2", { role: "user", content: "go on" }),
  ]);
  if (!result.ok) throw new Error(result.message);
  const journal = open(result.value.file);
  expect(said(journal)[0]).toContain("what was done so far");
  expect(said(journal).slice(1)).toEqual(["user: go on"]);
  expect(journal.tree.pathTo()).toHaveLength(4);
});

const saysTo = (id: string, parent: string | null, text: string) =>
  claude("user", id, parent, { role: "user", content: text });
const answers = (id: string, parent: string, message: string, said: string, more: object = {}) =>
  claude("assistant", id, parent, answer(message, { type: "text", text: said }), more);

test("a line of Claude Code whose parent is gone, or is itself, costs nothing that was said before", async () => {
  const { result } = await bring("claude", [
    saysTo("u1", null, "one"),
    answers("a1", "u1", "m1", "two"),
    saysTo("u2", "nobody", "three"),
    { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null, logicalParentUuid: "gone" },
    answers("a2", "b", "m2", "four"),
    saysTo("u3", "u3", "five"),
  ]);
  if (!result.ok) throw new Error(result.message);
  expect(said(open(result.value.file))).toEqual([
    "user: one",
    "assistant: two",
    "user: three",
    "assistant: four",
    "user: five",
  ]);
});

test("replies of a server that calls them all alike are all kept, also without the id of a request", async () => {
  const call = answer("same", { type: "tool_use", id: "t1", name: "Bash", input: {} });
  const results = [{ type: "tool_result", tool_use_id: "t1", content: "ok" }];
  for (const more of [{}, { requestId: "same too" }]) {
    const { result } = await bring("claude", [
      saysTo("u1", null, "first"),
      answers("a1", "u1", "same", "one", more),
      saysTo("u2", "a1", "second"),
      claude("assistant", "a2", "u2", call, more),
      claude("user", "r1", "a2", { role: "user", content: results }),
      answers("a3", "r1", "same", "two", Object.keys(more).length > 0 ? { requestId: "another" } : {}),
      saysTo("u3", "a3", "third"),
      answers("a4", "u3", "same", "three", more),
      answers("a5", "a4", "same", "and more", more),
    ]);
    if (!result.ok) throw new Error(result.message);
    expect(said(open(result.value.file))).toEqual([
      ...["user: first", "assistant: one", "user: second", "assistant: Bash", "toolResult: ok", "assistant: two"],
      ...["user: third", "assistant: three + and more"],
    ]);
  }
});

test("an import done again brings what is new, and nothing twice", async () => {
  const lines = [saysTo("u1", null, "first"), answers("a1", "u1", "m1", "one")];
  const { file, sessions, result } = await bring("claude", lines);
  if (!result.ok) throw new Error(result.message);
  const target = result.value.file;
  const again = async (...more: object[]) => {
    writeFileSync(file, [...lines, ...more].map((line) => `${JSON.stringify(line)}\n`).join(""));
    return importSession("claude", file, { sessions, blobs: memoryBlobs() });
  };
  const second = [saysTo("u2", "a1", "second"), answers("a2", "u2", "m2", "two")];
  const title = { type: "ai-title", aiTitle: "Two things" };
  expect(await again(...second)).toEqual({ ok: true, value: { file: target, done: "grown", aside: undefined } });
  expect(await again(...second)).toMatchObject({ ok: true, value: { done: "known" } });
  expect(await again(...second, title)).toMatchObject({ ok: true, value: { done: "grown" } });
  expect(open(target).tree.name).toBe("Two things");
  const both = ["user: first", "assistant: one", "user: second", "assistant: two"];
  expect(said(open(target))).toEqual(both);
  expect(open(target).tree.children(null)).toHaveLength(1);

  // Messages added here stay on the path; the imported ones become a branch.
  const journal = open(target, "write");
  journal.append({ type: "session_info", name: "Mine" });
  journal.append({ type: "message", message: { role: "user", content: "said here", timestamp: 0 } });
  await journal.close();
  const grown = await again(...second, { type: "ai-title", aiTitle: "Three" }, saysTo("u3", "a2", "said there"));
  const aside = grown.ok ? (grown.value.aside ?? "") : "";
  expect(said(open(target))).toEqual([...both, "user: said here"]);
  expect(open(target).tree.name).toBe("Mine");
  expect(said(open(target, "read", aside))).toEqual([...both, "user: said there"]);
});

test("a session that was moved grows where it is, and another one of the same id does not cost it", async () => {
  const { file, sessions, result } = await bring("claude", [saysTo("u1", null, "first")]);
  if (!result.ok) throw new Error(result.message);
  const moved = join(sessions, "moved.jsonl");
  renameSync(result.value.file, moved);
  const known = new Map([["11111111-2222-4333-8444-555555555555", moved]]);
  const into = { sessions, blobs: memoryBlobs(), known };
  appendFileSync(file, `\n${JSON.stringify(saysTo("u2", "u1", "second"))}\n`);
  expect(await importSession("claude", file, into)).toMatchObject({ value: { file: moved, done: "grown" } });
  writeFileSync(file, `${JSON.stringify(saysTo("x", null, "something else"))}\n`);
  expect(await importSession("claude", file, into)).toMatchObject({ value: { done: "imported" } });
  expect(said(open(moved))).toEqual(["user: first", "user: second"]);
});

const codex = (type: string, payload: object) => ({ timestamp: "2026-02-01T10:00:00.000Z", type, payload });

test("texts that Claude Code added are left out, and input typed meanwhile is imported", async () => {
  const { result } = await bring("claude", [
    claude("user", "u1", null, { role: "user", content: "go" }),
    claude("assistant", "a1", "u1", answer("m1", { type: "tool_use", id: "t1", name: "Bash", input: {} })),
    claude("user", "r1", "a1", {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: "ok" },
        { type: "text", text: "and a word" },
      ],
    }),
    claude("attachment", "q1", "r1", {}, { attachment: { type: "queued_command", prompt: "faster" } }),
    claude("attachment", "x1", "q1", {}, { attachment: { type: "skill_listing", content: "noise" } }),
    claude(
      "assistant",
      "e1",
      "x1",
      { ...answer("m2", { type: "text", text: "API Error" }), model: "<synthetic>" },
      { isApiErrorMessage: true },
    ),
    claude("user", "c1", "e1", {
      role: "user",
      content: "<command-name>/review</command-name>\n<command-args>all of it</command-args>",
    }),
    claude("assistant", "a2", "c1", answer("m3", { type: "text", text: "fine" })),
    claude("user", "c2", "a2", {
      role: "user",
      content: "<command-name>/model</command-name>\n<command-args></command-args>",
    }),
    claude("user", "c3", "c2", { role: "user", content: "<local-command-stdout>Set model</local-command-stdout>" }),
    claude("user", "u2", "c3", { role: "user", content: "end" }),
  ]);
  if (!result.ok) throw new Error(result.message);
  const expected = [
    "user: go",
    "assistant: Bash",
    "toolResult: ok",
    "user: and a word",
    "user: faster",
    "user: /review all of it",
    "assistant: fine",
    "user: end",
  ];
  expect(said(open(result.value.file))).toEqual(expected);
});

test("messages that a compaction of Claude Code preserved are still shown to the model", async () => {
  const { result } = await bring("claude", [
    claude("user", "u1", null, { role: "user", content: "long ago" }),
    claude("assistant", "a1", "u1", answer("m1", { type: "text", text: "the last word" })),
    {
      ...claude("system", "b1", null, {}),
      logicalParentUuid: "a1",
      subtype: "compact_boundary",
      compactMetadata: { preTokens: 900, preservedSegment: { headUuid: "a1", tailUuid: "a1" } },
    },
    claude("user", "s1", "b1", { role: "user", content: "the summary" }, { isCompactSummary: true }),
    claude("user", "u2", "s1", { role: "user", content: "go on" }),
  ]);
  if (!result.ok) throw new Error(result.message);
  const journal = open(result.value.file);
  expect(said(journal).slice(1)).toEqual(["assistant: the last word", "user: go on"]);
  expect(said(journal)[0]).toContain("the summary");
  expect([...journal.tree.all()].find(({ type }) => type === "compaction")).toMatchObject({ tokensBefore: 900 });
});

test("a session of the Codex CLI comes in with costs and failures, without turns that were taken back", async () => {
  const item = (payload: object) => ({ timestamp: "2026-02-01T10:00:00.000Z", type: "response_item", payload });
  const event = (payload: object) => ({ timestamp: "2026-02-01T10:00:00.000Z", type: "event_msg", payload });
  const person = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
  const usage = { input_tokens: 100, cached_input_tokens: 60, output_tokens: 7, total_tokens: 107 };
  const { result } = await bring("codex", [
    {
      timestamp: "2026-02-01T10:00:00.000Z",
      type: "session_meta",
      payload: { id: "c", cwd: "/p", model_provider: "mine" },
    },
    item(person("long ago")),
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "SUM" }] }),
    {
      timestamp: "2026-02-01T10:00:00.000Z",
      type: "compacted",
      payload: { message: "SUM", replacement_history: [person("long ago"), person("SUM")] },
    },
    item(person("run it")),
    item({ type: "function_call", name: "exec_command", arguments: '{"cmd":"false"}', call_id: "c1" }),
    { timestamp: "2026-02-01T10:00:00.000Z", type: "token_usage_record", payload: { usage } },
    item({
      type: "function_call_output",
      call_id: "c1",
      output: "Chunk ID: 1\nProcess exited with code 1\nOutput:\nno",
    }),
    event({ type: "token_count", info: { last_token_usage: { input_tokens: 5000 } } }),
    item(person("wrong way")),
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "sure" }] }),
    event({ type: "thread_rolled_back", num_turns: 1 }),
    item(person("right way")),
  ]);
  if (!result.ok) throw new Error(result.message);
  const journal = open(result.value.file);
  expect(said(journal).slice(1)).toEqual([
    "user: run it",
    "assistant: exec_command",
    expect.stringContaining("toolResult: Chunk"),
    "user: right way",
  ]);
  expect(said(journal)[0]).toContain("> long ago\n\nSUM");
  expect([...journal.tree.all()].map(({ type }) => type).slice(0, 2)).toEqual(["message", "compaction"]);
  const [reply, failed] = new Context(journal).messages.slice(2);
  expect(reply).toMatchObject({ provider: "mine", usage: { input: 40, cacheRead: 60, output: 7, totalTokens: 107 } });
  expect(failed).toMatchObject({ isError: true });
});

test("a session of the Codex CLI comes in without what the program added itself", async () => {
  const { result } = await bring("codex", [
    codex("session_meta", {
      id: "0199aaaa-0000-7000-8000-000000000001",
      timestamp: "2026-02-01T10:00:00.000Z",
      cwd: "/p",
      instructions: "x",
    }),
    codex("turn_context", { cwd: "/p", model: "gpt-x" }),
    codex("response_item", {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "<environment_context>\n</environment_context>" }],
    }),
    codex("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: "list files" }] }),
    codex("event_msg", { type: "user_message", message: "list files" }),
    codex("response_item", {
      type: "reasoning",
      summary: [{ type: "summary_text", text: "thinking" }],
      encrypted_content: "x",
    }),
    codex("response_item", { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" }),
    codex("response_item", {
      type: "function_call_output",
      call_id: "c1",
      output: '{"output":"a.txt\\n","metadata":{"exit_code":1}}',
    }),
    codex("response_item", { type: "custom_tool_call", name: "apply_patch", input: "*** Begin", call_id: "c2" }),
    codex("response_item", { type: "custom_tool_call_output", call_id: "c2", output: "ok" }),
    codex("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] }),
  ]);
  if (!result.ok) throw new Error(result.message);
  const journal = open(result.value.file);
  expect(said(journal)).toEqual([
    "user: list files",
    "assistant: thinking + shell",
    "toolResult: a.txt\n",
    "assistant: apply_patch",
    "toolResult: ok",
    "assistant: done",
  ]);
  const [, call, shown] = new Context(journal).messages;
  expect(call).toMatchObject({
    model: "gpt-x",
    stopReason: "toolUse",
    content: [{}, { arguments: { command: ["ls"] } }],
  });
  expect(shown).toMatchObject({ isError: true, toolName: "shell" });
});

test("a session of an early Codex CLI, without wrapped lines, comes in as well", async () => {
  const { result } = await bring("codex", [
    { id: "0199aaaa-0000-7000-8000-000000000002", timestamp: "2025-05-01T10:00:00.000Z", instructions: "" },
    { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "hi" }] },
  ]);
  if (!result.ok) throw new Error(result.message);
  expect(said(open(result.value.file))).toEqual(["user: hello", "assistant: hi"]);
});

test("a file that is something else is refused", async () => {
  for (const source of ["claude", "codex"] as const)
    expect((await bring(source, [{ type: "other" }, { a: 1 }])).result).toMatchObject({ ok: false, kind: "foreign" });
});

test("names of another program do not lead out of the folder of sessions", async () => {
  const { result, sessions } = await bring("codex", [
    { id: "../../../etc/x", timestamp: "../../../../tmp/y", instructions: "" },
    { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
  ]);
  if (!result.ok) throw new Error(result.message);
  expect(result.value.file).toBe(join(sessions, "----", "1970-01-01T00-00-00-000Z__________etc_x.jsonl"));
});
