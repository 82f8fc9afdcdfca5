import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Editing } from "../../../edit/draft/file.ts";
import { Snapshots } from "../../../snapshot/snapshot.ts";
import { filesIn } from "../../../test/files.ts";
import { arrivingChanges } from "./arriving.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "pith-arriving-")));
afterAll(() => rmSync(root, { recursive: true }));
const editing: Editing = {
  files: filesIn(root),
  resolve: (name) => join(root, name),
  snapshots: new Snapshots(undefined),
  generated: "refuse",
};
writeFileSync(join(root, "a.ts"), "1\n2\n3\n");

test("an anchored edit is shown as it grows, and nothing is written", () => {
  const input = "[a.ts#0000]\nreplace 2..2:\n+two\n+more\ndelete block 3\ninsert tail:\n+end\n";
  const seen = Array.from({ length: input.length + 1 }, (_, n) =>
    arrivingChanges(editing, "hashline", input.slice(0, n))
      .map(({ added, removed }) => `+${added} -${removed}`)
      .join(),
  );
  expect(seen.filter((row, i) => row !== seen[i - 1])).toEqual(["", "+1 -1", "+2 -1", "+3 -1"]);
  expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("1\n2\n3\n");
});

test("a patch is shown hunk by hunk", () => {
  const input =
    "*** Begin Patch\n*** Add File: n.ts\n+x\n*** Update File: a.ts\n-2\n+two\n*** Delete File: a.ts\n*** End Patch";
  const seen = Array.from({ length: input.length + 1 }, (_, n) =>
    arrivingChanges(editing, "apply_patch", input.slice(0, n))
      .map(({ path }) => path)
      .join(),
  );
  expect(seen.filter((row, i) => row !== seen[i - 1])).toEqual(["", "n.ts", "n.ts,a.ts,a.ts"]);
  expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("1\n2\n3\n");
});

test("what makes no sense shows nothing", () => {
  for (const input of ["", "nonsense\nmore\n", "[none.ts#0000]\ndelete 4\n", "[a.ts#0000]\ndelete 99\n"])
    expect(arrivingChanges(editing, "hashline", input)).toEqual([]);
});
