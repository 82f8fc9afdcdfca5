import { expect, test } from "bun:test";
import { mkdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { bytesRead } from "@pith/kit/test";
import { maxTagged } from "../../../snapshot/snapshot.ts";
import { openReading, sampleFiles } from "../../../test/read.ts";

const { at, put, run, said } = openReading("read-file");

test("a raw read is the file byte for byte: line ends, the absence of the last one, conflict markers", async () => {
  const texts = {
    crlf: "a\r\nb\r\n",
    open: "a\nb",
    marked: "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
    big: "row\r\n".repeat(1_000_000),
  };
  for (const [name, text] of Object.entries(texts)) put(`raw/${name}`, text);
  for (const name of ["crlf", "open", "marked"] as const) expect(await said(`raw/${name}:raw`)).toBe(texts[name]);
  expect((await run("raw/big:1-2:raw")).text).toBe("row\r\nrow\r");
  put("raw/wide", Buffer.from("\ufeffno end", "utf16le"));
  expect((await run("raw/wide:raw")).text).toBe("no end");
});

test("UTF-16 is read without a mark and at any size; signs of Windows are not control characters", async () => {
  put("wide.le", Buffer.from("größe\r\n日本 x\r\n", "utf16le"));
  expect(await said("wide.le")).toBe(
    "[wide.le]\n1:größe\n2:日本 x\n\n[The file is UTF-16, not UTF-8; it is kept so when it is changed]",
  );
  put("wide.be", Buffer.from("plain text\n", "utf16le").swap16());
  expect(await said("wide.be:raw")).toStartWith("plain text\n");
  put("wide.large", Buffer.from(`\ufeff${"zeile ä\n".repeat(400_000)}end`, "utf16le"));
  expect(await said("wide.large:400000-")).toContain("\n400001:end\n");
  put("signs.txt", Buffer.from("\x93quoted\x94 \x96 \x80 5\n", "latin1"));
  expect(await said("signs.txt")).toBe(
    "[signs.txt]\n1:“quoted” – € 5\n\n[The file is not UTF-8 and is read as Windows-1252; it is kept so when it is changed]",
  );
  for (const bytes of [
    [1, 2, 0, 4, 5, 0, 7, 8],
    [0, 1, 0, 2, 0, 3, 0, 4],
    Array.from({ length: 64 }, (_, i) => (i % 4 === 0 ? i : 0)),
  ]) {
    put("numbers.bin", Buffer.from(bytes));
    expect((await run("numbers.bin")).failed).toBe(true);
  }
});

test("an empty file and an empty directory are named as such", async () => {
  put("empty", "");
  mkdirSync(at("nothing"));
  expect((await run("empty")).text).toMatch(/^\[empty.*\]\n\(empty file\)$/);
  expect((await run("nothing")).text).toBe("(empty directory)");
});

test("every encoding is text, and says which it is", async () => {
  put("bom.txt", "\ufeffone\n");
  expect((await run("bom.txt")).text).toBe("[bom.txt]\n1:one");
  put("wide16.txt", Buffer.from("\ufefföne\ntwo", "utf16le"));
  expect(await said("wide16.txt")).toBe(
    "[wide16.txt]\n1:öne\n2:two\n\n[The file is UTF-16, not UTF-8; it is kept so when it is changed]",
  );
  put("latin.txt", Buffer.from("caf\xe9\n", "latin1"));
  expect(await said("latin.txt")).toBe(
    "[latin.txt]\n1:café\n\n[The file is not UTF-8 and is read as Latin-1; it is kept so when it is changed]",
  );
});

test("a large file is read in pieces, wherever the lines are", async () => {
  put("large.txt", `${"0123456789".repeat(10)}\n`.repeat(60_000));
  const got = await run("large.txt:50000-50001,3-3");
  expect(got.text.split("\n").map((line) => line.split(":")[0])).toEqual([
    "[large.txt]",
    "2",
    "3",
    "4",
    "5",
    "6",
    "...",
    "49999",
    "50000",
    "50001",
    "50002",
    "50003",
    "50004",
  ]);
  expect(got.data).toMatchObject({ totalLines: 60_000 });
});

test("of a file that is too large for a tag it is said how to edit it", async () => {
  put("huge.txt", Buffer.alloc(maxTagged + 12, "0123456789\n"));
  expect((await run("huge.txt:3-3")).meta?.notes?.join()).toContain("edit it with `path` and `edits`");
});

test("what is not text is refused with a reason", async () => {
  put("binary", "\0\x01");
  expect(await run("binary")).toMatchObject({
    failed: true,
    text: "binary: is not a text file. Look at it with a program that knows its format.",
  });
  expect(await run("/dev/zero")).toMatchObject({ failed: true, text: "/dev/zero: is a device, not a regular file" });
  expect((await run("a\0b")).failed).toBe(true);
  put(
    "noise",
    Uint8Array.from({ length: 400 }, (_, i) => 1 + ((i * 37) % 255)),
  );
  expect(await run("noise")).toMatchObject({ failed: true });
  Bun.spawnSync(["mkfifo", at("pipe")]);
  expect(await run("pipe")).toMatchObject({ failed: true, text: "pipe: is a named pipe, not a regular file" });
});

test("a notebook is its cells, raw its JSON", async () => {
  expect((await run(join(sampleFiles, "study.ipynb"))).text).toContain("1:# %% [markdown] cell:0\n2:# Title");
  expect((await run(`${join(sampleFiles, "study.ipynb")}:raw`)).text).toContain('"nbformat"');
  put("bad.ipynb", "{}");
  expect((await run("bad.ipynb")).text).toBe("[bad.ipynb]\n1:{}");
});

test("a sparse file of two gigabytes is answered soon", async () => {
  put("sparse", "first\nsecond\n");
  truncateSync(at("sparse"), 2 ** 31);
  const before = bytesRead();
  await run("sparse:1-2");
  expect(bytesRead() - before).toBeLessThan(2 ** 27);
});
