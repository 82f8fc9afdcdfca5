import { afterAll, expect, test } from "bun:test";
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { calls, says, scripted } from "../../test/scripted.ts";
import { clock, create, newFiles, note, open, written } from "../../test/session-file.ts";
import { Journal } from "../journal.ts";
import { fileStorage } from "./disk.ts";
import { memoryStorage, type Storage } from "./storage.ts";

const newFile = newFiles(afterAll);

/** Refuses the writes whose number is in the list, after writing half of them. */
function failing(inner: Storage, refuses: (write: number) => boolean): Storage {
  let writes = 0;
  return {
    ...inner,
    append: (bytes) => {
      if (refuses(writes++)) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      return inner.append(bytes);
    },
  };
}

test("a write that fails at any place is caught up with as soon as writing works again", async () => {
  for (let broken = 0; broken < 6; broken++) {
    const faults: string[] = [];
    const storage = memoryStorage();
    const journal = create("", {
      storage: failing(storage, (write) => write >= broken && write < broken + 2),
      onFault: (message) => faults.push(message),
    });
    const run = scripted([calls({ name: "none", input: {} }), says("done")], { journal });
    await run.conversation.send({ text: "go" });
    await run.conversation.send({ text: "again" });
    const ids = run.entries().map((entry) => entry.id);
    expect(run.events.at(-1)).toMatchObject({ state: { end: { reason: "done" } } });
    while (journal.isBehind || ids.length === run.entries().length) journal.append(note("last"));
    const again = Journal.open({ storage, clock, onFault: () => {} });
    expect(again.ok && again.value.journal.tree.pathTo().map((entry) => entry.id)).toEqual(
      run.entries().map((entry) => entry.id),
    );
    expect(faults).toEqual([expect.stringContaining("no space left"), expect.stringContaining("recorded again")]);
  }
});

test("a session that cannot be written any more can be saved elsewhere, whole", async () => {
  const file = newFile();
  const faults: string[] = [];
  const journal = create(file, { onFault: (message) => faults.push(message) });
  journal.append(note("one"));
  rmSync(join(file, ".."), { recursive: true });
  journal.append(note("two"));
  journal.append(note("three"));
  expect(faults.join()).toContain("deleted");
  const elsewhere = newFile();
  expect(await journal.saveTo(fileStorage(elsewhere))).toMatchObject({ ok: true });
  journal.append(note("four"));
  await journal.close();
  expect(
    open(elsewhere)
      .journal.tree.pathTo()
      .map((entry) => (entry.type === "custom_message" ? entry.content : "")),
  ).toEqual(["one", "two", "three", "four"]);
});

test("entries after half a line that cannot be removed are saved elsewhere too", async () => {
  const file = newFile();
  await written(file, 3);
  appendFileSync(file, '{"type":"message","id":"torn');
  const { journal } = open(file, "read");
  const added = [journal.append(note("one")).id, journal.append(note("two")).id];
  expect(journal.tree.get(added[0] ?? "")).toMatchObject({ content: "one" });
  const elsewhere = newFile();
  expect(await journal.saveTo(fileStorage(file))).toMatchObject({
    ok: false,
    message: expect.stringContaining("already there"),
  });
  expect(await journal.saveTo(fileStorage(elsewhere))).toMatchObject({ ok: true });
  await journal.close();
  const again = open(elsewhere);
  expect(
    again.journal.tree
      .pathTo()
      .slice(3)
      .map((entry) => entry.id),
  ).toEqual(added);
});

test("a directory that cannot be written is told and the run goes on", async () => {
  const folder = dirname(newFile());
  mkdirSync(folder);
  writeFileSync(join(folder, "file"), "");
  const faults: string[] = [];
  const journal = create(join(folder, "file", "session.jsonl"), { onFault: (message) => faults.push(message) });
  journal.append(note("kept"));
  expect(journal.tree.size).toBe(1);
  expect(faults).toHaveLength(1);
  chmodSync(folder, 0o700);
});
