import { afterAll, expect, test } from "bun:test";
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { calls, says, scripted } from "../../test/scripted.ts";
import { clock, create, newFiles, note, open, written } from "../../test/session-file.ts";
import { Journal } from "../journal.ts";
import { BufferedStorage } from "./buffered-storage.ts";
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

test("what is caught up behind half a line that could not be cut off stands on lines of its own", async () => {
  const bytes: Buffer[] = [Buffer.from('{"type":"session"}\n{"half')];
  let full = true;
  const storage: Storage = {
    ...memoryStorage(),
    size: () => Buffer.concat(bytes).length,
    read: (from = 0, to) => Buffer.concat(bytes).subarray(from, to),
    append(more) {
      if (full) throw new Error("no space left on device");
      const at = Buffer.concat(bytes).length;
      bytes.push(Buffer.from(more));
      return at;
    },
  };
  const told: string[] = [];
  const kept = new BufferedStorage(storage, (text) => told.push(text));
  const first = kept.append(Buffer.from("one\n"));
  expect(kept.read(first, first + 4)?.toString()).toBe("one\n");
  expect(kept.isBehind).toBe(true);
  full = false;
  const second = kept.append(Buffer.from("two\n"));
  expect(kept.isBehind).toBe(false);
  expect(Buffer.concat(bytes).toString()).toBe('{"type":"session"}\n{"half\none\ntwo\n');
  expect(kept.read(second, second + 4)?.toString()).toBe("two\n");
  expect(told).toEqual([expect.stringContaining("no space left"), expect.stringContaining("nothing is missing")]);
});

test("what another program wrote meanwhile is not followed by what was kept in memory", async () => {
  const bytes: Buffer[] = [Buffer.from("a\n")];
  let full = true;
  const storage: Storage = {
    ...memoryStorage(),
    size: () => Buffer.concat(bytes).length,
    read: (from = 0, to) => Buffer.concat(bytes).subarray(from, to),
    append(more) {
      if (full) throw new Error("full");
      bytes.push(Buffer.from(more));
      return 0;
    },
  };
  const told: string[] = [];
  const kept = new BufferedStorage(storage, (text) => told.push(text));
  kept.append(Buffer.from("mine\n"));
  full = false;
  bytes.push(Buffer.from("theirs\n"));
  await kept.sync();
  kept.append(Buffer.from("mine too\n"));
  expect(Buffer.concat(bytes).toString()).toBe("a\ntheirs\n");
  expect(kept.isBehind).toBe(true);
  expect(told).toEqual([expect.stringContaining("full"), expect.stringContaining("changed by another program")]);
});
