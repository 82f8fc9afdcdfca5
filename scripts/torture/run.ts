// `npm run torture -- [--minutes m] [--seed n] [--case file] [--kept]`: random programs of what users do, with faults
// thrown in between, against a model of what the user was told. A program that breaks a promise is kept as a case.
import { existsSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../gate/tree.ts";
import { Broken } from "./face.ts";
import type { PlayOptions, Tally } from "./game.ts";
import { endAll, play } from "./play.ts";
import { type Program, programOf } from "./program.ts";
import { insideNamespace, lacking } from "./world.ts";

const usage = "usage: npm run torture -- [--minutes <m>] [--seed <n>] [--case <file>] [--kept] [--loud]";
/** Bytes that a program may need in the folder for temporary files. */
const room = 64 << 20;
const cases = process.env.PITH_TORTURE_CASES ?? join(import.meta.dir, "cases");
const wanted = read(process.argv.slice(2));

// Disks of our own need mounts that nobody else sees, and that are gone with this process.
const canMount = process.getuid?.() === 0 && Bun.which("unshare") !== null && Bun.which("mount") !== null;
if (canMount && process.env[insideNamespace] === undefined) {
  const again = ["unshare", "--mount", "--propagation", "private", process.execPath, ...process.argv.slice(1)];
  const test = Bun.spawnSync(["unshare", "--mount", "--propagation", "private", "true"]);
  if (test.exitCode === 0) {
    const child = Bun.spawn(again, {
      env: { ...process.env, [insideNamespace]: "1" },
      stdio: ["inherit", "inherit", "inherit"],
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
    process.exit(await child.exited);
  }
}

const program = process.env.PITH_BUILT ?? join(root, "dist", "pith");
if (!existsSync(program)) stop(`${program} is not there: npm run build`);
const tally: Tally = { steps: new Map(), faults: new Map(), skipped: new Map() };
const options: PlayOptions = { program, lacking: lacking(), tally, log: wanted.loud ? say : undefined };
let failed = 0;
let played = 0;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    report();
    process.exit(130);
  });
process.on("exit", () => endAll());
await runAll();
report();
process.exit(failed > 0 ? 1 : 0);

function read(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: "string" },
        minutes: { type: "string" },
        case: { type: "string" },
        kept: { type: "boolean" },
        loud: { type: "boolean" },
      },
    });
    const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
    const minutes = Number(values.minutes ?? (values.seed === undefined ? 1 : 0));
    if (!(seed >= 0) || !(minutes >= 0)) stop(usage);
    return { seed, minutes, file: values.case, kept: values.kept === true, loud: values.loud === true };
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

async function runAll(): Promise<void> {
  if (wanted.file !== undefined) {
    await one(await Bun.file(resolve(wanted.file)).json(), wanted.file);
    return;
  }
  if (wanted.kept && existsSync(cases))
    for (const name of readdirSync(cases).filter((file) => file.endsWith(".json")))
      await one(await Bun.file(join(cases, name)).json(), name);
  const end = Date.now() + wanted.minutes * 60_000;
  for (let seed = wanted.seed; seed === wanted.seed || Date.now() < end; seed++) {
    const program = programOf(seed);
    if (!(await one(program, `seed ${seed}`))) keep(program);
  }
}

/** Plays one program; says so when it breaks a promise. */
async function one(program: Program, name: string): Promise<boolean> {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < room)
    stop(`${tmpdir()} has less than ${room >> 20} MB left: what is told of it would be no fault of pith`);
  played++;
  if (wanted.loud) say(`== ${name}`);
  try {
    await play(program, options);
    return true;
  } catch (error) {
    if (!(error instanceof Broken)) stop(`${name} cannot be played: ${(error as Error).stack}`);
    failed++;
    say(`BROKEN  ${name}: ${error.message}`);
    return false;
  }
}

/** Keeps a program that failed beside the others; where that is not possible it is printed. */
function keep(program: Program): void {
  const file = join(cases, `${program.seed}.json`);
  const text = `${JSON.stringify(program, null, 1)}\n`;
  try {
    mkdirSync(cases, { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
    say(`        kept as ${relative(root, file)}`);
  } catch {
    say(`        ${JSON.stringify(program)}`);
  }
}

function report(): void {
  const list = (counts: Map<string, number>) =>
    [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .map(([kind, times]) => `  ${String(times).padStart(5)}  ${kind}`);
  say(`from seed ${wanted.seed}: ${played} programs, ${failed} broken`);
  for (const [title, counts] of Object.entries(tally) as [string, Map<string, number>][])
    if (counts.size > 0) say([`${title}:`, ...list(counts)].join("\n"));
  for (const reason of new Set(Object.values(options.lacking).filter(Boolean))) say(`skip: ${reason}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
function stop(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}
