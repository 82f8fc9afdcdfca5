import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import fc from "fast-check";
import { OutputSink, type SinkOptions } from "./truncate.ts";

const { path: dir } = scratch(afterAll);

let next = 0;
function kept() {
  const place = { id: String(next), path: join(dir, `${next++}.log`) };
  return { place, keep: () => place };
}
function dump(chunks: readonly string[], options: Partial<SinkOptions> = {}) {
  const sink = new OutputSink({ maxBytes: 51_200, ...options });
  for (const chunk of chunks) sink.push(Buffer.from(chunk));
  return sink.finish();
}
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

test("short output comes back as it is, without a file", () => {
  const { place, keep } = kept();
  expect(dump(["one\ntw", "o\nthree"], { openFile: keep })).toEqual({
    text: "one\ntwo\nthree",
    totalLines: 3,
    totalBytes: 13,
  });
  expect(existsSync(place.path)).toBe(false);
});

test("one byte under the budget and exactly at it is whole, one over is cut", () => {
  expect(dump(["x".repeat(51_199)]).truncation).toBeUndefined();
  expect(dump(["x".repeat(51_200)]).truncation).toBeUndefined();
  expect(dump(["x".repeat(51_201)]).truncation?.truncatedBy).toBe("bytes");
});

test("lines are counted across chunk borders", () => {
  expect(dump(["a", "b\nc", "d\n"]).totalLines).toBe(2);
  expect(dump([]).totalLines).toBe(0);
  expect(dump(["\n\n"]).totalLines).toBe(2);
});

test("there is no limit on lines", () => {
  expect(dump([lines(5000)]).truncation).toBeUndefined();
});

test("long output keeps its end, from the beginning of a line, and says what is shown", () => {
  const { place, keep } = kept();
  const text = lines(10_000);
  const got = dump([text.slice(0, 40_001), text.slice(40_001)], { openFile: keep });
  expect(text.endsWith(got.text)).toBe(true);
  expect(got.text.startsWith("line ")).toBe(true);
  const shown = got.text.split("\n").length - 1;
  expect(got.truncation).toEqual({
    direction: "tail",
    truncatedBy: "bytes",
    totalLines: 10_000,
    totalBytes: text.length,
    outputLines: shown,
    outputBytes: got.text.length,
    shownRange: { start: 10_001 - shown, end: 10_000 },
    maxBytes: 51_200,
    artifactId: place.id,
  });
  expect(readFileSync(place.path, "utf8")).toBe(text);
});

test("a cut never falls into a character", () => {
  const got = dump(["€".repeat(40_000)]);
  expect(got.text).toBe("€".repeat(17_066));
  expect(got.truncation?.outputBytes).toBeLessThanOrEqual(51_200);
});

test("escape sequences are neither shown nor kept", () => {
  const { place, keep } = kept();
  const got = dump(["\x1b[3", "1mred\x1b[0m\r\n", "x".repeat(60_000)], { openFile: keep });
  expect(readFileSync(place.path, "utf8")).toBe(`red\n${"x".repeat(60_000)}`);
  expect(got.text).toBe("x".repeat(51_200));
});

test("a very long line is cut with a mark, and the file has all of it", () => {
  const { place, keep } = kept();
  const long = "é".repeat(50_000);
  const got = dump(["first\n", long.slice(0, 30), long.slice(30, 4000), long.slice(4000), "\nlast\n"], {
    openFile: keep,
    maxColumns: 101,
  });
  expect(got.text).toBe(`first\n${"é".repeat(50)}…\nlast\n`);
  expect(got.truncation).toMatchObject({
    truncatedBy: "columns",
    totalLines: 3,
    outputLines: 3,
    shownRange: { start: 1, end: 3 },
    artifactId: place.id,
  });
  expect(readFileSync(place.path, "utf8")).toBe(`first\n${long}\nlast\n`);
});

test("a line that reaches the column cap exactly at a chunk border is marked once", () => {
  expect(dump(["x".repeat(10), "y", "z\n"], { maxColumns: 10 }).text).toBe(`${"x".repeat(10)}…\n`);
  expect(dump(["x".repeat(10), "\n"], { maxColumns: 10 }).truncation).toBeUndefined();
});

test("small chunks keep exactly as much of the end as one large chunk", () => {
  const text = Array.from({ length: 5000 }, (_, i) => String(i % 10)).join("");
  for (let length = 90; length < 420; length++)
    expect(dump([...text.slice(0, length)], { maxBytes: 100 }).text).toBe(text.slice(0, length).slice(-100));
  expect(dump([text.slice(0, 30), text.slice(30, 2000), text.slice(2000)], { maxBytes: 100 }).text).toBe(
    text.slice(-100),
  );
});

test("with a share for the beginning, the middle is left out", () => {
  const { place, keep } = kept();
  const text = lines(1000);
  const got = dump([text], { openFile: keep, maxBytes: 1000, headBytes: 300 });
  const [head, tail] = got.text.split(/\n\[… .* left out …\]\n/);
  expect(text.startsWith(`${head}\n`)).toBe(true);
  expect(text.endsWith(tail ?? "?")).toBe(true);
  expect(got.truncation).toMatchObject({ direction: "middle", truncatedBy: "bytes", totalLines: 1000 });
  expect(got.truncation?.shownRange).toBeUndefined();
  expect(got.truncation?.outputBytes).toBeLessThanOrEqual(1000);
  expect(readFileSync(place.path, "utf8")).toBe(text);
});

test("repeated lines are counted in the text and all there in the file; a short output needs none", () => {
  const { place, keep } = kept();
  const text = `begin\n${"again\n".repeat(20_000)}end\n`;
  const got = dump([text.slice(0, 7001), text.slice(7001)], { openFile: keep, headBytes: 1000, repeats: "fold" });
  expect(got.text).toBe("begin\nagain\n[… the line above, 20000 times …]\nend\n");
  expect(got.truncation).toMatchObject({ truncatedBy: "repeats", totalLines: 20_002, artifactId: place.id });
  expect(readFileSync(place.path, "utf8")).toBe(text);
  const short = kept();
  expect(dump(["a\n".repeat(30)], { openFile: short.keep, repeats: "fold" }).truncation).toBeUndefined();
  expect(existsSync(short.place.path)).toBe(false);
});

test("of a line that is written over again and again the first and the last states are shown, the file has all", () => {
  const { place, keep } = kept();
  const states = Array.from({ length: 3000 }, (_, i) => `done ${i + 1}/3000`);
  const text = `begin\n${states.join("\r")}\nend\n`;
  const got = dump([text.slice(0, 7001), text.slice(7001)], { openFile: keep, headBytes: 1000, repeats: "fold" });
  expect(got.text).toBe(
    "begin\ndone 1/3000\n[… 2997 more states of this line …]\ndone 2999/3000\ndone 3000/3000\nend\n",
  );
  expect(got.truncation).toMatchObject({ truncatedBy: "repeats", totalLines: 3002, artifactId: place.id });
  expect(readFileSync(place.path, "utf8")).toBe(text.replaceAll("\r", "\n"));
  const bar = dump([...`${"50%\r".repeat(99)}100%\r    \rError: no\n`], { repeats: "fold" });
  expect(bar.text).toBe("50%\n[… 99 more states of this line …]\n100%\nError: no\n");
  expect(dump(["a\rb\rc\r\nd\r"], { repeats: "fold" })).toEqual({ text: "a\nb\nc\nd\n", totalLines: 4, totalBytes: 8 });
  const running = new OutputSink({ maxBytes: 51_200, repeats: "fold" });
  running.push(Buffer.from(`${"1%\r".repeat(20)}2%`));
  expect(running.snapshot()).toBe("1%\n[… 18 more states of this line …]\n1%\n2%");
});

test("when the full output cannot be kept, the result says so and nothing throws", () => {
  writeFileSync(join(dir, "file"), "");
  const long = "x".repeat(60_000);
  for (const keep of [
    undefined,
    () => undefined,
    () => ({ id: "9", path: join(dir, "file", "below.log") }),
    () => {
      throw new Error("no");
    },
  ]) {
    const got = dump([long, long], keep && { openFile: keep });
    expect(got.truncation?.lost).toBe(true);
    expect(got.truncation?.artifactId).toBeUndefined();
    expect(got.text.length).toBe(51_200);
  }
});

test("when the first file cannot be opened, the other one takes the full output", () => {
  writeFileSync(join(dir, "taken"), "older");
  const keptAt = join(dir, "spare.log");
  const got = dump(["x".repeat(60_000)], {
    openFile: () => ({ id: "7", path: join(dir, "taken") }),
    spareFile: () => keptAt,
  });
  expect(got.truncation).toMatchObject({ keptAt });
  expect([got.truncation?.artifactId, got.truncation?.lost]).toEqual([undefined, undefined]);
  expect(readFileSync(keptAt, "utf8")).toBe("x".repeat(60_000));
});

test("a file that reaches its cap keeps the beginning and is told as incomplete", () => {
  const { place, keep } = kept();
  const got = dump(["x".repeat(60_000), "y".repeat(60_000)], { openFile: keep, maxFileBytes: 70_000 });
  expect(readFileSync(place.path, "utf8")).toBe("x".repeat(60_000) + "y".repeat(10_000));
  expect(got.truncation).toMatchObject({ artifactId: place.id, lost: true });
});

test("an existing file is never written over", () => {
  const { place, keep } = kept();
  writeFileSync(place.path, "older");
  expect(dump(["x".repeat(60_000)], { openFile: keep }).truncation?.lost).toBe(true);
  expect(readFileSync(place.path, "utf8")).toBe("older");
});

test("live readers get clean chunks before long lines are cut, and a snapshot of the end", () => {
  const chunks: string[] = [];
  const sink = new OutputSink({
    maxBytes: 51_200,
    maxColumns: 5,
    onChunk: (chunk) => chunks.push(Buffer.from(chunk).toString()),
  });
  sink.push(Buffer.from("\x1b[1mlong line\x1b[0m\n"));
  sink.push(Buffer.from("ok"));
  expect(chunks).toEqual(["long line\n", "ok"]);
  expect(sink.snapshot()).toBe("long …\nok");
});

test("however the output is cut into chunks, text, counts and file are the same", () => {
  const piece = fc.oneof(
    fc.constantFrom("\n", "\r\n", "\r", "\x1b[1m", "é", "😀", "word "),
    fc.nat(60).map((n) => "z".repeat(n)),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.array(fc.nat(1500), { maxLength: 10 }),
      fc.constantFrom(0, 40),
      fc.constantFrom("fold" as const, "keep" as const),
      (pieces, borders, headBytes, repeats) => {
        const bytes = Buffer.from(pieces.join(""));
        const [whole, split] = [kept(), kept()];
        const options = { maxBytes: 200, maxColumns: 50, headBytes, repeats };
        const first = new OutputSink({ ...options, openFile: whole.keep });
        first.push(bytes);
        const second = new OutputSink({ ...options, openFile: split.keep });
        let at = 0;
        for (const border of [...borders.filter((b) => b <= bytes.length).sort((a, b) => a - b), bytes.length]) {
          second.push(bytes.subarray(at, border));
          at = border;
        }
        const [a, b] = [first.finish(), second.finish()];
        const { artifactId: _, ...cutA } = a.truncation ?? {};
        const { artifactId: __, ...cutB } = b.truncation ?? {};
        expect({ ...b, truncation: cutB }).toEqual({ ...a, truncation: cutA } as never);
        expect(existsSync(whole.place.path)).toBe(a.truncation !== undefined);
        if (a.truncation) expect(readFileSync(split.place.path)).toEqual(readFileSync(whole.place.path));
      },
    ),
    { numRuns: 300 },
  );
});

test("a hundred megabytes leave memory flat and the file complete", () => {
  const { place, keep } = kept();
  const sink = new OutputSink({ maxBytes: 51_200, openFile: keep, maxColumns: 4096, repeats: "fold" });
  const chunk = Buffer.from("y\n".repeat(32 * 1024));
  sink.push(chunk);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  for (let i = 1; i < 1600; i++) sink.push(chunk);
  expect(process.memoryUsage.rss() - before).toBeLessThan(16 * 1024 * 1024);
  const got = sink.finish();
  expect(got.totalLines).toBe(1600 * 32 * 1024);
  expect(Bun.file(place.path).size).toBe(1600 * 64 * 1024);
});
