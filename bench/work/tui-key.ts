import { until } from "../../packages/kit/src/test/index.ts";
import { type Driven, drive } from "../tui/drive.ts";
import type { Sample, Work } from "../work.ts";

const keys = 25;
const idleMs = 1000;

/** From a key to the first byte on the screen, and what it costs to wait for one. */
async function run(program: "program.ts" | "echo.ts"): Promise<Sample> {
  using child = drive(program, ["http://127.0.0.1:9/", "5000"]);
  await until(() => child.output().includes("ready"), "the first frame");
  // Waits for the terminal's answers to the queries at the start.
  await Bun.sleep(2500);
  const times: number[] = [];
  while (times.length < keys) times.push(await answered(child));
  const before = child.cpuMs();
  await Bun.sleep(idleMs);
  return { key: times.sort((a, b) => a - b)[Math.floor(keys / 2)] ?? 0, idle: child.cpuMs() - before };
}

async function answered(child: Driven): Promise<number> {
  await Bun.sleep(20);
  const before = child.bytes();
  const began = performance.now();
  child.type("x");
  while (child.bytes() === before) {
    if (performance.now() - began > 1000) throw new Error("a key was not answered");
    await new Promise((done) => setImmediate(done));
  }
  return performance.now() - began;
}

export default {
  title: "a key after 5,000 blocks",
  pith: () => run("program.ts"),
  floor: () => run("echo.ts"),
  measures: [
    { of: "key", title: "key to paint", unit: "ms", goal: { atMost: 5 } },
    // The system counts in steps of 10 ms.
    { of: "idle", title: "CPU of a second of waiting", unit: "ms", goal: { atMost: 10 } },
  ],
} satisfies Work;
