import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAgentReports } from "./agent-report.ts";

const root = mkdtempSync(join(tmpdir(), "pith-output-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a name that is taken gets a number, also after a restart, and never leaves the folder", () => {
  const file = join(root, "a.jsonl");
  const outputs = openAgentReports(file);
  expect(["Anna", "Anna", "Anna"].map((name) => outputs.allocate(name)?.id)).toEqual(["Anna", "Anna-2", "Anna-3"]);
  for (const id of ["Anna", "Anna-2", "Anna-3"]) writeFileSync(join(root, "a", `${id}.md`), id);
  expect(openAgentReports(file).allocate("Anna")?.id).toBe("Anna-4");
  expect(outputs.allocate("Child", "Anna")).toEqual({
    id: "Anna.Child",
    text: join(root, "a", "Anna.Child.md"),
    session: join(root, "a", "Anna.Child.jsonl"),
  });
  expect(outputs.allocate("../../etc/passwd")?.id).toBe("etc-passwd");
  expect(openAgentReports(undefined).allocate("x")).toBeUndefined();
});
