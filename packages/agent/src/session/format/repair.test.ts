import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clock, newFiles, note, open } from "../../test/session-file.ts";
import { Journal } from "../journal.ts";
import { fileStorage } from "../store/disk.ts";

const newFile = newFiles(afterAll);

test("a file that is something else is refused and left alone", async () => {
  for (const text of [
    '{"name":"x"}\n{"a":1}\n',
    "# a page\n\nof text\n",
    "[1,2]\n",
    '{\n  "name": "x"\n}\n',
    '{"type":"session","version":9,"id":"x"}\n',
  ]) {
    const file = newFile();
    mkdirSync(join(file, ".."));
    writeFileSync(file, text);
    expect(Journal.open({ storage: fileStorage(file), clock, onFault: () => {} })).toMatchObject({
      ok: false,
      kind: text.includes("version") ? "newer" : "foreign",
    });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(false);
  }
});

test("a header that was cut anywhere is written anew, with all that is left of it", async () => {
  const header = '{"type":"session","version":3,"id":"a1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/a \\"b"}';
  for (let cut = 1; cut < header.length; cut++)
    for (const end of ["", "\n", "\r\n\n"]) {
      const file = newFile();
      mkdirSync(join(file, ".."));
      writeFileSync(file, `${header.slice(0, cut)}${end}`);
      const { journal, notes } = open(file);
      expect(notes).toHaveLength(1);
      expect(journal.header.cwd).toBe(cut < header.length - 1 ? "" : '/a "b');
      journal.append(note("on"));
      await journal.close();
      expect(open(file, "read").journal.tree.size).toBe(1);
    }
}, 30_000);
