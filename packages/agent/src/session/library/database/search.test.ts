import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EntryDraft } from "../../entry.ts";
import { Journal } from "../../journal.ts";
import { fileStorage } from "../../store/disk.ts";
import { bucket, fileName } from "../files.ts";
import { togglePin } from "../pin.ts";
import { listSessions, openSessionDatabase } from "./database.ts";
import { refreshSearch, type SearchQuery, searchSessions } from "./search.ts";

const root = mkdtempSync(join(tmpdir(), "pith-search-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
let time = Date.parse("2026-03-01T00:00:00Z");
const clock = { now: () => (time += 60_000) };

const user = (text: string): EntryDraft => ({
  type: "message",
  message: { role: "user", content: text, timestamp: 0 },
});
const edit = (path: string, model = "mock-model"): EntryDraft => ({
  type: "message",
  message: {
    role: "assistant",
    content: [{ type: "toolCall", id: "c", name: "edit", arguments: { path, find: "x" } }],
    api: "a",
    provider: "p",
    model,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "toolUse",
    timestamp: 0,
  },
});

async function write(sessions: string, cwd: string, drafts: EntryDraft[]): Promise<string> {
  const journal = Journal.create(
    { storage: (header) => fileStorage(join(bucket(sessions, cwd), fileName(header))), clock, onFault: () => {} },
    { cwd },
  );
  journal.appendAll(drafts);
  await journal.close();
  return journal.file ?? "";
}
async function setUp() {
  const sessions = join(root, String(made++), "sessions");
  const database = await openSessionDatabase(join(sessions, "..", "search.db"));
  const find = async (query: Partial<SearchQuery>) => {
    await refreshSearch(database, sessions);
    return searchSessions(database, { text: "", limit: 20, ...query });
  };
  return { sessions, database, find };
}

test("a list shows name, beginning and number of messages, the pinned first, then the newest", async () => {
  const { sessions, database } = await setUp();
  const old = await write(sessions, "/a", [user("hello   there"), edit("x.ts")]);
  const young = await write(sessions, "/b", [user("second"), { type: "session_info", name: "named" }]);
  const list = listSessions(database, sessions);
  expect(list.map((listed) => listed.file).toSorted()).toEqual([old, young].toSorted());
  expect(list.find((listed) => listed.file === old)).toMatchObject({
    cwd: "/a",
    first: "hello there",
    messages: 2,
    pinned: false,
  });
  expect(list.find((listed) => listed.file === young)).toMatchObject({ cwd: "/b", name: "named", messages: 1 });
  togglePin(sessions, list.at(-1)?.id ?? "");
  const again = listSessions(database, sessions);
  expect(again[0]).toMatchObject({ id: list.at(-1)?.id ?? "", pinned: true });
  rmSync(old);
  expect(listSessions(database, sessions).map((listed) => listed.file)).toEqual([young]);
});

test("a list counts the messages and takes the name that another program has written behind the index", async () => {
  const { sessions, database } = await setUp();
  const file = await write(sessions, "/a", [user("hello"), edit("x.ts")]);
  const id = JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "").id;
  const place = { parentId: id, timestamp: "2026-03-01T00:00:00Z" };
  const more = [
    { ...user("more"), id: "aaaaaaa1", ...place },
    { type: "session_info", name: "theirs", id: "aaaaaaa2", ...place, parentId: "aaaaaaa1" },
  ];
  appendFileSync(file, more.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  expect(listSessions(database, sessions)).toMatchObject([{ messages: 3, name: "theirs" }]);
});

test("text is found in all projects, the newest first, with its place", async () => {
  const { sessions, find } = await setUp();
  const file = await write(sessions, "/a", [user("the Größe of a walrus"), user("nothing")]);
  await write(sessions, "/b/deep", [user("another walrus tooth")]);
  const hits = await find({ text: "walrus" });
  expect(hits.map((hit) => hit.cwd)).toEqual(["/b/deep", "/a"]);
  expect(hits[1]).toMatchObject({ file, role: "user", excerpt: "the Größe of a walrus" });
  expect(readFileSync(file, "utf8")).toContain(hits[1]?.entry ?? "none");
  expect(await find({ text: "grosse" })).toHaveLength(0);
  expect(await find({ text: "große*" })).toHaveLength(1);
  expect(await find({ text: "groß*" })).toHaveLength(1);
  expect(await find({ text: '"a walrus"' })).toHaveLength(1);
  expect(await find({ text: "walrus tooth" })).toHaveLength(1);
  expect(await find({ text: 'walrus AND ( "' })).toHaveLength(0);
});

test("a message of a role that nobody knows is no word of anybody, whatever it is called", async () => {
  const { sessions, find } = await setUp();
  const odd = (role: string) => ({ type: "message", message: { role, content: "walrus", timestamp: 0 } }) as never;
  await write(sessions, "/a", [odd("constructor"), odd("__proto__"), odd("developer"), user("walrus")]);
  expect((await find({ text: "walrus" })).map(({ role }) => role).toSorted()).toEqual(["note", "user"]);
});

test("hits can be narrowed to a project, a time, a model, a tool and a file", async () => {
  const { sessions, find } = await setUp();
  await write(sessions, "/a", [user("go"), edit("src/old.ts", "big-one")]);
  const middle = clock.now();
  await write(sessions, "/a/b", [user("go"), edit("src/new.ts")]);
  await write(sessions, "/ab", [user("go")]);
  expect(await find({ text: "go" })).toHaveLength(3);
  expect(await find({ text: "go", project: "/a" })).toHaveLength(2);
  expect(await find({ text: "go", since: middle })).toHaveLength(2);
  expect(await find({ text: "go", until: middle })).toHaveLength(1);
  expect(await find({ text: "x", model: "big" })).toHaveLength(1);
  // With its vendor, and with what led to its answer.
  const turn = await find({ model: "p/big" });
  expect(turn.map(({ role }) => role).toSorted()).toEqual(["assistant", "user"]);
  // Without a word that could be found an excerpt is the beginning.
  expect(turn.find(({ role }) => role === "user")?.excerpt).toBe("go");
  expect(await find({ text: "x", tool: "edit" })).toHaveLength(2);
  expect(await find({ text: "x", tool: "edi" })).toHaveLength(0);
  expect(await find({ file: "new.ts" })).toHaveLength(1);
  expect(await find({ file: "src/old.ts", tool: "edit" })).toHaveLength(1);
});

test("only what is new is read, a file that became another one is read anew, a removed one is forgotten", async () => {
  const { sessions, database, find } = await setUp();
  const file = await write(sessions, "/a", [user("alpha")]);
  expect(await find({ text: "alpha" })).toHaveLength(1);
  const opened = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  opened.value.journal.append(user("beta"));
  await opened.value.journal.close();
  expect(await find({ text: "beta" })).toHaveLength(1);
  expect(await find({ text: "alpha" })).toHaveLength(1);
  expect(database.all("SELECT key FROM entry")).toHaveLength(2);
  const other = await write(sessions, "/b", [user("gamma"), user("delta"), user("epsilon")]);
  writeFileSync(file, readFileSync(other));
  expect(await find({ text: "alpha" })).toHaveLength(0);
  expect(await find({ text: "delta" })).toHaveLength(2);
  rmSync(other);
  expect(await find({ text: "delta" })).toHaveLength(1);
});

test("half a line that is still being written is left for the next time", async () => {
  const { sessions, find } = await setUp();
  const file = await write(sessions, "/a", [user("start")]);
  const base = { id: "0abcdef0", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" };
  const line = `${JSON.stringify({ type: "message", ...base, message: { role: "user", content: "zebra" } })}\n`;
  appendFileSync(file, line.slice(0, 50));
  expect(await find({ text: "zebra" })).toHaveLength(0);
  appendFileSync(file, line.slice(50));
  expect(await find({ text: "zebra" })).toHaveLength(1);
});

test("a broken database is built anew", async () => {
  const file = join(root, "broken.db");
  writeFileSync(file, "this is not a database, not at all, and long enough to be looked at as one");
  const database = await openSessionDatabase(file);
  expect(listSessions(database, join(root, "nowhere"))).toEqual([]);
});

test("a word of a language without spaces is found inside a sentence", async () => {
  const { sessions, find } = await setUp();
  await write(sessions, "/a", [
    user("请帮我修复登录页面的错误"),
    user("テストを実行してください"),
    user("검색을 고쳐 주세요"),
  ]);
  for (const text of ["登录", "登录页面", "テスト", "검색", '"页面的错误"'])
    expect(await find({ text })).toHaveLength(1);
  expect(await find({ text: "录登" })).toHaveLength(0);
});

test("entries that lack what they promise are passed over, and what stands around them is found", async () => {
  const { sessions, find } = await setUp();
  const file = await write(sessions, "/a", [user("before")]);
  for (const odd of [
    { type: "compaction" },
    { type: "message", message: null },
    { type: "message", message: { role: "assistant", content: [null] } },
  ])
    appendFileSync(file, `${JSON.stringify({ id: `x${Math.random()}`, parentId: null, timestamp: "x", ...odd })}\n`);
  const after = { type: "message", message: { role: "user", content: "after" } };
  appendFileSync(file, `${JSON.stringify({ id: "z", parentId: null, timestamp: "x", ...after })}\n`);
  expect(await find({ text: "before" })).toHaveLength(1);
  expect(await find({ text: "after" })).toHaveLength(1);
});

test("a search that is brought up to date gently comes to the same, and stops when somebody works", async () => {
  const { sessions, database } = await setUp();
  await write(
    sessions,
    "/a",
    Array.from({ length: 40 }, (_, at) => user(`needle ${at} ${"hay ".repeat(4000)}`)),
  );
  const stop = new AbortController();
  await refreshSearch(database, sessions, { pace: "gently", signal: stop.signal, tell: () => stop.abort() });
  const some = searchSessions(database, { text: "needle", limit: 100 }).length;
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(40);
  await refreshSearch(database, sessions, { pace: "gently" });
  expect(searchSessions(database, { text: "needle", limit: 100 })).toHaveLength(40);
});

test("text in a session of version 1, whose entries have no ids, is found", async () => {
  const { sessions, find } = await setUp();
  const file = await write(sessions, "/a", [user("x")]);
  const line = {
    type: "message",
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: [{ type: "text", text: "needle" }], timestamp: 1 },
  };
  const header = { type: "session", id: "old", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/a" };
  writeFileSync(file, [header, line].map((item) => `${JSON.stringify(item)}\n`).join(""));
  expect(await find({ text: "needle" })).toMatchObject([{ session: "old", entry: "" }]);
  expect(await find({ text: "needle" })).toHaveLength(1);
});

test("a list shows the newest name, whoever wrote it and however much followed it unindexed", async () => {
  const { sessions, database } = await setUp();
  const file = await write(sessions, "/work/a", [user("begin"), { type: "session_info", name: "first" }]);
  const said = (text: string) =>
    `${JSON.stringify({ type: "message", id: crypto.randomUUID().slice(0, 8), parentId: null, timestamp: "2026-03-01T00:00:00Z", message: { role: "user", content: text, timestamp: 0 } })}\n`;
  const named = (name: string) =>
    `${JSON.stringify({ type: "session_info", id: crypto.randomUUID().slice(0, 8), parentId: null, timestamp: "2026-03-01T00:00:00Z", name })}\n`;
  const filler = said("x".repeat(100_000)).repeat(30);
  const first = () => listSessions(database, sessions)[0]?.name;
  expect(first()).toBe("first");
  appendFileSync(file, named("second") + filler + said('"session_info" in a text'));
  expect(first()).toBe("second");
  rmSync(`${file}.idx`);
  appendFileSync(file, filler);
  expect(first()).toBe("second");
  appendFileSync(file, '{"type":"session_info","name":"cut off');
  expect(first()).toBe("second");
});
