import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { openSessionDatabase, refreshSearch, searchSessions } from "../../packages/agent/src/index.ts";
import type { Lab } from "../lab.ts";
import { type Size, sessionOf } from "../session.ts";
import type { Work } from "../work.ts";

/** The whole gigabyte takes half a minute to read for the first time: `PITH_BENCH_SEARCH_MB=1000`. */
const megabytes = Number(process.env.PITH_BENCH_SEARCH_MB ?? 50);
const size: Size = { name: "searched", entries: megabytes * 200, bytes: megabytes * 1e6 };

async function ask(lab: Lab, text: string) {
  const sessions = join(lab.project, "..", "searched");
  const database = await openSessionDatabase(join(sessions, "search.db"));
  try {
    await refreshSearch(database, sessions);
    const began = performance.now();
    const hits = searchSessions(database, { text, limit: 20 });
    const wall = performance.now() - began;
    if (hits.length !== 20) throw new Error(`${hits.length} hits for ${text}`);
    return { wall };
  } finally {
    database.close();
  }
}

async function stage(lab: Lab): Promise<void> {
  const folder = join(lab.project, "..", "searched", "--p--");
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  renameSync(await sessionOf(lab, size), join(folder, "2026-01-01T00-00-00-000Z_bench.jsonl"));
}

export default {
  title: `search ${megabytes} MB: a rare word (floor: one in nearly every entry)`,
  async pith(lab) {
    await stage(lab);
    return ask(lab, "needle");
  },
  async floor(lab) {
    await stage(lab);
    return ask(lab, "w0");
  },
  measures: [{ of: "wall", title: "first 20 hits", unit: "ms", goal: { atMost: 100 } }],
} satisfies Work;
