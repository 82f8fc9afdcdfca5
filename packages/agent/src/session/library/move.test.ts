import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { clock, fileLines, folders, session } from "../../test/library.ts";
import { artifactsOf, bucket, readHeader } from "./files.ts";
import { moveSession } from "./move.ts";

const folder = folders(afterAll);

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
  expect(fileLines(moved.value)).toHaveLength(ids.length + 1);
});

test("outputs that were moved come back when what follows fails", async () => {
  const sessions = folder();
  const { file } = await session(sessions);
  mkdirSync(artifactsOf(file));
  writeFileSync(join(artifactsOf(file), "0.bash.log"), "x");
  // The copy beside the old file cannot be made: a folder stands there, and it must not be written over.
  writeFileSync(`${file}.bak`, "older");
  mkdirSync(join(bucket(sessions, "/elsewhere"), `${basename(file)}.bak`, "taken"), { recursive: true });
  const before = readFileSync(file);
  expect(await moveSession(file, "/elsewhere", sessions, clock)).toMatchObject({ ok: false, kind: "unwritable" });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readFileSync(join(artifactsOf(file), "0.bash.log"), "utf8")).toBe("x");
  expect(readFileSync(`${file}.bak`, "utf8")).toBe("older");
});
