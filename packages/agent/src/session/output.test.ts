import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOutputs } from "./output.ts";

const root = mkdtempSync(join(tmpdir(), "pith-output-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a name that is taken gets a number, also after a restart, and never leaves the folder", () => {
  const file = join(root, "a.jsonl");
  const outputs = openOutputs(file);
  expect(["Anna", "Anna", "Anna"].map((name) => outputs.allocate(name)?.id)).toEqual(["Anna", "Anna-2", "Anna-3"]);
  for (const id of ["Anna", "Anna-2", "Anna-3"]) writeFileSync(join(root, "a", `${id}.md`), id);
  expect(openOutputs(file).allocate("Anna")?.id).toBe("Anna-4");
  expect(outputs.allocate("Child", "Anna")).toEqual({ id: "Anna.Child", text: join(root, "a", "Anna.Child.md"), session: join(root, "a", "Anna.Child.jsonl") });
  expect(outputs.allocate("../../etc/passwd")?.id).toBe("etc-passwd");
  expect(openOutputs(undefined).allocate("x")).toBeUndefined();
});

test("an output is read whole, or a part of it when it is JSON", () => {
  const file = join(root, "b.jsonl");
  const outputs = openOutputs(file);
  expect(openOutputs(undefined).resolve("agent://x")).toMatchObject({ ok: false, message: "No session - agent outputs unavailable" });
  expect(outputs.resolve("agent://x")).toMatchObject({ ok: false, message: "No artifacts directory found" });
  mkdirSync(join(root, "b"));
  writeFileSync(join(root, "b", "plain.md"), "# text");
  writeFileSync(join(root, "b", "data.md"), '{"list":[{"name":"one"}],"deep":{"n":7}}');
  expect(outputs.resolve("agent://plain")).toEqual({ ok: true, value: "# text" });
  expect(outputs.resolve("agent://data/list/0/name")).toEqual({ ok: true, value: "one" });
  expect(outputs.resolve("agent://data?q=.deep.n")).toEqual({ ok: true, value: "7" });
  expect(outputs.resolve("agent://data?q=list[0]")).toMatchObject({ ok: true, value: expect.stringContaining('"one"') });
  expect(outputs.resolve("agent://data/list?q=deep")).toMatchObject({ ok: false, kind: "extraction" });
  expect(outputs.resolve("agent://data/constructor")).toMatchObject({ ok: false, kind: "extraction" });
  expect(outputs.resolve("agent://plain/x")).toMatchObject({ ok: false, kind: "extraction" });
  expect(outputs.resolve("agent://nope")).toMatchObject({ ok: false, kind: "unknown", message: "Not found: nope. Available: data, plain" });
});
