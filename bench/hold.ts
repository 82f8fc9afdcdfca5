// `node bin/bun bench/hold.ts <binary of the last release> <its name>`: fails when the start of dist/pith has become
// dearer than bench/hold.json allows, as multiples of that release, measured in turn with it. With `--write` at the
// end, what became cheaper is written down and holds from then on.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../packages/kit/src/test/index.ts";
import { boundsFor, type Figure, type Held, judge, type Kept, tightened, titles } from "./held.ts";
import { type Lab, openLab } from "./lab.ts";
import { argsFor, ask } from "./turn.ts";

const [release, since, write] = process.argv.slice(2);
if (release === undefined || since === undefined) stop("which binary is the last release, and what is its name?");
const file = join(import.meta.dir, "hold.json");
const bounds = boundsFor((await Bun.file(file).json()) as Kept, since);
const now = join(import.meta.dir, "..", "dist", "pith");
// A busy machine is given time: it goes on until the figures hold, or until this many seconds are over.
const [perCopy, fewest, seconds] = [10, 3, 100];
const began = performance.now();
const held: Held = { release: [], now: [] };
for (let copy = 1; ; copy++) {
  await measure(held);
  const isLate = performance.now() - began > seconds * 1000;
  if (isLate || (copy >= fewest && judge(held, bounds).every(({ verdict }) => verdict === "holds"))) break;
}
const rows = judge(held, bounds);
for (const { measure, release, now, change, allowed, verdict } of rows)
  process.stdout.write(
    `${titles[measure].padEnd(24)} ${release.toFixed(1)} → ${now.toFixed(1)}  ${change.toFixed(3)}× of ${since.slice(0, 12)}, at most ${allowed.toFixed(3)}×  ${verdict}\n`,
  );
process.stdout.write(`${held.now.length} rounds in ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
if (write === "--write") await Bun.write(file, `${JSON.stringify(tightened(rows, bounds, since), null, 2)}\n`);
process.exit(rows.some(({ verdict }) => verdict === "slipped") ? 1 : 0);

/** Some rounds with new copies: memory counts pages of the file, and how the system's cache holds these is chance. */
async function measure({ release: before, now: after }: Held): Promise<void> {
  using copies = scratch();
  const [one, other] = [copies.at("release"), copies.at("now")];
  copyFileSync(release as string, one);
  copyFileSync(now, other);
  await using old = await openLab(one);
  await using own = await openLab(other);
  for (let n = 0; n <= perCopy; n++) {
    const pair = [await round(old), await round(own)] as const;
    // The first round reads the copies.
    if (n === 0) continue;
    before.push(pair[0]);
    after.push(pair[1]);
  }
}

async function round(lab: Lab): Promise<Figure> {
  const prompt = await ask(lab, "pith", 1);
  const model = argsFor("pith", "").slice(2, 4);
  const talk = await lab.talk("pith", ["--mode", "rpc", "--no-session", ...model]);
  await talk.line('"ready"');
  const { cpuMs } = await talk.end();
  const request = (prompt.seen[0]?.arrived ?? Number.NaN) - prompt.began;
  return { request, cpu: prompt.cpuMs, memory: prompt.peakMb, rpc: cpuMs };
}

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
