// One process for very many turns: what is called in them, and its figures early on and at the end.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sample, Work } from "./work.ts";

const endless = 5000;
const early = 200;

/** A command, a reading, an edit and a job, in turn. */
export function endlessCalls(project: string) {
  const path = join(project, "src", "file-{file}.ts");
  return [
    { tool: "bash", input: { command: "echo turn {n}" } },
    { tool: "read", input: { path } },
    { tool: "edit", input: { path, diff: "@@ -99,0 +100,1 @@\n+export const extra{n} = {n};\n" } },
    { tool: "bash", input: { command: "sleep 0.01; echo job {n}", async: true } },
  ];
}

export interface Course {
  early: Sample;
  late: Sample;
}

/** Takes all turns; the figures are those of the process after the first of them, and after the last. */
export async function course(pid: number, turn: (n: number) => Promise<void>): Promise<Course> {
  let first: Sample = {};
  let before = 0;
  for (let n = 1; n <= endless; n++) {
    if (n === early / 2 || n === endless - early / 2) before = cpuOf(pid);
    await turn(n);
    if (n === early) first = await figures(pid, before);
  }
  return { early: first, late: await figures(pid, before) };
}

/** Taken at rest: a job that has ended is told of first. */
async function figures(pid: number, before: number): Promise<Sample> {
  const turn = (cpuOf(pid) - before) / (early / 2);
  await Bun.sleep(3000);
  const memory = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  const [handles = Number.NaN, threads = Number.NaN] = ["fd", "task"].map(
    (of) => readdirSync(`/proc/${pid}/${of}`).length,
  );
  return { memory: memory / 1e6, handles, threads, turn };
}

/** Milliseconds of user and system time, in ticks of 10 ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The workload: the floor is the same process, early on. */
export function endlessWork(how: string, run: (lab: Parameters<Work["pith"]>[0]) => Promise<Course>): Work {
  let known: Promise<Course> | undefined;
  const once: typeof run = (lab) => {
    known ??= run(lab);
    return known;
  };
  return {
    title: `${how}: ${endless.toLocaleString("en-US")} turns in one process, against the first ${early} of them`,
    heavy: true,
    pith: async (lab) => (await once(lab)).late,
    floor: async (lab) => (await once(lab)).early,
    measures: [
      { of: "memory", title: "memory", unit: "MB", goal: { timesFloor: 1.3 } },
      { of: "handles", title: "open handles", unit: "count", goal: { timesFloor: 1 } },
      { of: "threads", title: "threads", unit: "count" },
      { of: "turn", title: "CPU of a turn", unit: "ms", goal: { timesFloor: 1.1 } },
    ],
  };
}
