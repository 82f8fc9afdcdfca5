import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assistant, call } from "../../test/fake.ts";
import { recordsIn, said } from "../../test/record.ts";

const root = mkdtempSync(join(tmpdir(), "pith-replay-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const desk = () => recordsIn(root);

test("a recorded session is replayed, and one that does not come out the same exits with 1", async () => {
  const { pith, record } = desk();
  const good = await record([
    said("hi"),
    { type: "message", message: assistant([{ type: "text", text: "hello\u001b[2J" }]) },
  ]);
  const shown = await pith("replay", good.id);
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toMatch(/^❯ hi +\d\d:\d\d\n\n {2}hello␛\[2J\n$/);
  expect(
    (await pith("replay", good.id, "--json")).out.split("\n").map((line) => (line ? JSON.parse(line).type : "")),
  ).toContain("agent_settled");
  const odd = await record([
    said("hi"),
    { type: "message", message: assistant([call("c1", "edit", {})]) },
    said("and?"),
  ]);
  expect(await pith("replay", odd.id, "--check")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("message 3"),
  });
});
