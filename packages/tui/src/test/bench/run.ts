// What the engine costs: `bun packages/tui/src/test/bench/run.ts [tokens=2000] [per second=200]`.
import { join } from "node:path";
import { createScreen, createTranscript, systemTimers } from "../../index.ts";
import { type Driven, drive, until } from "./drive.ts";

const [tokens = 2000, rate = 200] = process.argv.slice(2).map(Number);
const say = (name: string, value: string) => process.stdout.write(`${name.padEnd(46)} ${value}\n`);

const floor = await stream("floor");
const engine = await stream("engine");
const quiet = await still();
say(`stream ${tokens} tokens at ${rate}/s: CPU, floor`, `${floor.cpuMs.toFixed(0)} ms`);
say(
  "  the engine, after 5,000 blocks",
  `${engine.cpuMs.toFixed(0)} ms = ${(engine.cpuMs / floor.cpuMs).toFixed(2)} x floor (goal 2)`,
);
say(
  "  bytes to the terminal",
  `${engine.bytes} = ${(engine.bytes / engine.text).toFixed(2)} x text (goal 5; floor ${(floor.bytes / floor.text).toFixed(2)})`,
);
say("key to paint", `${quiet.keyMs.toFixed(2)} ms median, ${quiet.keyWorst.toFixed(2)} ms worst of 50 (goal 5)`);
say("idle", `${quiet.idleMs} ms CPU in 3 s (goal 0)`);
say("memory for 100,000 transcript rows", memory());
for (const rows of [1000, 100_000]) say(`frame, ${rows} transcript rows`, `${frameCost(rows).toFixed(4)} ms`);
process.exit(0);

async function stream(subject: "engine" | "floor") {
  const child = Bun.spawn(
    [process.execPath, "--no-install", join(import.meta.dir, "stream.ts"), subject, String(tokens), String(rate)],
    { stdout: "pipe" },
  );
  return (await new Response(child.stdout).json()) as { cpuMs: number; bytes: number; text: number };
}

async function still() {
  const child = await drive("program.ts", ["http://127.0.0.1:9/", "5000"]);
  await until(() => child.output().includes("ready"));
  await Bun.sleep(2500);
  const figures = await keys(child);
  const idle = child.cpuMs();
  await Bun.sleep(3000);
  const idleMs = child.cpuMs() - idle;
  child.kill();
  return { ...figures, idleMs };
}

async function keys(child: Driven) {
  const times: number[] = [];
  for (let at = 0; at < 50; at++) {
    const before = child.bytes();
    const began = performance.now();
    child.type("x");
    while (child.bytes() === before && performance.now() - began < 1000)
      await new Promise((done) => setImmediate(done));
    times.push(performance.now() - began);
    await Bun.sleep(20);
  }
  times.sort((a, b) => a - b);
  return { keyMs: times[25] ?? 0, keyWorst: times.at(-1) ?? 0 };
}

function build(rows: number) {
  const tty = { columns: 120, rows: 40, write: () => {} };
  const transcript = createTranscript({ gap: 0, history: () => [] });
  const screen = createScreen({
    tty,
    panes: [transcript, { render: () => ["> ", "status"], seam: () => ({ live: 0 }) }],
    timers: systemTimers,
  });
  screen.start();
  for (let at = 0; at < rows; at++) {
    const text = `row ${at} of a transcript with some words in it`;
    transcript.add({ final: true, render: () => [text] });
    if (at % 50 === 49) screen.now();
  }
  screen.now();
  return { screen, transcript };
}

function frameCost(rows: number): number {
  const { screen, transcript } = build(rows);
  let text = "";
  transcript.add({ final: false, render: () => [text] });
  const frames = 2000;
  const began = performance.now();
  for (let at = 0; at < frames; at++) {
    text = `growing ${at}`;
    screen.now();
  }
  return (performance.now() - began) / frames;
}

function memory(): string {
  build(20_000); // so that neither compiled code nor the first heap is counted
  Bun.gc(true);
  const before = process.memoryUsage();
  const kept = build(100_000);
  Bun.gc(true);
  const after = process.memoryUsage();
  if (kept.screen.ledger.committed < 99_000) throw new Error("rows are missing");
  const grown = (of: "heapUsed" | "rss") => ((after[of] - before[of]) / 1e6).toFixed(1);
  return `${grown("heapUsed")} MB held, process grew by ${grown("rss")} MB (goal 10)`;
}
