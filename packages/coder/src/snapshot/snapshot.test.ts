import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode, encode, markOf } from "./decode.ts";
import { readTagHeader, tagHeader } from "./header.ts";
import { Snapshots } from "./snapshot.ts";

const folders: string[] = [];
const scratch = () => {
  const folder = mkdtempSync(join(tmpdir(), "pith-snapshot-"));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test("the same content at the same path has the same tag in every process", () => {
  const tag = new Snapshots(undefined).mint("/p/a.ts", "one\ntwo\n");
  expect(tag).toMatch(/^[0-9A-F]{4}$/);
  const other = new Snapshots(undefined);
  expect(other.mint("/p/a.ts", Buffer.from("one\ntwo\n"))).toBe(tag);
  expect(new Snapshots(undefined).matches("/p/a.ts", tag, "one\ntwo\n")).toBe(true);
  expect(new Snapshots(undefined).matches("/p/a.ts", tag, "one\ntwo")).toBe(false);
  expect(new Snapshots(undefined).find("/p/a.ts", tag)).toBeUndefined();
});

test("a byte order mark does not change the tag, whichever way the content was read", () => {
  const snapshots = new Snapshots(undefined);
  expect(snapshots.mint("/a", "\ufeffx")).toBe(snapshots.mint("/a", Buffer.from("\ufeffx")));
  expect(snapshots.mint("/a", "x")).toBe(snapshots.mint("/a", "\ufeffx"));
});

test("two contents of a path never share a tag, however many there are", () => {
  const snapshots = new Snapshots(undefined);
  const tags = Array.from({ length: 2000 }, (_, i) => snapshots.mint("/a", `content ${i}`));
  expect(new Set(tags).size).toBe(2000);
  const [tag] = tags as [string];
  expect(snapshots.matches("/a", tag, "content 0")).toBe(true);
  expect(snapshots.find("/a", tag)).toEqual({ text: "content 0" });
});

test("a tag that stood for another content does not pass for one that hashes to it", () => {
  // Find two contents of one path whose first tags are the same.
  const seen = new Map<string, string>();
  let pair: [string, string] | undefined;
  for (let i = 0; !pair; i++) {
    const tag = new Snapshots(undefined).mint("/a", String(i));
    const other = seen.get(tag);
    if (other) pair = [other, String(i)];
    seen.set(tag, String(i));
  }
  const snapshots = new Snapshots(undefined);
  const tag = snapshots.mint("/a", pair[0]);
  expect(snapshots.matches("/a", tag, pair[1])).toBe(false);
  expect(snapshots.mint("/a", pair[1])).not.toBe(tag);
});

test("tags survive a resume, with their contents and the way our edits took", async () => {
  const dir = scratch();
  const first = new Snapshots(() => dir);
  const a = first.mint("/a", "1\n2\n");
  const b = first.mint("/a", "0\n1\n2\n", { via: { from: a, shifts: [{ start: 1, removed: 0, added: 1 }] } });
  await first.flush();
  appendFileSync(join(dir, "snapshots", "index.jsonl"), '{"path":"/a","tag":"torn');
  const second = new Snapshots(() => dir);
  expect(second.find("/a", a)).toEqual({ text: "1\n2\n" });
  expect(second.chain("/a", a, "0\n1\n2\n")).toEqual({ shifts: [[{ start: 1, removed: 0, added: 1 }]], end: b });
  expect(second.find("/b", a)).toBeUndefined();
});

test("an edit there and back again does not send the chain in circles", () => {
  const snapshots = new Snapshots(undefined);
  const a = snapshots.mint("/a", "x\n");
  const b = snapshots.mint("/a", "y\n", { via: { from: a, shifts: [{ start: 1, removed: 1, added: 1 }] } });
  expect(snapshots.mint("/a", "x\n", { via: { from: b, shifts: [{ start: 1, removed: 1, added: 1 }] } })).toBe(a);
  expect(snapshots.chain("/a", a, "elsewhere").end).toBe(b);
  expect(snapshots.chain("/a", a, "x\n")).toEqual({ shifts: [], end: a });
});

test("a session that records nothing leaves nothing on the disk, and one that reads twice keeps one copy", async () => {
  const dir = scratch();
  const snapshots = new Snapshots(() => dir);
  expect(readdirSync(dir)).toEqual([]);
  snapshots.mint("/a", "x");
  snapshots.mint("/a", "x");
  snapshots.mint("/b", "x");
  await snapshots.flush();
  expect(readdirSync(join(dir, "snapshots")).length).toBe(2);
});

test("pasted headers are read in both forms", () => {
  expect(tagHeader("src/a b.ts", "0A3B")).toBe("[src/a b.ts#0A3B]");
  for (const line of ["[src/a b.ts#0A3B]", "¶src/a b.ts#0A3B", "  [src/a b.ts#0A3B]  "])
    expect(readTagHeader(line)).toEqual({ path: "src/a b.ts", tag: "0A3B" });
  expect(readTagHeader("[a#0a3b]")).toBeUndefined();
  expect(readTagHeader("[a[0]#0A3B]")).toEqual({ path: "a[0]", tag: "0A3B" });
  expect(readTagHeader("x[a#0A3B]")).toBeUndefined();
});

test("every text encoding comes back as the same bytes", () => {
  const samples: Buffer[] = [
    Buffer.from(""),
    Buffer.from("héllo\r\nwörld \u{1f600}\n"),
    Buffer.from("\ufeffwith a mark"),
    Buffer.from("\ufeff\ufefftwice"),
    Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a, 0x80]),
    Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1)),
    Buffer.from("no mark at all\r\n", "utf16le"),
    Buffer.from("no mark at all\r\n", "utf16le").swap16(),
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("wide \u{1f600}\r\n", "utf16le")]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("wide \u{1f600}\r\n", "utf16le").swap16()]),
  ];
  for (const bytes of samples) {
    const decoded = decode(bytes);
    if (!decoded.ok) throw new Error(decoded.message);
    const again = encode(decoded.value.text, decoded.value.encoding);
    if (!again.ok) throw new Error(again.message);
    expect(Buffer.concat([markOf(decoded.value), again.value]).equals(bytes)).toBe(true);
  }
});

test("what is not text is refused, and what an encoding cannot hold is named", () => {
  expect(decode(Buffer.from([1, 0, 2]))).toMatchObject({ ok: false, kind: "binary" });
  expect(decode(Buffer.from([0xff, 0xfe, 0x41]))).toMatchObject({ ok: false, kind: "binary" });
  expect(encode("€", "latin1")).toMatchObject({ ok: false, kind: "encoding", message: expect.stringContaining('"€"') });
  expect(encode("\ud800", "utf-8")).toMatchObject({ ok: false });
  expect(encode("a\x85b", "windows-1252")).toMatchObject({ ok: false });
});

test("the lines that were shown are known to a later process, and follow our own edits", async () => {
  const dir = scratch();
  const first = new Snapshots(() => dir);
  const text = "1\n2\n3\n4\n5\n6\n";
  const a = first.mint("/a", text, { seen: [] });
  first.show("/a", a, [[2, 3]]);
  first.show("/a", a, [[4, 4]]);
  const b = first.mint("/a", "1\n2\nx\ny\n4\n5\n6\n", {
    via: { from: a, shifts: [{ start: 3, removed: 1, added: 2 }] },
  });
  const c = first.mint("/b", "old");
  await first.flush();
  const second = new Snapshots(() => dir);
  expect(second.unseen("/a", a, 1, 6)).toEqual([
    [1, 1],
    [5, 6],
  ]);
  expect(second.unseen("/a", b, 1, 7)).toEqual([
    [1, 1],
    [6, 7],
  ]);
  // Of what was given out without its lines nothing is known.
  expect(second.unseen("/b", c, 1, 9)).toEqual([]);
});
