// All that is tested of edits, undo, what a model is told and sessions, once more by the ways of holding folders that
// are not the usual one here.
import { describe, expect, test } from "bun:test";
import { root } from "../need.ts";

const rooms = [
  "packages/host/src/fs",
  "packages/host/src/imprint",
  "packages/host/src/archive",
  "packages/host/src/sqlite",
  "packages/host/src/exec/search",
  "packages/host/src/exec/sandbox/guard",
  "packages/coder/src/part/files",
  "packages/coder/src/part/undo",
  "packages/coder/src/context",
  "packages/coder/src/snapshot",
  "packages/coder/src/hall/swap.test.ts",
];
/** Tests that start pith again and again: only where time is no matter. */
const flows = [
  "packages/agent/src/session",
  "packages/coder/src/session",
  ...["edit", "undo", "context", "files", "session-crash", "session-resume", "model-edits", "model-undo"].map(
    (name) => `test/flow/${name}.test.ts`,
  ),
  ...["links", "undo-aside", "planted", "context-race"].map((name) => `test/attack/${name}.test.ts`),
];
/** Ways that withstand whoever swaps folders without end; for the other `race-ways.test.ts` counts. */
const exact = ["proc", "at"];

async function run(way: string, files: readonly string[]): Promise<string> {
  const child = Bun.spawn(
    [process.execPath, "test", "--preload", "./test/attack/way.ts", ...files, "--timeout=120000"],
    {
      cwd: root,
      env: Object.assign({}, process.env, { PITH_FS: way, BUN_BE_BUN: "1" }),
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  const said = await new Response(child.stderr).text();
  return (await child.exited) === 0 ? "" : said;
}

describe.skipIf(process.platform !== "linux")("with another way of holding folders", () => {
  for (const way of ["proc", "path"])
    test(`${way} does what is promised of files`, async () => {
      const races = exact.includes(way) ? ["test/attack/race.test.ts"] : [];
      expect(await run(way, [...rooms, ...(process.env.PITH_CI === "1" ? [...flows, ...races] : [])])).toBe("");
    }, 1_200_000);

  test("at does the same where no handle has a name", async () => {
    expect(
      await run("at", ["packages/host/src/fs", "packages/host/src/imprint", "packages/host/src/exec/search"]),
    ).toBe("");
  }, 600_000);
});
