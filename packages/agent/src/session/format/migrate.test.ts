import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { copyOf, newFiles, open } from "../../test/session-file.ts";
import { Context } from "../context.ts";
import { Journal } from "../journal.ts";
import { fileStorage } from "../store/disk.ts";
import { textOf } from "../text.ts";

const newFile = newFiles(afterAll);
const texts = (journal: Journal) =>
  new Context(journal).messages.map((message) => `${message.role}: ${textOf(message.content)}`);

test("a session of version 1 opens, and is rewritten at the first append with the original kept", async () => {
  const file = copyOf("v1", newFile());
  const original = readFileSync(file);
  const { journal } = open(file);
  const said = texts(journal);
  expect(said[0]).toContain("the first was answered");
  expect(said.slice(1)).toEqual(["user: second", "user: third"]);
  expect(readFileSync(file).equals(original)).toBe(true);
  journal.append({ type: "session_info", name: "new" });
  await journal.close();
  expect(readFileSync(`${file}.bak`).equals(original)).toBe(true);
  const [header, ...entries] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header.version).toBe(3);
  expect(entries.map((entry) => entry.parentId)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.id)]);
  expect(texts(open(file).journal)).toEqual(said);
});

test("a session of version 2 opens with the messages of its extensions", async () => {
  const { journal } = open(copyOf("v2", newFile()));
  expect(texts(journal)).toEqual(["user: first", "user: from an extension"]);
  await journal.close();
});

test("a rewrite that fails leaves the original as it was", async () => {
  const file = copyOf("v1", newFile());
  const original = readFileSync(file);
  const faults: string[] = [];
  const inner = fileStorage(file);
  const storage = {
    ...inner,
    replace: () => {
      throw new Error("no room");
    },
  };
  const opened = Journal.open({ storage, clock: { now: () => 0 }, onFault: (message) => faults.push(message) });
  if (!opened.ok) throw new Error(opened.message);
  opened.value.journal.append({ type: "session_info", name: "in memory" });
  expect(faults.join()).toContain("no room");
  expect(opened.value.journal.tree.name).toBe("in memory");
  expect(readFileSync(file).equals(original)).toBe(true);
  await opened.value.journal.close();
});
