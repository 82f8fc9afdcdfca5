import { afterAll, expect, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { create, line, newFiles, note, open, written } from "../../test/session-file.ts";

const newFile = newFiles(afterAll);

test("entries that another program appends meanwhile become part of the tree", async () => {
  const file = newFile();
  await written(file, 2);
  const { journal } = open(file);
  appendFileSync(file, line("0badcafe", null, { type: "custom", customType: "other" }));
  const mine = journal.append(note("mine"));
  expect(journal.tree.has("0badcafe")).toBe(true);
  expect(journal.tree.get(mine.id)).toMatchObject({ content: "mine" });
  await journal.close();
  const again = open(file);
  expect(again.journal.tree.get(mine.id)).toMatchObject({ content: "mine" });
  expect(again.journal.tree.size).toBe(4);
});

test("entries that another program appends to a long file keep their place when only the end is read", async () => {
  const file = newFile();
  const leaf = (await written(file, 60, 100_000)).at(-1);
  appendFileSync(
    file,
    line("c0c0c0c0", leaf, { type: "compaction", summary: "s", firstKeptEntryId: leaf, tokensBefore: 1 }),
  );
  rmSync(`${file}.idx`);
  const { journal } = open(file);
  appendFileSync(file, line("0badcafe", leaf, { type: "custom", customType: "other" }));
  const mine = journal.append(note("mine"));
  expect(journal.tree.isWhole).toBe(false);
  expect(journal.tree.size).toBe(63);
  expect(
    journal.tree
      .pathTo()
      .slice(-2)
      .map((entry) => entry.id),
  ).toEqual(["c0c0c0c0", mine.id]);
  await journal.close();
});

test("a file that another program cuts short is not written on", async () => {
  const file = newFile();
  await written(file, 5);
  const faults: string[] = [];
  const { journal } = open(file, "write", faults);
  journal.append(note("a"));
  truncateSync(file, 100);
  journal.append(note("b"));
  expect(faults.join()).toContain("cut by another program");
  expect(readFileSync(file).length).toBe(100);
});

test("a session of which nothing was said yet has a file, or a lock, because somebody began to type", async () => {
  const file = newFile();
  const journal = create(file);
  journal.prepare([note("to come")]);
  expect(readdirSync(dirname(file))).toEqual([]);
  const { id } = journal.append(note("said"));
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(3);
  journal.prepare([note("more to come")]);
  await journal.close();
  expect(open(file, "read").journal.tree.leaf).toBe(id);
});

test("getting ready where nothing can be written is a failure of its own", () => {
  const file = newFile();
  writeFileSync(dirname(file), "not a folder");
  const faults: string[] = [];
  const journal = create(file, { onFault: (text) => faults.push(text) });
  journal.prepare([note("to come")]);
  expect(faults).toEqual([]);
  journal.append(note("said"));
  expect(faults).toHaveLength(1);
});
