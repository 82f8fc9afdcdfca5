// Counts the small tasks that a weak model finishes with pith: `node bin/bun test/weak/run.ts --profile local [--seeds
// 10]`.
import { parseArgs } from "node:util";
import { scratch } from "../scratch.ts";
import { type Played, play } from "./play.ts";
import { rates } from "./rate.ts";
import { tasks } from "./task.ts";

const { values } = parseArgs({
  options: {
    profile: { type: "string", multiple: true, default: ["default", "local"] },
    seeds: { type: "string", default: "10" },
    task: { type: "string", multiple: true },
  },
});
const seeds = Number(values.seeds);
const chosen = tasks.filter(({ name }) => values.task?.includes(name) ?? true);

for (const profile of values.profile) {
  const all: Played[] = [];
  for (const task of chosen) {
    const played: Played[] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      using dir = scratch();
      played.push(await play(dir, task, seed, rates, profile));
    }
    all.push(...played);
    process.stdout.write(`${profile.padEnd(8)} ${task.name.padEnd(12)} ${played.map(mark).join("")}\n`);
  }
  const sum = (of: "requests" | "processed" | "prompt") => all.reduce((total, one) => total + one[of], 0);
  const share = (100 * all.filter(({ finished }) => finished).length) / all.length;
  const fresh = (100 * sum("processed")) / sum("prompt");
  process.stdout.write(
    `${profile.padEnd(8)} ${share.toFixed(1)} % of ${all.length} finished, ` +
      `${(sum("requests") / all.length).toFixed(1)} requests each, ${fresh.toFixed(1)} % of prompt tokens worked through\n`,
  );
}

function mark({ finished }: Played): string {
  return finished ? "■" : "·";
}
