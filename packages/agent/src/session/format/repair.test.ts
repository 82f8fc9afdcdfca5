import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Journal } from "../journal.ts";
import { clock, newFiles } from "../on-disk.ts";
import { fileStorage } from "../store/disk.ts";

const newFile = newFiles(afterAll);

test("a file that is something else is refused and left alone", async () => {
  for (const text of [
    '{"name":"x"}\n{"a":1}\n',
    "# a page\n\nof text\n",
    "[1,2]\n",
    '{"type":"session","version":9,"id":"x"}\n',
  ]) {
    const file = newFile();
    mkdirSync(join(file, ".."));
    writeFileSync(file, text);
    expect(Journal.open({ storage: fileStorage(file), clock, onFault: () => {} })).toMatchObject({
      ok: false,
      kind: "foreign",
    });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(false);
  }
});
