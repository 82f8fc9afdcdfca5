// `npm run bench`: pith against the floor on the same workloads, run after run in turn, so that whatever else the
// machine does hits both alike. `-- --only shell,read --reps 5 --seconds 60`
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { goalsTable, loadWorks, workNames } from "./goals.ts";
import { openLab } from "./lab.ts";
import { type Result, resultOf, rowsOf, table } from "./report.ts";
import type { Work } from "./work.ts";

const options = {
  only: { type: "string" },
  reps: { type: "string" },
  seconds: { type: "string" },
  pith: { type: "string" },
  goals: { type: "boolean" },
} as const;
const { values } = parseArgs({ options });
if (values.goals) {
  process.stdout.write(`${goalsTable(await loadWorks(workNames()))}\n`);
  process.exit(0);
}
const reps = Number(values.reps ?? 15);
const deadline = performance.now() + Number(values.seconds ?? 75) * 1000;
const pith = values.pith ?? join(import.meta.dir, "..", "dist", "pith");
if (!existsSync(pith)) stop(`${pith} is missing: run \`npm run build\` first`);

const works = await findWorks(values.only?.split(","));
const results = works.map(([name, work]) => resultOf(name, work));
const failures = new Map<string, string>();
{
  await using lab = await openLab(pith);
  // The first round warms caches and is not counted.
  for (let round = 0; round <= reps && (round < 2 || performance.now() < deadline); round++) {
    for (const [i, [name, work]] of works.entries()) await runPair(name, work, results[i] as Result, round > 0);
    process.stderr.write(`\rround ${round} of ${reps}`);
  }
  process.stderr.write("\n");

  async function runPair(name: string, work: Work, result: Result, counts: boolean) {
    for (const subject of ["floor", "pith"] as const) {
      if (failures.has(`${name} ${subject}`)) continue;
      try {
        const sample = await work[subject](lab);
        if (counts) result[subject].push(sample);
      } catch (error) {
        failures.set(`${name} ${subject}`, error instanceof Error ? error.message : String(error));
      }
    }
  }
}

const rows = rowsOf(results);
process.stdout.write(`${table(rows)}\n`);
for (const [who, why] of failures) process.stdout.write(`${who} failed: ${why}\n`);
const misses = rows.filter((row) => row.verdict === "miss").length;
process.stdout.write(
  `${rows.filter((row) => row.verdict === "pass").length} goals reached, ${misses} missed; medians of ${results[0]?.floor.length ?? 0} runs\n`,
);
const folder = join(import.meta.dir, "results");
mkdirSync(folder, { recursive: true });
const file = join(folder, `${new Date().toISOString().replaceAll(":", "-").slice(0, 19)}.json`);
await Bun.write(file, `${JSON.stringify({ reps, results, rows, failures: Object.fromEntries(failures) }, null, 1)}\n`);
process.exit(failures.size > 0 ? 1 : 0);

async function findWorks(only: string[] | undefined): Promise<[string, Work][]> {
  const all = workNames();
  const unknown = only?.filter((name) => !all.includes(name)) ?? [];
  if (unknown.length > 0) stop(`no workload named ${unknown.join(", ")}; there are ${all.join(", ")}`);
  const works = await loadWorks(all.filter((name) => !only || only.includes(name)));
  return works.filter(([, { heavy }]) => only || !heavy);
}

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
