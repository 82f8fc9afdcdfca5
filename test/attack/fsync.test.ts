// After a crash of the machine a file holds the old bytes or the new ones: what takes a file's place is on the disk
// before it does. Only the system sees that, so it is asked.
import { describe, expect, test } from "bun:test";
import { linkSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { need, root } from "../need.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const host = join(root, "packages/host/src/index.ts");
const isTraced = need("strace") === undefined && Bun.spawnSync(["strace", "-o", "/dev/null", "true"]).success;
if (!isTraced) process.stderr.write("skip: strace cannot look at other processes here\n");

/** The calls that write, flush and rename, in their order, by the names of the files. */
async function traced(dir: Scratch, script: string): Promise<string[]> {
  const trace = dir.at("trace");
  const calls = "trace=write,pwrite64,fsync,fdatasync,rename,renameat,renameat2";
  const command = [process.execPath, "-e", `const host = await import(${JSON.stringify(host)}); ${script}`];
  const ended = await run(["strace", "-f", "-y", "-s", "64", "-e", calls, "-o", trace, ...command], {
    cwd: dir.path,
    env: { PATH: process.env.PATH ?? "", HOME: dir.path },
  });
  expect(ended).toMatchObject({ code: 0 });
  return readFileSync(trace, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, call = "", rest = ""] = /^\d+ +(\w+)\((.*)/.exec(line) ?? [];
      if (call.includes("write")) return rest.includes("new bytes") ? ["write"] : [];
      if (call.includes("sync")) return rest.includes(dir.path) ? ["sync"] : [];
      return call.startsWith("rename") && rest.includes("a.txt") ? ["rename"] : [];
    });
}

describe.skipIf(!isTraced)("bytes are on the disk before anybody sees them", () => {
  const put = (path: string) => `const done = await host.writeWhole(${JSON.stringify(path)}, Buffer.from("new bytes"));
    if (!done.ok) throw new Error(done.message);`;

  test("of a file that is replaced", async () => {
    using dir = scratch();
    dir.write({ "a.txt": "old" });
    expect(await traced(dir, put(dir.at("a.txt")))).toEqual(["write", "sync", "rename"]);
    expect(readFileSync(dir.at("a.txt"), "utf8")).toBe("new bytes");
  });

  test("of files that change together: all of them before the first", async () => {
    using dir = scratch();
    dir.write({ "a.txt": "old", "aa.txt": "old" });
    const script = `const steps = ${JSON.stringify([dir.at("a.txt"), dir.at("aa.txt")])}.map((path) => ({
      do: "write", target: host.findTarget(path).value, bytes: Buffer.from("new bytes") }));
      if (!(await host.applySteps(steps)).ok) throw new Error("refused");`;
    expect(await traced(dir, script)).toEqual(["write", "write", "sync", "sync", "rename", "rename"]);
  });

  test("of an archive", async () => {
    using dir = scratch();
    const script = `const done = await host.writeMember(${JSON.stringify(dir.at("a.txt.tar"))},
      { name: "x", bytes: Buffer.from("new bytes"), changed: 0 }); if (!done.ok) throw new Error(done.message);`;
    expect((await traced(dir, script)).slice(-2)).toEqual(["sync", "rename"]);
  });

  test("and of a file that is written in place they are there when it is told", async () => {
    using dir = scratch();
    dir.write({ "a.txt": "old" });
    linkSync(dir.at("a.txt"), dir.at("other.txt"));
    expect(await traced(dir, put(dir.at("a.txt")))).toEqual(["write", "sync"]);
  });

  test("of a session that is replaced, with its name", async () => {
    using dir = scratch();
    dir.write({ "a.txt": "old" });
    const agent = JSON.stringify(join(root, "packages/agent/src/index.ts"));
    const [file, bytes] = [JSON.stringify(dir.at("a.txt")), 'Buffer.from("new bytes")'];
    const replace = `const { fileStorage } = await import(${agent}); fileStorage(${file}).replace(${bytes});`;
    expect(await traced(dir, replace)).toEqual(["write", "sync", "rename", "sync"]);
  });
});
