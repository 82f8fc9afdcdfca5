import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab, Talk } from "../lab.ts";
import type { Sample, Work } from "../work.ts";

const turns = 5000;
const early = 200;

/**
 * So many turns in one session and one process, with commands, jobs, reads, edits and the compactions that come of
 * them. The floor is the same process, early on; figures of both are taken in one run.
 */
let known: Promise<{ early: Sample; late: Sample }> | undefined;

async function run(lab: Lab): Promise<{ early: Sample; late: Sample }> {
  const path = join(lab.project, "src", "file-{file}.ts");
  const calls = [
    { tool: "bash", input: { command: "echo turn {n}" } },
    { tool: "read", input: { path } },
    { tool: "edit", input: { path, diff: "@@ -99,0 +100,1 @@\n+export const extra{n} = {n};\n" } },
    { tool: "bash", input: { command: "sleep 0.01; echo job {n}", async: true } },
  ];
  const talk = await lab.talk("pith", ["--mode", "rpc", "--model", "openai/bench", "--yolo"], {
    play: "rounds",
    calls,
  });
  await talk.line('"ready"');
  const took: number[] = [];
  let first: Sample = {};
  for (let n = 1; n <= turns; n++) {
    const began = performance.now();
    talk.send({ type: "prompt", message: `do step ${n}` });
    await talk.line('"agent_settled"');
    took.push(performance.now() - began);
    if (n === early) first = await figures(talk, took);
  }
  const late = await figures(talk, took);
  await talk.end();
  return { early: first, late };
}

/** Taken at rest: a job that has ended is told of first. */
async function figures({ pid }: Talk, took: readonly number[]): Promise<Sample> {
  await Bun.sleep(3000);
  const memory = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  const recent = took.slice(-early / 2).sort((a, b) => a - b);
  const [handles, threads] = ["fd", "task"].map((of) => readdirSync(`/proc/${pid}/${of}`).length);
  return {
    memory: memory / 1e6,
    handles: handles ?? Number.NaN,
    threads: threads ?? Number.NaN,
    turn: recent[recent.length >> 2] ?? Number.NaN,
  };
}

const once = (lab: Lab) => {
  known ??= run(lab);
  return known;
};

export default {
  title: `RPC: ${turns.toLocaleString("en-US")} turns in one process, against the first ${early} of them`,
  pith: async (lab) => (await once(lab)).late,
  floor: async (lab) => (await once(lab)).early,
  measures: [
    { of: "memory", title: "memory", unit: "MB", goal: { timesFloor: 1.3 } },
    { of: "handles", title: "open handles", unit: "count", goal: { timesFloor: 1 } },
    { of: "threads", title: "threads", unit: "count" },
    { of: "turn", title: "one turn", unit: "ms", goal: { timesFloor: 1.1 } },
  ],
} satisfies Work;
