import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { picture, recordsIn, work } from "../../test/record.ts";

const root = mkdtempSync(join(tmpdir(), "pith-gc-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const desk = () => recordsIn(root);

test("gc says what it would remove before it does", async () => {
  const { pith, record, home } = desk();
  const { id } = await record(work);
  writeFileSync(join(home, "sessions", "gone.jsonl.idx"), "");
  expect((await pith("gc", "--dry-run")).out).toContain("1 leftover would be removed");
  expect((await pith("gc")).out).toContain("1 leftover removed");
  expect((await pith("export", id, "--md")).out).toContain(picture);
});
