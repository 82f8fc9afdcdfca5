import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bucket, fileName, fileStorage, Journal, recentSessions } from "@pith/agent";
import { clock, recordsIn, said, work } from "../../test/record.ts";

const root = mkdtempSync(join(tmpdir(), "pith-session-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const desk = () => recordsIn(root);

test("a session is renamed, pinned, forked, moved, deleted and restored by the beginning of its id", async () => {
  const { pith, record, home } = desk();
  const { id, file } = await record(work);
  expect(await pith("session", "rename", id.slice(0, 13), "a", "better", "name")).toMatchObject({ code: 0 });
  expect((await pith("session", "pin", id)).out).toBe("pinned\n");
  expect((await pith("sessions")).out).toContain("* a better name");
  const forked = (await pith("session", "fork", id)).out.trim();
  expect(readFileSync(forked, "utf8").split("\n")).toHaveLength(readFileSync(file, "utf8").split("\n").length);
  mkdirSync(join(home, "project", "sub"));
  const moved = (await pith("session", "move", forked, "sub")).out.trim();
  expect(existsSync(forked)).toBe(false);
  expect((await pith("sessions", "--project", "sub", "--json")).out).toContain(moved);
  expect((await pith("session", "delete", id)).err).toContain("restore");
  expect((await pith("session", "path", id)).code).toBe(2);
  expect((await pith("session", "restore", id.slice(0, 20))).out.trim()).toBe(file);
  expect((await pith("session", "path", id)).out.trim()).toBe(file);
});

test("wrong words are told and change nothing", async () => {
  const { pith, record } = desk();
  const { id } = await record(work);
  for (const argv of [
    ["session", "renme", id],
    ["session", "rename", id],
    ["session", "pin"],
    ["session", "restore"],
    ["session", "pin", id, "x"],
    ["export", id],
    ["export", id, "--md", "--html"],
    ["import", "other", "x"],
    ["import", "claude"],
    ["gc", "x"],
    ["replay"],
    ["session", "path", "zzz"],
  ]) {
    expect(await pith(...argv)).toMatchObject({ code: 2, out: "" });
  }
});

test("sessions kept elsewhere are listed, exported and restored from there", async () => {
  const { pith, home } = desk();
  const dir = join(home, "elsewhere");
  const there = (...argv: string[]) => pith(...argv, "--session-dir", dir);
  const journal = Journal.create(
    { clock, onFault: () => {}, storage: (header) => fileStorage(join(bucket(dir, "/p"), fileName(header))) },
    { cwd: "/p" },
  );
  journal.append(said("far away"));
  await journal.close();
  const { id } = journal.header;
  expect((await there("sessions")).out).toContain("far away");
  expect((await there("sessions", "away")).code).toBe(0);
  expect((await pith("sessions", "away")).code).toBe(1);
  expect((await there("export", id, "--md")).out).toContain("far away");
  expect((await there("session", "delete", id)).code).toBe(0);
  expect(await there("session", "restore", id)).toMatchObject({ code: 0, out: `${journal.file}\n` });
  expect((await there("session", "restore", "")).code).toBe(2);
  expect((await there("session", "path", "")).code).toBe(2);
});

test("a folder where a session should be is told, by every command", async () => {
  const { pith, cwd } = desk();
  mkdirSync(join(cwd, "odd.jsonl"));
  for (const words of [
    ["export", "odd.jsonl", "--md"],
    ["replay", "odd.jsonl"],
    ["session", "fork", "odd.jsonl"],
    ["session", "rename", "odd.jsonl", "x"],
  ]) {
    const { code, err } = await pith(...words);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain("cannot be read");
  }
});

test("a pipe or a device that is called like a session keeps nobody waiting", async () => {
  const { pith, record, home, cwd } = desk();
  const { file } = await record([said("needle")]);
  const pipe = join(file, "..", "2027-01-01T00-00-00-000Z_ffff.jsonl");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  symlinkSync("/dev/zero", join(cwd, "zero.jsonl"));
  for (const name of [pipe, "zero.jsonl"]) {
    expect(await pith("export", name, "--md")).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not a file"),
    });
    expect((await pith("session", "delete", name)).code).toBe(1);
    expect((await pith("session", "fork", name)).code).toBe(1);
    expect((await pith("import", "codex", name)).code).toBe(1);
  }
  expect((await pith("sessions")).out).toContain("needle");
  expect((await pith("sessions", "needle")).code).toBe(0);
  expect((await pith("session", "path", "01")).code).toBe(0);
  expect((await pith("gc")).code).toBe(0);
  expect(recentSessions(join(home, "sessions"), cwd, home, undefined).next().value).toBe(file);
}, 120_000);
