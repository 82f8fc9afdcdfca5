import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHistory } from "./store.ts";

const root = mkdtempSync(join(tmpdir(), "pith-history-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let time = 0;
const clock = { now: () => ++time };

test("a prompt is kept with its directory and is there after a restart, even when the end comes at once", async () => {
  const file = join(root, "deep", "history.db");
  const first = await openHistory(file, clock);
  first.add("one", "/a");
  first.close();
  const again = await openHistory(file, clock);
  expect(again.recent(1)).toEqual([{ prompt: "one", cwd: "/a", time: 1 }]);
  again.close();
});

test("an immediate repetition is kept once, also across a restart; a later one again", async () => {
  const file = join(root, "repeat.db");
  const first = await openHistory(file, clock);
  for (const prompt of ["a", "a", "b", "a", " "]) first.add(prompt);
  first.close();
  const again = await openHistory(file, clock);
  again.add("a");
  expect(again.recent(10).map((item) => item.prompt)).toEqual(["a", "b", "a"]);
  again.close();
});

test("a word finds its prompts among many, by its beginning too", async () => {
  const history = await openHistory(join(root, "many.db"), clock);
  for (let at = 0; at < 50; at++) history.add(`prompt number ${at}${at % 10 === 0 ? " with a needle" : ""}`);
  expect(history.search("needle", 3).map((item) => item.prompt)).toEqual(
    [40, 30, 20].map((at) => `prompt number ${at} with a needle`),
  );
  expect(history.search("need number", 100)).toHaveLength(5);
  expect(history.search('" OR *', 10)).toEqual([]);
  await new Promise((done) => setImmediate(done));
  history.close();
});

test("who opens the history twice has one, and it stays open for the other", async () => {
  const file = join(root, "two.db");
  const [one, two] = await Promise.all([openHistory(file, clock), openHistory(join(root, ".", "two.db"), clock)]);
  expect(one).toBe(two);
  one.add("from one");
  one.close();
  two.add("from two");
  expect(two.recent(5).map((item) => item.prompt)).toEqual(["from two", "from one"]);
  two.close();
  const again = await openHistory(file, clock);
  expect(again).not.toBe(one);
  expect(again.recent(5)).toHaveLength(2);
  again.close();
});

test("another process keeps its prompts in the same file", async () => {
  const file = join(root, "other.db");
  const mine = await openHistory(file, clock);
  mine.add("from here");
  const source = `const { openHistory } = await import(${JSON.stringify(join(import.meta.dir, "store.ts"))});
    const history = await openHistory(${JSON.stringify(file)}, { now: () => 5 });
    history.add("from there");
    history.close();`;
  expect(Bun.spawnSync([process.execPath, "-e", source]).exitCode).toBe(0);
  expect(mine.recent(5).map((item) => item.prompt)).toContain("from there");
  expect(mine.recent(5)).toHaveLength(2);
  mine.close();
});

test("a word of a language without spaces is found inside a sentence", async () => {
  const history = await openHistory(join(root, "unspaced.db"), clock);
  history.add("请帮我修复登录页面的错误");
  history.add("テストを実行してください");
  expect(history.search("登录", 5)).toHaveLength(1);
  expect(history.search("テスト", 5)).toHaveLength(1);
  expect(history.search("录登", 5)).toHaveLength(0);
  history.close();
});

test("a file that is no database does not keep anybody from typing", async () => {
  const file = join(root, "broken.db");
  writeFileSync(file, "not a database at all, but long enough to be read as the header of one");
  const history = await openHistory(file, clock);
  history.add("still");
  expect(history.recent(1)[0]?.prompt).toBe("still");
  history.close();
});

test("a history that a newer pith wrote is left as it is", async () => {
  const file = join(root, "newer.db");
  const first = await openHistory(file, clock);
  first.add("kept");
  first.close();
  const version = (set?: number) => {
    using database = new Database(file);
    if (set !== undefined) database.run(`PRAGMA user_version = ${set}`);
    return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
  };
  expect(version()).toBe(1);
  version(9);
  const newer = await openHistory(file, clock);
  newer.add("not there");
  expect(newer.recent(5)).toMatchObject([{ prompt: "not there" }]);
  newer.close();
  expect(version(1)).toBe(1);
  const again = await openHistory(file, clock);
  expect(again.recent(5)).toMatchObject([{ prompt: "kept" }]);
  again.close();
});
