import { afterAll, expect, test } from "bun:test";
import { appendFileSync, chmodSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { type PageRequest, readPage } from "./page.ts";

const { path: dir } = scratch(afterAll);

const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};
async function page(path: string, request: Partial<PageRequest> = {}) {
  const result = await readPage(path, { from: 1, maxLines: 3000, maxBytes: 50 * 1024, ...request });
  if (!result.ok) throw new Error(`${result.kind}: ${result.message}`);
  return result.value;
}
const kindOf = async (path: string) => {
  const result = await readPage(path, { from: 1, maxLines: 10, maxBytes: 1000 });
  return result.ok ? "ok" : result.kind;
};
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`);

test("a small file comes whole, with its number of lines", async () => {
  expect(await page(file("small", "a\nb\nc\n"))).toEqual({
    lines: ["a", "b", "c"],
    totalLines: 3,
    counted: "exactly",
    totalBytes: 6,
    shownBytes: 6,
    long: [],
    ended: true,
  });
});

test("a missing final newline does not lose the last line", async () => {
  const got = await page(file("open-end", "a\nb"));
  expect(got.lines).toEqual(["a", "b"]);
  expect(got.totalLines).toBe(2);
});

test("an empty file has no lines, one newline is one empty line", async () => {
  expect((await page(file("empty", ""))).lines).toEqual([]);
  expect((await page(file("newline", "\n"))).lines).toEqual([""]);
  expect((await page(file("newlines", "\n\n"))).lines).toEqual(["", ""]);
});

test("a range is inclusive and counts the rest of the file", async () => {
  const got = await page(file("range", numbers(1, 100).join("\n")), { from: 10, to: 12 });
  expect(got.lines).toEqual(numbers(10, 12));
  expect(got.totalLines).toBe(100);
  expect(got.cut).toBeUndefined();
});

test("a range past the end has no lines but knows the total", async () => {
  const got = await page(file("past", "a\nb\n"), { from: 50, to: 60 });
  expect(got.lines).toEqual([]);
  expect(got.totalLines).toBe(2);
});

test("reading stops at the line limit and says so", async () => {
  const got = await page(file("many", `${numbers(1, 50).join("\n")}\n`), { maxLines: 20 });
  expect(got.lines).toEqual(numbers(1, 20));
  expect(got.cut).toBe("lines");
  expect((await page(join(dir, "many"), { maxLines: 50 })).cut).toBeUndefined();
});

test("the byte limit cuts between lines, never inside one", async () => {
  const got = await page(file("bytes", `${"x".repeat(9)}\n`.repeat(20)), { maxBytes: 35 });
  expect(got.lines).toEqual(["x".repeat(9), "x".repeat(9), "x".repeat(9)]);
  expect(got.cut).toBe("bytes");
  expect(got.shownBytes).toBe(30);
});

test("a line longer than the page is shown as far as it fits, not inside a character", async () => {
  const got = await page(file("wide", `${"é".repeat(100)}\nnext\n`), { maxBytes: 51 });
  expect(got.lines).toEqual(["é".repeat(25)]);
  expect(got.long).toEqual([1]);
  expect(got.cut).toBe("bytes");
  expect(got.totalLines).toBe(2);
});

test("a line that is too long does not keep the next ones out", async () => {
  const path = file("blocked", `${"é".repeat(300_000)}\nnext\n\n${"x".repeat(90)}\nend`);
  const got = await page(path, { maxBytes: 500, maxLine: 51, lead: { lines: 1, maxLine: 7 } });
  expect(got).toMatchObject({
    lines: ["ééé", "next", "", "x".repeat(51), "end"],
    long: [1, 4],
    ended: false,
    totalLines: 5,
  });
  expect(got.cut).toBeUndefined();
  expect(await page(path, { maxBytes: 500, maxLine: 51, from: 3 })).toMatchObject({
    lines: ["", "x".repeat(51), "end"],
    long: [4],
  });
});

test("a page that is full to the last byte ends there", async () => {
  const got = await page(file("brim", "abc\nde\n\n\nf\n"), { maxBytes: 6 });
  expect(got).toMatchObject({ lines: ["abc", "de"], cut: "bytes", totalLines: 5 });
});

test("a line keeps its CR", async () => {
  expect((await page(file("crlf", "\ufeffa\r\nb\r\n"))).lines).toEqual(["a\r", "b\r"]);
});

test("lines that cross read borders arrive whole", async () => {
  const lines = Array.from({ length: 400 }, (_, i) => `${i} ${"ä€😀".repeat(i)}`);
  const path = file("borders", `${lines.join("\n")}\n`);
  const got = await page(path, { maxBytes: 10_000_000 });
  expect(got.lines).toEqual(lines);
  expect((await page(path, { from: 300, to: 310 })).lines).toEqual(lines.slice(299, 310));
});

test("a file whose size is said to be 0 is read to its end", async () => {
  if (process.platform !== "linux") return;
  expect((await page(realpathSync("/proc/self/status"))).lines.join("\n")).toContain("Pid:");
});

test("bytes that are not UTF-8 are shown as damaged, not refused, when they are few", async () => {
  const got = await page(file("latin1", Buffer.from(`${"plain text ".repeat(20)}caf\xe9\n`, "latin1")));
  expect(got.damaged).toBe(true);
  expect(got.lines[0]).toEndWith("caf\ufffd");
});

test("a binary file is refused", async () => {
  expect(await kindOf(file("nul", "ELF\0\x01\x02"))).toBe("binary");
  expect(await kindOf(file("noise", Buffer.from(Array.from({ length: 500 }, (_, i) => 128 + (i % 100)))))).toBe(
    "binary",
  );
  expect(await kindOf(process.execPath)).toBe("binary");
});

test("a UTF-8 character at the border of the sample does not make a file binary", async () => {
  expect(await kindOf(file("border", "€".repeat(5000)))).toBe("ok");
});

test("what is not a regular file is answered at once", async () => {
  expect(await kindOf(join(dir, "nothing"))).toBe("missing");
  expect(await kindOf(dir)).toBe("directory");
  expect(await kindOf(join(dir, "small", "below"))).toBe("not-directory");
  expect(await kindOf("bad\0name")).toBe("invalid");
  expect(await kindOf(join(dir, "n".repeat(300)))).toBe("invalid");
  expect(await kindOf("/dev/zero")).toBe("special");
  const fifo = join(dir, "fifo");
  Bun.spawnSync(["mkfifo", fifo]);
  expect(await kindOf(fifo)).toBe("special");
});

test("a file that may not be read is denied", async () => {
  const path = file("secret", "x");
  chmodSync(path, 0);
  chmodSync(dir, 0o755);
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.(65534);
  const kind = kindOf(path);
  if (root) process.seteuid?.(0);
  expect(await kind).toBe("denied");
});

test("an aborted read of a big file ends", async () => {
  const got = await readPage(join(dir, "borders"), {
    from: 399,
    maxLines: 1,
    maxBytes: 1000,
    signal: AbortSignal.abort(),
  });
  expect(got.ok ? "ok" : got.kind).toBe("aborted");
});

test("a line far into a large file is found without holding the file", async () => {
  const path = join(dir, "large");
  const block = Buffer.from(`${"0123456789".repeat(10)}\n`.repeat(10_000));
  for (let i = 0; i < 60; i++) appendFileSync(path, block);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const got = await page(path, { from: 590_000, to: 590_002 });
  expect(got.lines).toEqual(Array(3).fill("0123456789".repeat(10)));
  expect(got.totalLines).toBe(600_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(30 * 1024 * 1024);
  const first = await page(path, { to: 3 });
  expect(first.counted).toBe("at least");
  expect(first.totalLines).toBeLessThan(600_000);
});
