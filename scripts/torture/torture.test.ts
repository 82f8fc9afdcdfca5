// A minute of new programs in every gate, and all that once broke a promise. `npm run torture` runs more of them.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { need, needBinary, root } from "../../test/need.ts";
import { programOf } from "./program.ts";

for (const program of ["strace", "faketime", "prlimit"]) need(program);
const isGate = process.env.PITH_GATE === "1";

async function torture(...args: string[]): Promise<{ code: number; out: string }> {
  const child = Bun.spawn([process.execPath, "scripts/torture/run.ts", ...args], {
    cwd: root,
    env: { ...process.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out: out + err };
}

test("the same seed makes the same program, another one another", () => {
  expect(programOf(7)).toEqual(programOf(7));
  expect(programOf(7)).not.toEqual(programOf(8));
});

test("a wrong word is told with the usage", async () => {
  expect(await torture("--minuets", "1")).toMatchObject({
    code: 2,
    out: expect.stringContaining("usage: npm run torture"),
  });
});

test.skipIf(needBinary() !== undefined)(
  "programs that once broke a promise keep it",
  async () => {
    const { code, out } = await torture("--kept", "--minutes", "0", "--seed", "1");
    expect(out).not.toContain("BROKEN");
    expect(code).toBe(0);
  },
  300_000,
);

test.skipIf(needBinary() !== undefined)(
  "no promise is broken by a minute of new programs and faults",
  async () => {
    const { code, out } = await torture("--minutes", isGate ? "1" : "0.1");
    expect(out).not.toContain("BROKEN");
    expect(code).toBe(0);
  },
  300_000,
);

test.skipIf(needBinary() !== undefined)(
  "torture that is interrupted leaves no process and no folder",
  async () => {
    const child = Bun.spawn([process.execPath, "scripts/torture/run.ts", "--minutes", "1", "--loud"], {
      cwd: root,
      env: { ...process.env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    let out = "";
    for await (const bytes of child.stdout) {
      out += Buffer.from(bytes).toString();
      if (out.includes("step 2")) child.kill("SIGTERM");
    }
    expect(await child.exited).toBe(130);
    const [place = ""] = /\/\S*pith-torture-\w+/.exec(out) ?? [];
    expect(place).not.toBe("");
    expect(existsSync(place)).toBe(false);
  },
  120_000,
);
