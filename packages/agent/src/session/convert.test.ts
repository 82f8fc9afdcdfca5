import { expect, test } from "bun:test";
import { messagesOf } from "./convert.ts";
import type { Entry } from "./entry.ts";

const base = { id: "aaaaaaaa", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" };
const message = (fields: object) => messagesOf({ type: "message", ...base, message: fields } as unknown as Entry);
const text = (fields: object) => JSON.stringify(message(fields));

test("every role that relatives write is shown to the model, and their system prompt is not", () => {
  expect(message({ role: "user", content: "hi", timestamp: 5 })).toEqual([
    { role: "user", content: "hi", timestamp: 5 },
  ]);
  expect(text({ role: "custom", customType: "x", content: "from an extension" })).toContain("from an extension");
  expect(text({ role: "hookMessage", content: [{ type: "text", text: "from a hook" }] })).toContain("from a hook");
  expect(text({ role: "branchSummary", summary: "left" })).toContain("left");
  expect(text({ role: "compactionSummary", summary: "before" })).toContain("before");
  expect(text({ role: "bashExecution", command: "ls", output: "a.txt", exitCode: 0 })).toMatch(/ls.*a\.txt/);
  expect(text({ role: "bashExecution", command: "sleep", output: "", cancelled: true })).toContain("cancelled");
  expect(text({ role: "bashExecution", command: "x", output: "end", truncated: true, artifactId: "3" })).toContain(
    "artifact://3",
  );
  expect(text({ role: "bashExecution", command: "x", output: "end", truncated: true })).toContain("not kept");
  expect(text({ role: "bashExecution", command: "x", output: "", timedOut: true })).toContain("out of time");
  expect(text({ role: "pythonExecution", code: "1 + 1", output: "2", exitCode: 0 })).toContain("1 + 1");
  expect(text({ role: "fileMention", files: [{ path: "a.ts", content: "const a = 1" }] })).toMatch(
    /a\.ts.*const a = 1/,
  );
  expect(message({ role: "developer", content: "mind the date" })).toMatchObject([
    { role: "user", content: "mind the date" },
  ]);
  for (const role of ["system", "constructor", "toString"]) expect(message({ role, content: "secret" })).toEqual([]);
});

test("commands that the user ran outside of the context are not sent", () => {
  expect(
    message({ role: "bashExecution", command: "env", output: "KEY=1", exitCode: 0, excludeFromContext: true }),
  ).toEqual([]);
});

test("a message is the very object of the record wherever it can be sent as it stands", () => {
  const reply = { role: "assistant", content: [{ type: "text", text: "hi" }], timestamp: 1 };
  expect(message(reply)[0]).toBe(reply as never);
  expect(
    message({ role: "toolResult", toolCallId: "c", toolName: "x", content: null, isError: false, timestamp: 1 })[0],
  ).toMatchObject({ content: [] });
});

test("entries that are only of use to a program are not shown", () => {
  for (const entry of [
    { type: "custom", customType: "pith.inbox", data: { text: "x" } },
    { type: "custom", customType: "pith.question", data: { question: "x" } },
    { type: "custom", customType: "pith.answer", data: { words: "x" } },
    { type: "label", targetId: "x", label: "y" },
    { type: "model_change", provider: "p", modelId: "m" },
    { type: "from_the_future", content: "x" },
  ]) {
    expect(messagesOf({ ...base, ...entry } as unknown as Entry)).toEqual([]);
  }
});

test("a reference or damage in the place of a picture is never sent as one, sound or not", () => {
  for (const data of [
    `blob:sha256:${"0".repeat(64)}`,
    "blob:sha256:../../x",
    "blob:sha256:",
    "blob:md5:00",
    "iVBOR#####w0KGgo=",
  ]) {
    const content = [{ type: "image", mimeType: "image/png", data }];
    for (const role of ["user", "toolResult"])
      expect(message({ role, content, timestamp: 1 })).toMatchObject([
        { content: [{ type: "text", text: expect.stringContaining("An image stood here") }] },
      ]);
  }
});
