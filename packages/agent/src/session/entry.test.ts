import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { Message } from "@pith/llm";
import { copyOf, newFiles, open } from "../test/session-file.ts";
import { Context } from "./context.ts";

const newFile = newFiles(afterAll);
const texts = (messages: readonly Message[]) =>
  messages.map((message) => {
    const content: { type: string; text?: string }[] =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    return `${message.role}: ${content.map((part) => part.text ?? part.type).join("+")}`;
  });

describe.each(["pi", "omp"])("a session written by %s", (name) => {
  test("opens with its whole history, on its last branch", async () => {
    const { journal, notes } = open(copyOf(name, newFile()));
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
    const file = copyOf(name, newFile());
    const before = readFileSync(file);
    const { journal } = open(file);
    journal.append({ type: "session_info", name: "mine" });
    await journal.close();
    expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true);
    expect(existsSync(`${file}.bak`)).toBe(false);
    expect(open(file).journal.tree.name).toBe("mine");
  });
});
