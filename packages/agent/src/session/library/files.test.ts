import { afterAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { folders, session } from "../../test/library.ts";
import { allSessionFiles } from "./files.ts";

const folder = folders(afterAll);

test("a new session's file is named by its time and id, in the folder of its directory", async () => {
  const sessions = folder();
  const { file } = await session(sessions, "/home/me/a project");
  expect(file).toStartWith(join(sessions, "--home-me-a project--"));
  expect(basename(file)).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[0-9a-f-]{36}\.jsonl$/);
});

test("sessions in a linked folder are in the list", async () => {
  const [sessions, away] = [folder(), folder()];
  const { file } = await session(away);
  mkdirSync(sessions);
  symlinkSync(join(away, "--project--"), join(sessions, "--project--"));
  expect(allSessionFiles(sessions)).toEqual([join(sessions, "--project--", basename(file))]);
});
