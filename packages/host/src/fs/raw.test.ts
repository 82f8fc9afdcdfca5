import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { readWhole } from "./open.ts";
import { shownName } from "./raw.ts";
import { readTree } from "./tree.ts";
import { writeWhole } from "./write.ts";

const { path: dir } = scratch(afterAll);
const { signal } = new AbortController();
const name = Buffer.concat([Buffer.from("ä-"), Buffer.from([0xff, 0xe2, 0x82]), Buffer.from(".txt")]);
const shown = "ä-\\xff\\xe2\\x82.txt";

test("a name that is not UTF-8 is shown so that every byte of it can be told", () => {
  expect(shownName(name)).toBe(shown);
  for (const plain of ["ä-\ufffd.txt", "日本", "a\\xff", "e\u0301"]) expect(shownName(Buffer.from(plain))).toBe(plain);
});

test.skipIf(process.platform !== "linux")(
  "a file with such a name is listed and read by what is shown, and is not written beside",
  async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), name]), "raw\n");
    mkdirSync(Buffer.concat([Buffer.from(`${dir}/folder-`), Buffer.from([0xfe])]));
    symlinkSync("nowhere", join(dir, "link"));
    const tree = await readTree(dir, { depth: 2, perDirectory: 5, max: 10, signal });
    expect(tree.ok && tree.value.entries.map(({ name, type, link, size }) => [name, type, link, size]).sort()).toEqual([
      ["folder-\\xfe", "directory", undefined, undefined],
      ["link", "other", true, undefined],
      [shown, "file", undefined, 4],
    ]);
    const read = readWhole(join(dir, shown));
    expect(read.ok && read.value.bytes.toString()).toBe("raw\n");
    expect(await writeWhole(join(dir, shown), Buffer.from("x"))).toMatchObject({ ok: false, kind: "invalid" });
    expect(existsSync(join(dir, shown))).toBe(false);
    symlinkSync("/etc", Buffer.concat([Buffer.from(`${dir}/out-`), Buffer.from([0xfe])]));
    for (const path of ["out-\\xfe", "out-\\xfe/hostname"])
      expect(readWhole(join(dir, path))).toMatchObject({ ok: false, kind: "missing" });
    // A file that is really called so is the one that is meant.
    writeFileSync(join(dir, shown), "literal");
    const literal = readWhole(join(dir, shown));
    expect(literal.ok && literal.value.bytes.toString()).toBe("literal");
  },
);
