import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folders, session } from "../../test/library.ts";
import { bucket } from "./files.ts";
import { findSession, idOf, recentSessions, rememberTerminalSession, terminalId } from "./find.ts";

const folder = folders(afterAll);
const recent = (...where: Parameters<typeof recentSessions>) => recentSessions(...where).next().value;

test("a directory with a path longer than a name can be has its own folder, too", async () => {
  const sessions = folder();
  const long = `/${"ü".repeat(100)}/${"d".repeat(120)}`;
  const [first, second] = [await session(sessions, `${long}/a`), await session(sessions, `${long}/b`)];
  expect(existsSync(first.file)).toBe(true);
  expect(recent(sessions, `${long}/a`, sessions, undefined)).toBe(first.file);
  expect(recent(sessions, `${long}/b`, sessions, undefined)).toBe(second.file);
  expect(bucket("", "/a/b")).toBe("--a-b--");
});

test("a session is found by its path or by the beginning of its id, first in this directory", async () => {
  const sessions = folder();
  const { file } = await session(sessions, "/a");
  const other = await session(sessions, "/b");
  expect(findSession(file, sessions, "/a")).toEqual({ ok: true, value: file });
  expect(findSession(idOf(file), sessions, "/b")).toEqual({ ok: true, value: file });
  // Both begin with the same digits of their time.
  expect(findSession(idOf(file).slice(0, 6), sessions, "/b")).toEqual({ ok: true, value: other.file });
  expect(findSession(idOf(file).slice(0, 6), sessions, "/c")).toMatchObject({ ok: false, kind: "ambiguous" });
  expect(findSession("zzz", sessions, "/a")).toMatchObject({ ok: false, kind: "missing" });
});

test("each terminal goes on with its own last session, and a new one with the last of the directory", async () => {
  const sessions = folder();
  const home = folder();
  const first = await session(sessions, "/a");
  const second = await session(sessions, "/a");
  utimesSync(second.file, 5, 5);
  expect(recent(sessions, "/a", home, "tty1")).toBe(first.file);
  rememberTerminalSession(home, "/dev/pts/2", "/a", second.file);
  expect(recent(sessions, "/a", home, "/dev/pts/2")).toBe(second.file);
  expect(recent(sessions, "/a", home, undefined)).toBe(first.file);
  rmSync(second.file);
  expect(recent(sessions, "/a", home, "/dev/pts/2")).toBe(first.file);
  expect(recent(sessions, "/b", home, "/dev/pts/2")).toBeUndefined();
  expect(terminalId({ TMUX_PANE: "%1", TMUX: "/tmp/x,99,0" }, "/dev/pts/1")).toBe("TMUX_PANE-%1-99");
  expect(terminalId({ STY: "7.pts", WINDOW: "0" }, "/dev/pts/1")).not.toBe(
    terminalId({ STY: "7.pts", WINDOW: "1" }, "/dev/pts/1") ?? "",
  );
  expect(terminalId({ CMUX_SURFACE_ID: "s-7", KITTY_WINDOW_ID: "1" }, "/dev/pts/1")).toBe("CMUX_SURFACE_ID-s-7");
  expect(terminalId({}, "/dev/pts/1")).toBe("/dev/pts/1");
  expect(terminalId({}, undefined)).toBeUndefined();
});

test("a session is found by the id inside it, when its file is called otherwise", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  const other = join(bucket(sessions, "/project"), "my notes.jsonl");
  writeFileSync(other, readFileSync(file, "utf8").replace(/"id":"[^"]+"/, '"id":"FEED-1"'));
  expect(findSession("feed", sessions, "/project")).toEqual({ ok: true, value: other });
  expect(findSession("beef", sessions, "/project")).toMatchObject({ ok: false, kind: "missing" });
});

test("no word is no session", () => {
  const empty = findSession("", folder(), "/");
  expect(empty.ok).toBe(false);
});

test("a terminal goes on with its own session of each directory, and not with one that was never written", async () => {
  const sessions = folder();
  const home = join(sessions, "..", "home-of-crumbs");
  const here = await session(join(home, "sessions"), "/here");
  const there = await session(join(home, "sessions"), "/there");
  const newest = await session(join(home, "sessions"), "/here");
  rememberTerminalSession(home, "t", "/here", here.file);
  rememberTerminalSession(home, "t", "/there", there.file);
  rememberTerminalSession(home, "t", "/here", join(home, "sessions", "never.jsonl"));
  expect(recent(join(home, "sessions"), "/here", home, "t")).toBe(here.file);
  expect(recent(join(home, "sessions"), "/here", home, "other")).toBe(newest.file);
  const elsewhere = await session(sessions, "/here");
  expect(recent(sessions, "/here", home, "t")).toBe(elsewhere.file);
});

test("a session whose header was cut off belongs to the folder it lies in", async () => {
  const sessions = folder();
  const { file } = await session(sessions, "/a");
  const older = await session(sessions, "/a");
  utimesSync(older.file, 5, 5);
  writeFileSync(file, readFileSync(file, "utf8").slice(30));
  writeFileSync(join(bucket(sessions, "/a"), "empty.jsonl"), "");
  expect([...recentSessions(sessions, "/a", sessions, undefined)]).toEqual([file, older.file]);
});
