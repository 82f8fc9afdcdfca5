import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordsIn } from "../../test/record.ts";

const root = mkdtempSync(join(tmpdir(), "pith-import-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const desk = () => recordsIn(root);

test("sessions of Claude Code are brought in, each once", async () => {
  const { pith, home } = desk();
  const folder = join(home, "user", ".claude", "projects", "-p");
  mkdirSync(folder, { recursive: true });
  const line = {
    type: "user",
    uuid: "u",
    parentUuid: null,
    sessionId: "11111111-2222-4333-8444-555555555555",
    cwd: "/p",
    timestamp: "2026-02-01T10:00:00.000Z",
    message: { role: "user", content: "from claude" },
  };
  writeFileSync(join(folder, "a.jsonl"), `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, "b.jsonl"), '{"type":"other"}\n');
  expect(await pith("import", "claude", "--all")).toMatchObject({
    code: 0,
    err: expect.stringContaining("1 session imported, 0 grown, 0 known already, 1 without"),
  });
  expect(await pith("import", "claude", "--all")).toMatchObject({
    out: "",
    err: expect.stringContaining("0 sessions imported, 0 grown, 1 known"),
  });
  expect((await pith("sessions", "claude")).out).toContain("from claude");
  expect(await pith("import", "claude", join(folder, "b.jsonl"))).toMatchObject({ code: 1 });
  const { code, err } = await pith("import", "claude", join(folder, "none.jsonl"));
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/none\.jsonl: there is no such file\n.*0 without a conversation, 1 not found\n$/),
  ]);
});

test("who would import a session of pi or omp is told that it opens as it is", async () => {
  for (const source of ["pi", "omp"])
    expect(await desk().pith("import", source, "--all")).toMatchObject({
      code: 2,
      err: `pith: sessions of ${source} need no import: pith -r <file> goes on with one as it is\n`,
    });
});
