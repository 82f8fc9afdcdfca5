import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Context } from "../context.ts";
import type { Entry } from "../entry.ts";
import { Journal } from "../journal.ts";
import { fileBlobs, memoryBlobs } from "../store/blob.ts";
import { memoryStorage } from "../store/storage.ts";
import { fromLine, toLine } from "./line.ts";

const root = mkdtempSync(join(tmpdir(), "pith-blob-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const image = (length: number) => Buffer.alloc((length / 4) * 3, 7).toString("base64");
const withImage = (data: string): Entry => ({
  type: "message",
  id: "aaaaaaaa",
  parentId: null,
  timestamp: "2026-01-01T00:00:00.000Z",
  message: { role: "user", content: [{ type: "image", data, mimeType: "image/png" }], timestamp: 0 },
});
const custom = (data: unknown): Entry => ({
  type: "custom",
  id: "aaaaaaaa",
  parentId: null,
  timestamp: "",
  customType: "x",
  data,
});

test("an image of 1,024 characters goes to the blobs, a shorter one stays, and both come back", () => {
  const blobs = memoryBlobs();
  for (const [length, ref] of [
    [1020, false],
    [1024, true],
  ] as const) {
    const entry = withImage(image(length));
    const line = toLine(entry, blobs);
    expect(line.includes("blob:sha256:")).toBe(ref);
    expect(fromLine(line, blobs, () => {})).toEqual(entry);
  }
});

test("the same bytes are kept once, under the name of their content, by whatever session", () => {
  const folder = join(root, "blobs");
  const entry = withImage(image(2048));
  const lines = [1, 2].map(() =>
    toLine(
      entry,
      fileBlobs(folder, () => 0),
    ),
  );
  expect(lines[0]).toBe(lines[1] ?? "");
  const [name = "", ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  expect(lines[0]).toContain(`blob:sha256:${name}`);
  expect(readFileSync(join(folder, name)).toString("base64")).toBe(image(2048));
  expect(fileBlobs(folder, () => 0).get(`blob:sha256:${"0".repeat(64)}`)).toBeNull();
  expect(fileBlobs(folder, () => 0).get("blob:sha256:../../etc/passwd")).toBeNull();
});

test("a data URL of a picture comes back as it was", () => {
  const blobs = memoryBlobs();
  const entry = custom({ image_url: `data:image/png;base64,${image(4096)}` });
  const line = toLine(entry, blobs);
  expect(line.length).toBeLessThan(300);
  expect(fromLine(line, blobs, () => {})).toEqual(entry);
});

test("text that is no valid base64 is not taken for a picture", () => {
  const blobs = memoryBlobs();
  const entry = withImage(`${"A".repeat(1023)}\n${"B".repeat(500)}`);
  expect(fromLine(toLine(entry, blobs), blobs, () => {})).toEqual(entry);
});

test("strings over 500,000 characters go to the blobs and come back, long signatures and passing fields do not", () => {
  const blobs = memoryBlobs();
  const text = `${"x".repeat(499_000)}${"🙂".repeat(60_000)} the end`;
  const entry = custom({
    text,
    thinkingSignature: "s".repeat(600_000),
    short: "s",
    partialJson: "{",
    deep: [{ jsonlEvents: [1], kept: 1 }],
  });
  const line = toLine(entry, blobs);
  const { data } = JSON.parse(line);
  expect(data.text.length).toBeLessThanOrEqual(500_000);
  expect(data.text).toMatch(/🙂\nblob:sha256:\w{64}\n\[Session persistence truncated large content\]$/);
  expect(fromLine(line, blobs, () => {})).toMatchObject({ data: { text } });
  const gone: string[] = [];
  expect(fromLine(line, memoryBlobs(), (ref) => gone.push(ref))).toMatchObject({ data: { text: data.text } });
  expect(gone).toHaveLength(1);
  expect(data).toMatchObject({ thinkingSignature: "", short: "s", deep: [{ kept: 1 }] });
  expect("partialJson" in data || "jsonlEvents" in data.deep[0]).toBe(false);
  expect(entry).toMatchObject({ data: { partialJson: "{" } });
});

test("a text that only looks as if it had been too long stays as it is", () => {
  const blobs = memoryBlobs();
  const entry = custom({
    text: `mine\n${blobs.put(Buffer.from("somebody else's"))}\n[Session persistence truncated large content]`,
  });
  expect(fromLine(toLine(entry, blobs), blobs, () => {})).toEqual(entry);
});

test("a string that is too long and cannot be kept as a blob stays in its line", () => {
  const entry = custom({ text: "x".repeat(600_000) });
  expect(fromLine(toLine(entry, undefined), undefined, () => {})).toEqual(entry);
});

test("an image whose blob is gone is told once, and the model reads that it is gone", () => {
  const storage = memoryStorage();
  const blobs = memoryBlobs();
  const clock = { now: () => 0 };
  const journal = Journal.create({ clock, blobs, onFault: () => {}, storage: () => storage }, { cwd: "/" });
  const entry = withImage(image(2000));
  if (entry.type === "message") journal.append({ type: "message", message: entry.message });
  const faults: string[] = [];
  const opened = Journal.open({ storage, clock, blobs: memoryBlobs(), onFault: (message) => faults.push(message) });
  if (!opened.ok) throw new Error(opened.message);
  const [message] = new Context(opened.value.journal).messages;
  expect(JSON.stringify(message)).toContain("no longer available");
  expect(JSON.stringify(message)).not.toContain("blob:");
  expect(faults).toHaveLength(1);
});

test("an image that cannot be kept as a blob stays in its line", () => {
  const full = {
    put: () => {
      throw new Error("ENOSPC");
    },
    get: () => null,
  };
  const entry = withImage(image(800_000));
  expect(fromLine(toLine(entry, full), full, () => {})).toEqual(entry);
});
