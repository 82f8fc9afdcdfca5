// Bytes are never wrong: what goes out through a pipe that does not block, and what an edit leaves of a file.
import { dlopen } from "bun:ffi";
import { describe, expect, test } from "bun:test";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { envOf, main, pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

const libc = dlopen(process.platform === "darwin" ? "libSystem.dylib" : "libc.so.6", {
  fcntl: { args: ["int", "int", "int"], returns: "int" },
});
const setFlags = 4;
let pipes = 0;

/** A pipe whose writing end does not block, and a reader that takes its time. */
function slowPipe(dir: Scratch, name: string, pauseMs = 0) {
  const path = dir.at(`${name}-${pipes++}`);
  Bun.spawnSync(["mkfifo", path]);
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  const writer = openSync(path, O_WRONLY | O_NONBLOCK);
  return {
    writer,
    /** Once it was handed over: a child is started with standard streams that block. */
    stayQuick: () => void libc.symbols.fcntl(writer, setFlags, O_WRONLY | O_NONBLOCK),
    /** All that comes until nobody writes any more. */
    async all(): Promise<string> {
      closeSync(writer);
      const pieces: Buffer[] = [];
      await Bun.sleep(pauseMs);
      for (const piece = Buffer.alloc(4096); ; await Bun.sleep(1)) {
        try {
          const got = readSync(reader, piece);
          if (got === 0) break;
          pieces.push(Buffer.from(piece.subarray(0, got)));
        } catch (error) {
          if ((error as { code?: unknown }).code !== "EAGAIN") throw error;
        }
      }
      closeSync(reader);
      return Buffer.concat(pieces).toString();
    },
    /** Goes away without having read anything. */
    leave(): void {
      closeSync(writer);
      closeSync(reader);
    },
  };
}

async function slowly(
  dir: Scratch,
  argv: readonly string[],
  { input, pauseMs = 0 }: { input?: string; pauseMs?: number } = {},
) {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const [out, err] = [slowPipe(dir, "out", pauseMs), slowPipe(dir, "err", pauseMs)];
  const child = Bun.spawn([process.execPath, main, ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdio: [input === undefined ? "ignore" : Buffer.from(input), out.writer, err.writer],
  });
  out.stayQuick();
  err.stayQuick();
  const [said, complained] = await Promise.all([out.all(), err.all()]);
  const code = await child.exited;
  return { out: said, err: complained, code, cpu: child.resourceUsage()?.cpuTime.total ?? 0n };
}

const lines = Array.from({ length: 14_000 }, (_, i) => `row ${i} größer`).join("\n");

describe("a slow reader behind a pipe that does not block gets every byte once", () => {
  test("of an answer", async () => {
    using dir = scratch();
    const done = await slowly(dir, ["-p", ...scripted(dir, { text: lines, chunkSize: 1e6 }), "go"]);
    expect([done.code, done.out.length, done.out === `${lines}\n`]).toEqual([0, lines.length + 1, true]);
  });

  test("of JSON events", async () => {
    using dir = scratch();
    const done = await slowly(dir, ["-p", "--mode", "json", ...scripted(dir, { text: lines, chunkSize: 1e6 }), "go"]);
    const events = done.out.trimEnd().split("\n");
    expect(events.map((line) => (JSON.parse(line) as { type: string }).type)).toContain("agent_end");
    expect(done.code).toBe(0);
  });

  test("of the results of a batch, also after a member of an archive was read", async () => {
    using dir = scratch();
    dir.write({ "work/a.txt": lines });
    Bun.spawnSync(["tar", "czf", dir.at("work", "a.tgz"), "-C", dir.at("work"), "a.txt"]);
    const call = (path: string) => JSON.stringify({ name: "read", input: { path } });
    const calls = ["a.tgz:a.txt:raw", "a.txt:raw", "a.txt", "a.tgz:a.txt"].map(call).join("\n");
    const done = await slowly(dir, ["tool", "--batch"], { input: `${calls}\n` });
    const plain = await pith(dir, ["tool", "--batch"], { input: `${calls}\n` });
    const texts = (out: string) =>
      out
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { content: unknown }).content);
    expect(texts(done.out)).toHaveLength(4);
    expect(texts(done.out)).toEqual(texts(plain.out));
  });

  test("of what is told on the other stream", async () => {
    using dir = scratch();
    const word = "x".repeat(100_000);
    const done = await slowly(dir, ["tool", word]);
    expect(done.code).not.toBe(0);
    expect(done.err.split(word)).toHaveLength(2);
  });
});

test("reading a member of a compressed archive leaves the standard output as it was", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": lines });
  Bun.spawnSync(["tar", "czf", dir.at("work", "a.tgz"), "-C", dir.at("work"), "a.txt"]);
  const calls = [
    { name: "read", input: { path: "a.tgz:a.txt:1-3" } },
    { name: "bash", input: { command: "grep flags /proc/$PPID/fdinfo/1" } },
  ];
  const done = await pith(dir, ["tool", "--batch"], { input: calls.map((call) => JSON.stringify(call)).join("\n") });
  expect(done.out).toContain("row 0");
  expect(done.out).toMatch(/"flags:\\t0+[12]"/);
});

test("waiting for a reader costs next to nothing", async () => {
  using dir = scratch();
  const argv = ["-p", ...scripted(dir, { text: lines, chunkSize: 1e6 }), "go"];
  const quick = await slowly(dir, argv);
  const late = await slowly(dir, argv, { pauseMs: 1500 });
  expect(late.out).toBe(quick.out);
  // In microseconds: a writer that asks again and again would burn all of the pause.
  expect(Number(late.cpu - quick.cpu)).toBeLessThan(600_000);
});

test("a reader that leaves early ends the run without a word", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const out = slowPipe(dir, "out");
  const child = Bun.spawn([process.execPath, main, "-p", ...scripted(dir, { text: lines, chunkSize: 1e6 }), "go"], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdio: ["ignore", out.writer, "pipe"],
  });
  out.stayQuick();
  out.leave();
  expect(await new Response(child.stderr).text()).toBe("");
  expect(await child.exited).toBe(0);
});
