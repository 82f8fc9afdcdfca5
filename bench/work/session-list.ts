import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab } from "../lab.ts";
import type { Sample, Work } from "../work.ts";

const count = 5000;
const few = 50;

function layOut(lab: Lab, count: number): string {
  const home = join(lab.project, "..", `home-${count}`);
  const folder = join(home, "sessions");
  if (existsSync(join(folder, "--p0--"))) return home;
  for (let at = 0; at < count; at++) {
    const [name, id] = [`--p${at % 100}--`, `0190aaaa-0000-7000-8000-${String(at).padStart(12, "0")}`];
    const entry = (n: number) => ({
      type: "message",
      id: String(n).padStart(8, "0"),
      parentId: n === 0 ? null : String(n - 1).padStart(8, "0"),
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user", content: `${at} `.padEnd(300, "x"), timestamp: 0 },
    });
    const lines = [
      { type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd: `/p${at % 100}` },
      ...Array.from({ length: 20 }, (_, n) => entry(n)),
    ];
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(
      join(folder, name, `2026-01-01T00-00-00-000Z_${id}.jsonl`),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
  }
  return home;
}

async function list(lab: Lab, count: number, args: readonly string[]): Promise<Sample> {
  const run = await lab.start("pith", ["sessions", ...args], undefined, { PITH_HOME: layOut(lab, count) });
  const lines = run.output.trim().split("\n").length;
  if (args.includes("--json") && lines < count) throw new Error(`only ${lines} sessions were listed`);
  return { wall: run.ended - run.began, rss: run.peakMb };
}

/** The list as one asks for it, and all of it at once. */
async function lists(lab: Lab, count: number): Promise<Sample> {
  const [page, all] = [await list(lab, count, []), await list(lab, count, ["--json", "--limit", String(count)])];
  return { page: page.wall ?? Number.NaN, all: all.wall ?? Number.NaN, rss: all.rss ?? Number.NaN };
}

export default {
  title: `list ${count.toLocaleString("en-US")} sessions (floor: ${few})`,
  pith: (lab) => lists(lab, count),
  floor: (lab) => lists(lab, few),
  measures: [
    { of: "page", title: "the newest", unit: "ms", goal: { timesFloor: 2 } },
    { of: "all", title: "all of them", unit: "ms", goal: { atMost: 100 } },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;
