import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openShelf, search } from "@pith/agent";
import { openAside } from "./aside.ts";

const root = mkdtempSync(join(tmpdir(), "pith-aside-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const clock = { now: () => 1 };
let made = 0;

function stage(quietMs = 0) {
  const home = join(root, String(made++));
  const sessions = join(home, "sessions");
  mkdirSync(join(sessions, "--p--"), { recursive: true });
  const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" };
  const said = {
    type: "message",
    id: "00000001",
    parentId: null,
    timestamp: "x",
    message: { role: "user", content: "needle", timestamp: 1 },
  };
  writeFileSync(join(sessions, "--p--", "x_s.jsonl"), `${JSON.stringify(header)}\n${JSON.stringify(said)}\n`);
  return { home, aside: openAside({ home, cwd: "/p", sessions, clock, quietMs }) };
}

async function found(home: string): Promise<number> {
  const database = await openShelf(join(home, "search.db"));
  try {
    return search(database, { text: "needle", limit: 5 }).length;
  } finally {
    database.close();
  }
}

test("what was typed is recalled, by its words too, and is there though the end comes at once", async () => {
  const { home, aside } = stage();
  aside.typed("fix the login page");
  aside.typed("run the tests");
  expect((await aside.recall("", 5)).map(({ prompt }) => prompt)).toEqual(["run the tests", "fix the login page"]);
  expect((await aside.recall("log", 5)).map(({ prompt }) => prompt)).toEqual(["fix the login page"]);
  aside.typed("the last");
  await aside.close();
  const again = openAside({ home, cwd: "/p", sessions: home, clock });
  expect((await again.recall("", 1))[0]).toMatchObject({ prompt: "the last", cwd: "/p" });
  await again.close();
});

test("while nobody works the search is brought up to date, and not before", async () => {
  const { home, aside } = stage();
  aside.rest();
  while ((await found(home)) === 0) await Bun.sleep(5);
  await aside.close();
  const busy = stage();
  busy.aside.rest();
  busy.aside.wake();
  await busy.aside.close();
  expect(existsSync(join(busy.home, "search.db"))).toBe(false);
});
