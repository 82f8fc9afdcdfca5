// Each way of holding folders, in 10,000 calls that somebody got in the way of by swapping the folder for a link.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "../need.ts";

interface Counts {
  flips: string;
  way: string;
  calls: number;
  raced: number;
  out: number;
}

async function count(way: string, calls: number): Promise<Counts> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "race-count.ts"), way, String(calls)], {
    cwd: root,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, BUN_BE_BUN: "1" },
    stdout: "pipe",
    stderr: "inherit",
  });
  const counts = JSON.parse(await new Response(child.stdout).text()) as Counts;
  process.stderr.write(`${JSON.stringify(counts)}\n`);
  return counts;
}

describe.skipIf(process.platform !== "linux")("while a folder is swapped for a link", () => {
  test("a program that holds nothing is led outside, so there is a race", async () => {
    expect((await count("none", 200)).out).toBeGreaterThan(0);
  }, 60_000);

  test.each(["proc", "at"])(
    "%s lets nothing out in 10,000 calls",
    async (way) => {
      expect(await count(way, 10_000)).toMatchObject({ flips: "yes", way, out: 0 });
    },
    120_000,
  );

  test("path lets out less than one call in a hundred", async () => {
    const { way, raced, out } = await count("path", 3000);
    expect(way).toBe("path");
    expect(out).toBeLessThan(raced / 100);
  }, 120_000);
});
