import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { need, root } from "../../../../../test/need.ts";
import { chooseWay, firstOf, wayHere } from "./way.ts";

test("where a way cannot be had, the next one is taken, and the reason is told", () => {
  const refused = (name: string) => (name === "at" ? "bun:ffi is not allowed" : "there is no /proc/self/fd");
  expect(firstOf(["at", "proc", "path"], refused)).toMatchObject({
    way: { name: "path" },
    why: "at: bun:ffi is not allowed; proc: there is no /proc/self/fd; path: there is no /proc/self/fd",
  });
  const { way } = firstOf(["path"]);
  expect(firstOf(["at", "path"], (name) => (name === "at" ? "symbol not found" : way))).toMatchObject({
    way: { name: "path" },
    why: "at: symbol not found",
  });
});

test("a way that there is not is told with those that there are", () => {
  const before = wayHere().way.name;
  expect(chooseWay("fast")).toBe('PITH_FS is proc, at, path, not "fast"');
  expect(wayHere().way.name).toBe(before);
});

const host = JSON.stringify(join(root, "packages/host/src/index.ts"));

/** Writes and undoes in a process of its own, by the sources. */
const script = (dir: string) => `
const { applySteps, chooseWay, findTarget, restoreAll } = await import(${host});
chooseWay("at");
const target = findTarget(${JSON.stringify(join(dir, "new/deep/a.txt"))});
const done = await applySteps([{ do: "write", target: target.value, bytes: Buffer.from("written") }]);
const left = restoreAll(${JSON.stringify(dir)}, { get: () => Buffer.from("undone") }, [
  { path: "b.txt", to: { is: "file", mode: 0o644, id: "x" } },
]);
console.log(JSON.stringify({ ok: done.ok, left }));
`;

test.skipIf(process.platform !== "linux" || need("strace") !== undefined).each(["ENOSYS", "EPERM"])(
  "a kernel that answers openat2 with %s is asked name by name",
  async (error) => {
    using dir = scratch();
    dir.write({ "work/b.txt": "before", "run.ts": script(dir.at("work")) });
    const trace = ["strace", "-f", "-qq", "-o", dir.at("trace"), "-e", `inject=openat2:error=${error}`];
    const child = Bun.spawn([...trace, process.execPath, dir.at("run.ts")], { cwd: root, stdout: "pipe" });
    expect(JSON.parse(await new Response(child.stdout).text())).toEqual({ ok: true, left: [] });
    expect(readFileSync(dir.at("trace"), "utf8")).toContain(`= -1 ${error}`);
    expect(readFileSync(dir.at("work/new/deep/a.txt"), "utf8")).toBe("written");
    expect(readFileSync(dir.at("work/b.txt"), "utf8")).toBe("undone");
  },
  60_000,
);

test.skipIf(process.platform !== "linux").each(["proc", "at", "path"])(
  "by %s, no file is half there when the last file handle is taken in the middle of an undo",
  async (way) => {
    using dir = scratch();
    for (let n = 0; n < 30; n++) writeFileSync(dir.at(`${n}.txt`), `before ${n}`);
    const undo = `
const { openSync } = require("node:fs");
const { chooseWay, restoreAll, wayHere } = await import(${host});
chooseWay(${JSON.stringify(way)});
wayHere();
const held = [];
let n = 0;
const get = () => {
  if (n++ === 10) try { for (;;) held.push(openSync("/dev/null")); } catch {}
  return Buffer.from("after " + "x".repeat(100_000));
};
const wanted = Array.from({ length: 30 }, (_, n) => ({ path: n + ".txt", to: { is: "file", mode: 0o644, id: "x" } }));
const left = restoreAll(${JSON.stringify(dir.path)}, { get }, wanted);
require("node:fs").writeSync(1, JSON.stringify(left));
`;
    const limited = ["sh", "-c", 'ulimit -n 256; exec "$@"', "sh", process.execPath, "-e", undo];
    const child = Bun.spawn(limited, { cwd: root, stdout: "pipe", stderr: "pipe" });
    const left = JSON.parse(await new Response(child.stdout).text()) as { path: string; why: string }[];
    expect(left.length).toBe(20);
    expect(left[0]?.why).toContain("EMFILE");
    const states = readdirSync(dir.path).map((name) => {
      const text = readFileSync(dir.at(name), "utf8");
      return /^before \d+$/.test(text) ? "before" : text.length === 100_006 ? "after" : `half: ${name}`;
    });
    expect(states.sort()).toEqual([...Array(10).fill("after"), ...Array(20).fill("before")]);
  },
  60_000,
);
