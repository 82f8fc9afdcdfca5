import { expect, test } from "bun:test";
import { numbers, openReading } from "../../../test/read.ts";
import { runTool } from "../../../test/run.ts";
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
  expect(await shown("many:90")).toMatchObject({ from: 89, to: 93 });
  expect(await shown("many:90-")).toMatchObject({ from: 89, to: 100 });
  expect(await shown("many:1-2")).toMatchObject({ from: 1, to: 5 });
  expect(await shown("many:99-200")).toMatchObject({ from: 98, to: 100 });
});

test("a range past the end is answered with a suggestion, not as an error", async () => {
  const got = await run("many:9999");
  expect(got.failed).toBeUndefined();
  expect(got.text).toBe("Line 9999 is past the end: the last one is :100, the first :1");
});

test("several ranges come sorted, merged and apart from each other", async () => {
  expect((await run("many:30-31,5-6,8-")).text).toBe(
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
  const few = read({ ...options, room: () => ({ limit: 5, bytes: 32_768 }) });
  expect((await run("many", few)).meta?.truncation).toMatchObject({
    direction: "middle",
    next: "many:4-7",
  });
  expect((await run("many:6-", few)).text).toStartWith("[many]\n5:line 5\n6:line 6\n");
  expect((await run("many:6-", few)).meta?.truncation).toMatchObject({ shownRange: { start: 5, end: 10 } });
});

test("a long file is cut, and the selector that is named brings the next lines", async () => {
  put("long", numbers(5000));
  const got = await run("long");
  expect(got.meta?.truncation).toMatchObject({
    truncatedBy: "lines",
    direction: "middle",
    totalLines: 5000,
    next: "long:601-1500",
  });
  const middle = "[Showing the beginning and the end (900 lines of 5000). Go on with long:601-1500]";
  expect(await said("long")).toContain("\n600:line 600\n...\n4701:line 4701\n");
  expect(await said("long")).toEndWith(`5000:line 5000\n\n${middle}`);
  expect((await run("long:-3")).text).toBe("[long]\n4997:line 4997\n4998:line 4998\n4999:line 4999\n5000:line 5000");
  put("code.ts", "let a = 1;\n".repeat(5000));
  expect((await run("code.ts")).meta?.truncation).toMatchObject({ shownRange: { start: 1, end: 1000 } });
  expect((await run("long:1001-2000")).text).toStartWith("[long]\n1000:line 1000\n1001:line 1001\n");
  expect((await run("long:4990-5000:raw")).meta?.truncation).toBeUndefined();
});

test("no read brings more than 32 KB, whatever was asked for, and going on reaches the end", async () => {
  put("wide", `${"x".repeat(1000)}\n`.repeat(100));
  put("huge", `${"z".repeat(99)}\n`.repeat(60_000));
  for (const [name, from, last] of [
    ["wide", "wide", 100],
    ["huge", "huge:59000-60000", 60_000],
    ["wide", "wide:1-40,50-100", 100],
    ["wide", "wide:raw", 100],
  ] as const) {
    let [path, to, steps] = [from as string, 0, 0];
    for (; to < last && steps < 40; steps++) {
      const got = await run(path);
      expect(got.text.length).toBeLessThan(33_000);
      to = (got.data as { to: number }).to;
      path = got.meta?.truncation?.next ?? `${name}:${to + 1}-`;
    }
    expect([from, to]).toEqual([from, last]);
  }
});

test("a small window gets small pages", async () => {
  const small = read({ ...options, room: () => ({ limit: 1000, bytes: 4800 }) });
  const got = await run("long", small);
  expect(got.text.length).toBeLessThan(4900);
  expect(got.meta?.truncation?.next).toMatch(/^long:(\d+)-\d+$/);
});

test("a line that is wider than the room says so, and asked for alone it has all of it", async () => {
  put("one", `${"y".repeat(2_000_000)}\nnext\n`);
  const got = await run("one");
  expect(got.meta?.notes).toEqual(["Line 1 is too long; only a part is shown, one:1@8192 brings more of it"]);
  expect(got.text).toEndWith("\n2:next");
  expect(got.text.length).toBeLessThan(8300);
  const alone = await run("one:1-1");
  expect(alone.text.length).toBeGreaterThan(32_000);
  expect(alone.meta?.truncation).toBeUndefined();
});

test("of several ranges that do not fit, no lines are told to be shown that stand between them", async () => {
  put("apart", numbers(9000));
  expect(await said("apart:1-3,100-5000")).toContain("[Showing the beginning (1000 lines of 9000). Go on with apart:");
});

test.each([60_000, 5_000_000])("all of one long line can be read, part by part (%i letters)", async (size) => {
  const line = Array.from({ length: size / 10 }, (_, i) => `é${String(i).padStart(7, "0")} `).join("");
  put("wide", `first\n${line}\nlast\n`);
  let [next, parts]: [string | undefined, string] = ["wide:2@0", ""];
  for (let i = 0; next !== undefined && i < 3; i++) {
    const got = await run(next);
    parts += got.text.split("\n")[1]?.slice(2) ?? "";
    next = /wide:2@\d+/.exec(got.meta?.notes?.[0] ?? "")?.[0];
  }
  expect(parts.length).toBeGreaterThan(50_000);
  expect(parts).toBe(line.slice(0, parts.length));
  // In the middle of a letter.
  expect((await run("wide:2@1")).text).toStartWith("[wide]\n2:0000000 é");
  expect(await run("wide:2@9,4")).toMatchObject({ failed: true });
});

test("a line that is too long is no obstacle to going on", async () => {
  for (const [name, size] of [
    ["minified", 1_000_000],
    ["minified-large", 5_000_000],
  ] as const) {
    put(name, `${"y".repeat(size)}\nsecond\nthird\n`);
    expect((await run(name)).text.length).toBeLessThan(9000);
    const got = await run(`${name}:2`);
    expect(got.text).toEndWith("y\n2:second\n3:third");
    expect(got.text.length).toBeLessThan(700);
    expect(got.meta?.notes).toEqual([`Line 1 is too long; only a part is shown, ${name}:1@512 brings more of it`]);
    expect((await run(`${name}:2-2:raw`)).text).toBe("second");
  }
});

test("the line after the last one is past the end, not shown as its neighbour", async () => {
  put("short", numbers(30));
  expect((await run("short:31")).text).toStartWith("Line 31 is past the end: the last one is :30");
  expect(await said("short:5-6,31-40")).toEndWith("\n[Line 31 is past the end: the last one is :30, the first :1]");
});

test("a range that is cut says so, also when another one stands behind it", async () => {
  put("two-ranges", numbers(9000));
  expect(await said("two-ranges:1-5000,8000-8001")).toEndWith(
    "1000:line 1000\n\n[Showing lines 1-1000 of 9000. Go on with two-ranges:1001-2000,8000-8001]",
  );
});
