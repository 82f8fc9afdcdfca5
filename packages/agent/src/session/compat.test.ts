import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@pith/llm";
import { Context } from "./context.ts";
import { Journal, type Opened } from "./journal.ts";
import { fileStorage } from "./store/disk.ts";

const root = mkdtempSync(join(tmpdir(), "pith-compat-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
function copyOf(name: string): string {
  const file = join(root, `${made++}-${name}.jsonl`);
  writeFileSync(file, readFileSync(join(import.meta.dir, "data", `${name}.jsonl`)));
  return file;
}
function open(file: string): Opened {
  const opened = Journal.open({ storage: fileStorage(file), clock: { now: () => 0 }, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value;
}
const texts = (messages: readonly Message[]) =>
  messages.map((message) => {
    const content: { type: string; text?: string }[] =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    return `${message.role}: ${content.map((part) => part.text ?? part.type).join("+")}`;
  });

describe.each(["pi", "omp"])("a session written by %s", (name) => {
  test("opens with its whole history, on its last branch", async () => {
    const { journal, notes } = open(copyOf(name));
    expect(notes).toEqual([]);
    const said = texts(new Context(journal).messages);
    expect(said.slice(0, 4)).toEqual([
      "user: list the files+image",
      "assistant: looking+toolCall",
      "toolResult: a.txt\nb.txt",
      "assistant: two files, äöü 漢字 🙂",
    ]);
    expect(said[4]).toContain("a short way that led nowhere");
    expect(said[5]).toBe("user: mind the gap");
    expect(said[6]).toContain("pwd");
    expect(said.slice(7)).toEqual(["user: and now?", "assistant: thinking+done"]);
    expect(JSON.stringify(said)).not.toContain("dead end");
    expect(journal.tree.size).toBe(15);
    expect([...journal.tree.labels().values()]).toEqual(["good"]);
    expect(journal.tree.name ?? journal.header.title).toBe("files of a project");
    await journal.close();
  });

  test("is written on without a byte of it being changed", async () => {
    const file = copyOf(name);
    const before = readFileSync(file);
    const { journal } = open(file);
    journal.append({ type: "session_info", name: "mine" });
    await journal.close();
    expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true);
    expect(existsSync(`${file}.bak`)).toBe(false);
    expect(open(file).journal.tree.name).toBe("mine");
  });
});

test("a session of version 1 opens, and is rewritten at the first append with the original kept", async () => {
  const file = copyOf("v1");
  const original = readFileSync(file);
  const { journal } = open(file);
  const said = texts(new Context(journal).messages);
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
  expect(texts(new Context(open(file).journal).messages)).toEqual(said);
});

test("a session of version 2 opens with the messages of its extensions", async () => {
  const { journal } = open(copyOf("v2"));
  expect(texts(new Context(journal).messages)).toEqual(["user: first", "user: from an extension"]);
  await journal.close();
});

test("a rewrite that fails leaves the original as it was", async () => {
  const file = copyOf("v1");
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
