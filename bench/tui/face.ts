// The whole of pith in a pty of 120 × 40, or the floor: how soon the composer stands, how soon a request is out, what a
// stream costs. `bun face.ts <binary>|floor start|stream [<session file>]` prints its figures as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scratch, until } from "../../packages/kit/src/test/index.ts";
import { serveTokens } from "./tokens.ts";

const [binary = "floor", what = "start", session] = process.argv.slice(2);
const subject = binary === "floor" ? "floor" : "pith";
const root = join(import.meta.dir, "..", "..");
const tokens = { count: 2000, perSecond: 200 };
using folder = scratch();
folder.write({ "home/.keep": "", "work/.keep": "", "tmp/.keep": "" });
const source = serveTokens(what === "start" ? 1 : tokens.count, tokens.perSecond);
const commands: Record<string, string[]> = {
  pith: [binary, "--model", "openai/bench", ...(session ? ["-r", session] : [])],
  floor: [process.execPath, "--no-install", join(root, "bench", "floor.mjs"), "--tui"],
};
let output = "";
let bytes = 0;
const decoder = new TextDecoder();
const began = performance.now();
let stood = 0;
const child = Bun.spawn(commands[subject] ?? [], {
  cwd: folder.at("work"),
  env: {
    HOME: folder.at("home"),
    TMPDIR: folder.at("tmp"),
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    OPENAI_BASE_URL: `${source.url}v1`,
    OPENAI_API_KEY: "bench",
  },
  terminal: {
    cols: 120,
    rows: 40,
    data(_, data) {
      bytes += data.length;
      output += decoder.decode(data, { stream: true });
      if (stood === 0 && output.includes("❯")) stood = performance.now() - began;
    },
  },
});
await until(() => stood > 0, "the composer");
const figures: Record<string, number> = { composer: stood };
// Waits for what is loaded after the first frame.
await Bun.sleep(1000);
if (what === "idle") {
  await Bun.sleep(1500);
  const before = cpuOf(child.pid);
  await Bun.sleep(2000);
  Object.assign(figures, { idleMs: cpuOf(child.pid) - before, memoryMb: memoryOf(child.pid) });
} else {
  child.terminal?.write("say it");
  await Bun.sleep(300);
  const keys: number[] = [];
  const idleKeys = what === "stream" && subject === "pith" ? await typed(20) : [];
  const sent = performance.now();
  child.terminal?.write("\r");
  await until(() => source.asked() > 0, "the request");
  figures.request = source.asked() - sent;
  if (what === "start") {
    await Bun.sleep(500);
    const first = source.asked();
    child.terminal?.write("more");
    await Bun.sleep(200);
    const again = performance.now();
    child.terminal?.write("\r");
    await until(() => source.asked() > first, "the second request");
    figures.again = source.asked() - again;
  }
  if (what === "stream") {
    const from = { cpu: cpuOf(child.pid), bytes };
    await Bun.sleep(2000);
    if (subject === "pith") keys.push(...(await typed(20)));
    await until(() => source.done(), "the end of the stream", 30_000);
    await Bun.sleep(500);
    Object.assign(figures, { cpuMs: cpuOf(child.pid) - from.cpu, bytes: bytes - from.bytes });
    if (subject === "pith") figures.keyBusy = (100 * middle(keys)) / middle(idleKeys);
  }
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
child.kill("SIGKILL");
source.stop();
process.exit(0);

/** From keys to their letters on the screen, at a place of the screen that nothing else writes to. */
async function typed(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    await Bun.sleep(37);
    const sign = String.fromCharCode(0x3b1 + at);
    const from = performance.now();
    const length = output.length;
    child.terminal?.write(sign);
    while (!output.includes(sign, Math.max(0, length - 4))) {
      if (performance.now() - from > 1000) throw new Error("a key was not answered");
      await new Promise((done) => setImmediate(done));
    }
    times.push(performance.now() - from);
  }
  return times;
}

function middle(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

// User and system time from /proc, in ticks of 10 ms.
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}
