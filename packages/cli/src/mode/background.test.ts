import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSessionDatabase, searchSessions } from "@pith/agent";
import { openHistory } from "@pith/coder";
import { openBackground } from "./background.ts";

const root = mkdtempSync(join(tmpdir(), "pith-aside-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const clock = { now: () => 1 };
let made = 0;

function asideIn(quietMs = 0) {
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
  return { home, aside: openBackground({ home, cwd: "/p", sessions, clock, quietMs }) };
}

async function found(home: string): Promise<number> {
  const database = await openSessionDatabase(join(home, "search.db"));
  try {
    return searchSessions(database, { text: "needle", limit: 5 }).length;
  } finally {
    database.close();
  }
}

test("what was typed is kept, though the end comes at once", async () => {
  const { home, aside } = asideIn();
  aside.typed("fix the login page");
  aside.typed("the last");
  await aside.close();
  const history = await openHistory(join(home, "history.db"), clock);
  expect(history.recent(5)).toMatchObject([{ prompt: "the last", cwd: "/p" }, { prompt: "fix the login page" }]);
  history.close();
});

test("while nobody works the search is brought up to date, and not before", async () => {
  const { home, aside } = asideIn();
  aside.idle();
  while ((await found(home)) === 0) await Bun.sleep(5);
  await aside.close();
  const busy = asideIn();
  busy.aside.idle();
  busy.aside.busy();
  await busy.aside.close();
  expect(existsSync(join(busy.home, "search.db"))).toBe(false);
});
