import { afterAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openArtifacts } from "../artifact.ts";
import { Journal } from "../journal.ts";
import { fileStorage } from "../store/disk.ts";
import { findSession, idOf, leaveCrumb, recentSession, terminalId } from "./find.ts";
import { forkSession } from "./fork.ts";
import { moveSession } from "./move.ts";
import { pinned, togglePin } from "./pin.ts";
import { allSessionFiles, artifactsOf, bucket, fileName, readHeader } from "./place.ts";
import { deleteSession, emptyTrash, listTrash, restoreSession } from "./trash.ts";

const root = mkdtempSync(join(tmpdir(), "pith-library-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
let time = 1_700_000_000_000;
const clock = { now: () => time++ };
const folder = () => join(root, String(made++));

async function session(
  sessions: string,
  cwd = "/project",
  texts = ["one", "two", "three"],
): Promise<{ file: string; ids: string[] }> {
  const journal = Journal.create(
    { storage: (header) => fileStorage(join(bucket(sessions, cwd), fileName(header))), clock, onFault: () => {} },
    { cwd },
  );
  const ids = texts.map(
    (text) => journal.append({ type: "message", message: { role: "user", content: text, timestamp: 0 } }).id,
  );
  await journal.close();
  return { file: journal.file ?? "", ids };
}
const linesOf = (file: string) => readFileSync(file, "utf8").trim().split("\n");

test("a new session's file is named by its time and id, in the folder of its directory", async () => {
  const sessions = folder();
  const { file } = await session(sessions, "/home/me/a project");
  expect(file).toStartWith(join(sessions, "--home-me-a project--"));
  expect(basename(file)).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[0-9a-f-]{36}\.jsonl$/);
});

test("a directory with a path longer than a name can be has its own folder, too", async () => {
  const sessions = folder();
  const long = `/${"ü".repeat(100)}/${"d".repeat(120)}`;
  const [one, other] = [await session(sessions, `${long}/a`), await session(sessions, `${long}/b`)];
  expect(existsSync(one.file)).toBe(true);
  expect(recentSession(sessions, `${long}/a`, sessions, undefined)).toBe(one.file);
  expect(recentSession(sessions, `${long}/b`, sessions, undefined)).toBe(other.file);
  expect(bucket("", "/a/b")).toBe("--a-b--");
});

test("a fork is the same session under a new id, with its outputs, and their numbering goes on", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  mkdirSync(artifactsOf(file));
  for (const name of ["0.bash.log", "3.read.log"]) writeFileSync(join(artifactsOf(file), name), name);
  const forked = forkSession({ file, sessions, take: "all", clock });
  if (!forked.ok) throw new Error(forked.message);
  const { header, warnings } = forked.value;
  expect(warnings).toEqual([]);
  expect(linesOf(forked.value.file).slice(1)).toEqual(linesOf(file).slice(1));
  expect(readHeader(forked.value.file)).toEqual(header);
  expect(header.parentSession).toBe(file);
  expect(header.id).not.toBe(readHeader(file)?.id ?? "");
  expect(openArtifacts(forked.value.file).allocate("bash")?.id).toBe("4");
});

test("a session in use can be forked", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  const opened = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  expect(opened.ok && forkSession({ file, sessions, take: "all", clock }).ok).toBe(true);
});

test("outputs that cannot be copied are told in the fork, which stands without them", async () => {
  const sessions = folder();
  const { file } = await session(sessions, "/project", ["Full: artifact://3", "[raw output: artifact://5]"]);
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "5.bash.log"), "x");
  const copy = () => {
    throw new Error("unreadable");
  };
  const forked = forkSession({ file, sessions, take: "all", clock, copy });
  if (!forked.ok) throw new Error(forked.message);
  expect(forked.value.warnings).toEqual([expect.stringContaining("unreadable")]);
  expect(linesOf(forked.value.file).at(-1)).toContain("every artifact:// named above is gone");
  // A number that the conversation knows never comes to mean something else.
  const lost = openArtifacts(forked.value.file);
  expect(lost.allocate("bash")?.id).toBe("6");
  const last = lost.resolve("5");
  expect(last.ok && readFileSync(last.value, "utf8")).toContain("gone in this copy");
});

test("a copy of one path has the outputs that it names, and their numbering goes on", async () => {
  const sessions = folder();
  const { file, ids } = await session(sessions);
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "2.bash.log"), "x");
  const forked = forkSession({ file, sessions, take: { upTo: ids[1] ?? "" }, clock });
  if (!forked.ok) throw new Error(forked.message);
  expect(openArtifacts(forked.value.file).resolve("2").ok).toBe(true);
  expect(openArtifacts(forked.value.file).allocate("bash")?.id).toBe("3");
});

test("a branch holds the path before a message and the labels of its entries, and nothing else", async () => {
  const sessions = folder();
  const { file, ids } = await session(sessions);
  const opened = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  opened.value.journal.append({ type: "label", targetId: ids[0] ?? "", label: "start" });
  opened.value.journal.append({ type: "label", targetId: ids[2] ?? "", label: "end" });
  await opened.value.journal.close();
  const branch = forkSession({ file, sessions, take: { upTo: ids[1] ?? "" }, clock });
  if (!branch.ok) throw new Error(branch.message);
  const again = Journal.open({ storage: fileStorage(branch.value.file), clock, onFault: () => {} });
  if (!again.ok) throw new Error(again.message);
  const { tree } = again.value.journal;
  expect(tree.pathTo().map((entry) => entry.type)).toEqual(["message", "message", "label"]);
  expect([...tree.labels()]).toEqual([[ids[0] ?? "", "start"]]);
  expect(again.value.notes).toEqual([]);
});

test("a session moves with its outputs, and when that fails both are where they were", async () => {
  const sessions = folder();
  const { file, ids } = await session(sessions);
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "0.bash.log"), "x");
  const before = readFileSync(file);
  const refused = await moveSession(file, "/elsewhere", sessions, clock, () => {
    throw new Error("no");
  });
  expect(refused).toMatchObject({ ok: false, kind: "unwritable" });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(existsSync(join(artifactsOf(file), "0.bash.log"))).toBe(true);
  expect(readdirSync(bucket(sessions, "/elsewhere"))).toEqual([]);
  const moved = await moveSession(file, "/elsewhere", sessions, clock);
  if (!moved.ok) throw new Error(moved.message);
  expect(readHeader(moved.value)?.cwd).toBe("/elsewhere");
  expect(existsSync(file) || existsSync(artifactsOf(file)) || existsSync(`${file}.lock`)).toBe(false);
  expect(existsSync(join(artifactsOf(moved.value), "0.bash.log"))).toBe(true);
  expect(linesOf(moved.value)).toHaveLength(ids.length + 1);
});

test("a deleted session comes back whole, and the trash is emptied by age", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  mkdirSync(artifactsOf(file));
  const before = readFileSync(file);
  const id = readHeader(file)?.id ?? "";
  expect(deleteSession(file, sessions, 0)).toMatchObject({ ok: true });
  expect(existsSync(file)).toBe(false);
  expect(findSession(id, sessions, "/project")).toMatchObject({ ok: false });
  expect(restoreSession(id.slice(0, 30), sessions)).toEqual({ ok: true, value: file });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(existsSync(artifactsOf(file))).toBe(true);
  deleteSession(file, sessions, 0);
  expect(emptyTrash(sessions, 0, "remove")).toBe(0);
  expect(emptyTrash(sessions, Date.now() + 1000, "remove")).toBe(1);
  expect(listTrash(sessions)).toEqual([]);
  expect(restoreSession(id, sessions)).toMatchObject({ ok: false, kind: "missing" });
});

test("an id that looks like a path does not lead out of the trash", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  const [header, ...rest] = linesOf(file);
  writeFileSync(file, [JSON.stringify({ ...JSON.parse(header ?? ""), id: "../../out" }), ...rest, ""].join("\n"));
  const deleted = deleteSession(file, sessions, 0);
  expect(deleted).toMatchObject({ ok: true, value: { folder: join(sessions, ".trash", "______out") } });
  expect(restoreSession("______out", sessions)).toEqual({ ok: true, value: file });
});

test("a session in use is not deleted", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  const opened = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  expect(deleteSession(file, sessions, 0)).toMatchObject({ ok: false, kind: "locked" });
  if (opened.ok) await opened.value.journal.close();
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
  expect(recentSession(sessions, "/a", home, "tty1")).toBe(first.file);
  leaveCrumb(home, "/dev/pts/2", "/a", second.file);
  expect(recentSession(sessions, "/a", home, "/dev/pts/2")).toBe(second.file);
  expect(recentSession(sessions, "/a", home, undefined)).toBe(first.file);
  rmSync(second.file);
  expect(recentSession(sessions, "/a", home, "/dev/pts/2")).toBe(first.file);
  expect(recentSession(sessions, "/b", home, "/dev/pts/2")).toBeUndefined();
  expect(terminalId({ TMUX_PANE: "%1", TMUX: "/tmp/x,99,0" }, "/dev/pts/1")).toBe("TMUX_PANE-%1-99");
  expect(terminalId({ STY: "7.pts", WINDOW: "0" }, "/dev/pts/1")).not.toBe(
    terminalId({ STY: "7.pts", WINDOW: "1" }, "/dev/pts/1") ?? "",
  );
  expect(terminalId({}, "/dev/pts/1")).toBe("/dev/pts/1");
  expect(terminalId({}, undefined)).toBeUndefined();
});

test("a session that was deleted twice can be brought back, both times", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  const text = readFileSync(file, "utf8");
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "0.bash.log"), "first");
  const first = deleteSession(file, sessions, 0);
  writeFileSync(file, text);
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "0.bash.log"), "second");
  const second = deleteSession(file, sessions, 0);
  if (!first.ok || !second.ok) throw new Error("not deleted");
  expect(second.value.id).toBe(`${first.value.id}-2`);
  expect(restoreSession(second.value.id, sessions).ok).toBe(true);
  expect(readFileSync(join(artifactsOf(file), "0.bash.log"), "utf8")).toBe("second");
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
  leaveCrumb(home, "t", "/here", here.file);
  leaveCrumb(home, "t", "/there", there.file);
  leaveCrumb(home, "t", "/here", join(home, "sessions", "never.jsonl"));
  expect(recentSession(join(home, "sessions"), "/here", home, "t")).toBe(here.file);
  expect(recentSession(join(home, "sessions"), "/here", home, "other")).toBe(newest.file);
  const elsewhere = await session(sessions, "/here");
  expect(recentSession(sessions, "/here", home, "t")).toBe(elsewhere.file);
});

test("sessions in a linked folder are in the list", async () => {
  const [sessions, away] = [folder(), folder()];
  const { file } = await session(away);
  mkdirSync(sessions);
  symlinkSync(join(away, "--project--"), join(sessions, "--project--"));
  expect(allSessionFiles(sessions)).toEqual([join(sessions, "--project--", basename(file))]);
});

test("a pin stays until it is taken away", () => {
  const sessions = folder();
  expect(togglePin(sessions, "x")).toEqual({ ok: true, value: "pinned" });
  expect(togglePin(sessions, "y")).toEqual({ ok: true, value: "pinned" });
  expect([...pinned(sessions)]).toEqual(["x", "y"]);
  expect(togglePin(sessions, "x")).toEqual({ ok: true, value: "unpinned" });
  expect([...pinned(sessions)]).toEqual(["y"]);
});
