import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { clock, newFiles, note, open, written } from "../../test/session-file.ts";
import { Journal } from "../journal.ts";
import { fileStorage } from "./disk.ts";

const newFile = newFiles(afterAll);

test("only one process writes to a session; a second one is told, and may read", async () => {
  const file = newFile();
  await written(file, 3);
  const first = open(file);
  const second = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  expect(second).toMatchObject({ ok: false, kind: "locked" });
  expect(second.ok ? "" : second.message).toContain(`process ${process.pid}`);
  const faults: string[] = [];
  const reader = open(file, "read", faults);
  reader.journal.append(note("only here"));
  expect(faults.join()).toContain("in memory only");
  await first.journal.close();
  expect(open(file).journal.tree.size).toBe(3);
});

test("a lock whose owner is gone is taken over", async () => {
  const file = newFile();
  await written(file, 1);
  const child = Bun.spawn(["sleep", "0"]);
  await child.exited;
  const { journal } = open(file);
  const lock = JSON.parse(readFileSync(`${file}.lock`, "utf8"));
  await journal.close();
  expect(existsSync(`${file}.lock`)).toBe(false);
  for (const stale of [
    { ...lock, pid: child.pid },
    { ...lock, start: "1" },
    { ...lock, boot: "another" },
    "half a lo",
  ]) {
    writeFileSync(`${file}.lock`, typeof stale === "string" ? stale : JSON.stringify(stale));
    const again = open(file);
    await again.journal.close();
  }
  writeFileSync(`${file}.lock`, JSON.stringify({ ...lock, host: "elsewhere" }));
  expect(Journal.open({ storage: fileStorage(file), clock, onFault: () => {} })).toMatchObject({
    ok: false,
    kind: "locked",
  });
});
