import { afterAll, expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { line, newFiles, note, open, written } from "../on-disk.ts";

const newFile = newFiles(afterAll);

test("what another program appends meanwhile becomes part of the tree", async () => {
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

test("what another program appends to a long file of which only the end is known does not lose the place", async () => {
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
