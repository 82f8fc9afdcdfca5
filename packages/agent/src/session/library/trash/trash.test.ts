import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clock, fileLines, folders, session } from "../../../test/library.ts";
import { Journal } from "../../journal.ts";
import { fileStorage } from "../../store/disk.ts";
import { artifactsOf, readHeader } from "../files.ts";
import { findSession } from "../find.ts";
import { deleteSession, emptyTrash, listTrash, restoreSession } from "./trash.ts";

const folder = folders(afterAll);

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
  const [header, ...rest] = fileLines(file);
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
