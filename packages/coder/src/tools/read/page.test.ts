import { expect, test } from "bun:test";
import { numbers, openReading } from "../../test/read.ts";
import { runTool } from "../../test/run.ts";
import { read } from "./read.ts";

const { at, put, snapshots, options, reader, call, run, said } = openReading("read-page");

test("a file comes as numbered lines below its name", async () => {
  put("src/a.ts", "one\n\tTwo\n");
  expect(await run("src/a.ts")).toEqual({
    kind: "page",
    data: { path: "src/a.ts", from: 1, to: 2, totalLines: 2, bytes: 9 },
    text: "[src/a.ts]\n1:one\n2:\tTwo",
    meta: { source: { path: at("src/a.ts") } },
  });
  expect(await said("src/a.ts")).toBe("[src/a.ts]\n1:one\n2:\tTwo");
});

test("the header names a tag that stands for the whole file, whatever part of it is shown", async () => {
  put("tagged", numbers(50));
  const tag = snapshots.mint(at("tagged"), numbers(50));
  for (const path of ["tagged", "tagged:3-4"])
    expect((await runTool(reader, { path }, call)).text).toStartWith(`[tagged#${tag}]\n`);
});

test("selectors choose lines, with one before and three after a bounded side", async () => {
  put("many", numbers(100));
  const shown = async (path: string) => {
    const got = await run(path);
    return got.kind === "page" ? (got.data as { from?: number; to?: number }) : undefined;
  };
  expect(await shown("many:10-12")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:10+3")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:L10-L12")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:90")).toMatchObject({ from: 89, to: 100 });
  expect(await shown("many:90-")).toMatchObject({ from: 89, to: 100 });
  expect(await shown("many:1-2")).toMatchObject({ from: 1, to: 5 });
  expect(await shown("many:99-200")).toMatchObject({ from: 98, to: 100 });
});

test("a range past the end is answered with a suggestion, not as an error", async () => {
  const got = await run("many:9999");
  expect(got.failed).toBeUndefined();
  expect(got.text).toBe(
    "Line 9999 is past the end: there are 100 lines. Use :1 to read from the start, or :100 for the last line.",
  );
});

test("several ranges come sorted, merged and apart from each other", async () => {
  expect((await run("many:30-31,5-6,8")).text).toBe(
    `[many]\n${numbers(100)
      .split("\n")
      .map((line, i) => `${i + 1}:${line}`)
      .slice(3)
      .join("\n")}`,
  );
  expect((await run("many:30-31,5-6")).text).toBe(
    "[many]\n4:line 4\n5:line 5\n6:line 6\n7:line 7\n8:line 8\n9:line 9\n...\n29:line 29\n30:line 30\n31:line 31\n32:line 32\n33:line 33\n34:line 34",
  );
});

test("raw is the file, byte for byte, and lines of it without numbers", async () => {
  put("exact", "a\r\n\tb\n\nc");
  expect((await run("exact:raw")).text).toBe("a\r\n\tb\n\nc");
  put("ended", "a\nb\n");
  expect((await run("ended:raw")).text).toBe("a\nb\n");
  expect((await run("many:10-11:raw")).text).toBe("line 10\nline 11");
  expect((await run("many:raw:10-11")).text).toBe("line 10\nline 11");
});

test("lines have a tag only where an edit would take it", async () => {
  const shown = async (change: object) =>
    (await runTool(read({ ...options, ...change }), { path: "src/a.ts" }, call)).text;
  expect(await shown({ display: "numbered" })).toBe("[src/a.ts]\n1|one\n2|\tTwo");
  expect(await shown({ display: "plain" })).toBe("one\n\tTwo");
});

test("the number of lines without a range is a setting", async () => {
  const few = read({ ...options, defaultLimit: 5 });
  expect((await run("many", few)).meta?.truncation).toMatchObject({ shownRange: { start: 1, end: 5 }, nextOffset: 6 });
  expect((await run("many:6", few)).text).toStartWith("[many]\n5:line 5\n6:line 6\n");
  expect((await run("many:6", few)).meta?.truncation).toMatchObject({ shownRange: { start: 5, end: 10 } });
});

test("a long file is cut, and following the notice gives the next lines", async () => {
  put("long", numbers(5000));
  const got = await run("long");
  expect(got.meta?.truncation).toMatchObject({
    truncatedBy: "lines",
    shownRange: { start: 1, end: 3000 },
    totalLines: 5000,
    nextOffset: 3001,
  });
  expect(await said("long")).toEndWith("3000:line 3000\n\n[Showing lines 1-3000 of 5000. Go on at line 3001]");
  expect((await run("long:3001")).text).toStartWith("[long]\n3000:line 3000\n3001:line 3001\n");
});

test("wide lines stop at 50 KiB or half a KiB a line, and one line that is wider says so", async () => {
  put("wide", `${"x".repeat(1000)}\n`.repeat(100));
  const few = read({ ...options, defaultLimit: 90 });
  expect((await run("wide", few)).meta?.truncation).toMatchObject({
    truncatedBy: "bytes",
    shownRange: { start: 1, end: 51 },
    nextOffset: 52,
  });
  put("one", "y".repeat(2_000_000));
  const got = await run("one", few);
  expect(got.meta?.notes).toEqual(["Line 1 is too long; only its beginning is shown"]);
  expect(got.text.length).toBeLessThan(52_000);
});

test("a line that is too long is no obstacle to going on", async () => {
  for (const [name, size] of [
    ["minified", 1_000_000],
    ["minified-large", 5_000_000],
  ] as const) {
    put(name, `${"y".repeat(size)}\nsecond\nthird\n`);
    expect((await run(name)).text.length).toBeLessThan(600_000);
    const got = await run(`${name}:2`);
    expect(got.text).toEndWith("y\n2:second\n3:third");
    expect(got.text.length).toBeLessThan(700);
    expect(got.meta?.notes).toEqual(["Line 1 is too long; only its beginning is shown"]);
    expect((await run(`${name}:2-2:raw`)).text).toBe("second");
  }
});

test("the line after the last one is past the end, not shown as its neighbour", async () => {
  put("short", numbers(30));
  expect((await run("short:31")).text).toStartWith("Line 31 is past the end: there are 30 lines.");
  expect(await said("short:5-6,31-40")).toEndWith(
    "\n[Line 31 is past the end: there are 30 lines. Use :1 to read from the start, or :30 for the last line.]",
  );
});

test("a range that is cut says so, also when another one stands behind it", async () => {
  put("two-ranges", numbers(9000));
  expect(await said("two-ranges:1-5000,8000-8001")).toEndWith(
    "8004:line 8004\n\n[Showing lines 1-3000 of 9000. Go on at line 3001]",
  );
});
