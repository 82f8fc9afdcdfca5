import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab } from "../lab.ts";
import type { Work } from "../work.ts";

const count = 5000;

function layOut(lab: Lab): void {
  const folder = join(lab.project, "..", "home", ".pith", "sessions");
  if (existsSync(join(folder, "--p0--"))) return;
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
}

export default {
  title: "list 5,000 sessions (floor: a help page)",
  async pith(lab) {
    layOut(lab);
    const run = await lab.start("pith", ["sessions", "--json", "--limit", String(count)]);
    const lines = run.output.trim().split("\n").length;
    if (lines < count) throw new Error(`only ${lines} sessions were listed`);
    return { wall: run.ended - run.began, rss: run.peakMb };
  },
  async floor(lab) {
    const run = await lab.start("pith", ["help", "sessions"]);
    return { wall: run.ended - run.began, rss: run.peakMb };
  },
  measures: [
    { of: "wall", title: "wall", unit: "ms", goal: { atMost: 100 } },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;
