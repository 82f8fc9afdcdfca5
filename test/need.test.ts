import { expect, test } from "bun:test";
import { join } from "node:path";
import { run, scratch } from "./scratch.ts";

const ask = async (program: string, env: Record<string, string>) => {
  using dir = scratch();
  const source = `import { need } from ${JSON.stringify(join(import.meta.dir, "need.ts"))};
    console.log(need(${JSON.stringify(program)}) ?? "there");`;
  return await run([process.execPath, "-e", source], { cwd: dir.path, env: { PATH: dir.path, ...env } });
};

test("a test that needs a missing program is told what to install", async () => {
  const reason = "bwrap is missing (apt-get install bubblewrap)";
  expect(await ask("bwrap", {})).toMatchObject({ code: 0, out: `${reason}\n`, err: `skip: ${reason}\n` });
  expect((await ask("no-such-program", {})).out).toContain("not in .ci/packages");
});

test("where everything was installed, a missing program fails the test instead of skipping it", async () => {
  const ended = await ask("bwrap", { PITH_CI: "1" });
  expect(ended.code).toBe(1);
  expect(ended.err).toContain("bwrap is missing");
  expect(await ask("sh", { PITH_CI: "1", PATH: "/bin:/usr/bin" })).toMatchObject({ code: 0, out: "there\n" });
});

test("where everything was installed, a missing relative fails the tests against it", async () => {
  const source = `import { needPeer } from ${JSON.stringify(join(import.meta.dir, "need.ts"))};
    console.log(needPeer("PITH_PEER_PI") ?? "none");`;
  const peer = (env: Record<string, string>) => run([process.execPath, "-e", source], { cwd: import.meta.dir, env });
  expect(await peer({})).toMatchObject({ out: "none\n", err: expect.stringContaining("pi-coding-agent@0.") });
  expect(await peer({ PITH_CI: "1" })).toMatchObject({ code: 1, err: expect.stringContaining("pi-coding-agent@0.") });
});
