// `npm run mutants -- [path…] [--seed n] [--minutes m] [--changed] [--base rev] [--grave]`: changes one place of the
// sources at a time and reports the changes that no test notices. promises.json names the files in which such a change
// is a fault. `--changed` tries lines that differ from the last commit (or from `--base`), `--grave` only the calls on
// which promises hang.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isProduct, productFiles, root } from "../gate/tree.ts";
import { readGraph } from "./graph.ts";
import { Judge, type Judged } from "./judge.ts";
import { isGrave, type Mutant, mutantsOf, randomOf } from "./mutant.ts";
import { promises, roomOf, testsOfRoom } from "./promise.ts";
import { openResults } from "./results.ts";

const usage = "usage: npm run mutants -- [path…] [--seed <n>] [--minutes <m>] [--changed] [--base <commit>] [--grave]";
// What is open then is removed at the exit.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
const wanted = read(process.argv.slice(2));
const ended = Date.now() + wanted.minutes * 60_000;
const found = await findMutants();
const tally = {
  tried: 0,
  known: 0,
  killed: 0,
  excused: 0,
  faults: 0,
  alive: [] as Mutant[],
  rooms: new Map<string, Row>(),
};
interface Row {
  tried: number;
  killed: number;
  excused: number;
}
say(`seed ${wanted.seed}: ${found.length} mutants in ${new Set(found.map(({ path }) => path)).size} files`);

if (found.length > 0) await tryAll();
report();

function read(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        seed: { type: "string" },
        minutes: { type: "string" },
        changed: { type: "boolean" },
        base: { type: "string" },
        grave: { type: "boolean" },
      },
    });
    const number = (text: string | undefined, usual: number) => (text === undefined ? usual : Number(text));
    const seed = number(values.seed, Math.floor(Math.random() * 1e9));
    const minutes = number(values.minutes, 10);
    if (!Number.isSafeInteger(seed) || seed < 0 || !(minutes > 0)) stop(usage);
    const base = values.base ?? (values.changed ? "HEAD" : undefined);
    return { paths: positionals, seed, minutes, base, isGrave: values.grave === true };
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

/** The mutants of the files that were asked for, or of all files with promises, mixed by the seed. */
async function findMutants(): Promise<Mutant[]> {
  const random = randomOf(wanted.seed);
  const changed = wanted.base === undefined ? undefined : changedLines(wanted.base);
  const files = (await productFiles()).filter(({ path }) => {
    if (changed && !changed.has(path)) return false;
    if (wanted.paths.length === 0) return roomOf(path) !== undefined;
    return wanted.paths.some((start) => path === start || path.startsWith(start.replace(/\/?$/, "/")));
  });
  if (files.length === 0 && !changed) stop(`no source files at ${wanted.paths.join(", ")}`);
  // Each file gives its first mutant before any gives its second: a short run sees all of them.
  const mixed = files.flatMap(({ path, text }) =>
    mutantsOf(path, text, random)
      .filter(({ line }) => changed?.get(path)?.(line) ?? true)
      .filter((mutant) => !wanted.isGrave || isGrave(mutant))
      .map((mutant, nth) => ({ mutant, at: nth + random() })),
  );
  return mixed.sort((a, b) => a.at - b.at).map(({ mutant }) => mutant);
}

/** Lines that differ from a commit, by file; all lines of a file that git does not know. */
function changedLines(base: string): Map<string, (line: number) => boolean> {
  const ask = (...args: string[]) => {
    const git = Bun.spawnSync(["git", ...args], { cwd: root, stdin: "ignore" });
    if (git.exitCode !== 0) stop(`--changed asks git, which does not answer: ${String(git.stderr).trim()}`);
    return String(git.stdout);
  };
  const lines = new Map<string, (line: number) => boolean>();
  const diff = ask("diff", "--unified=0", "--no-ext-diff", "--no-color", "--no-prefix", base, "--", "packages");
  for (const part of diff.split(/^diff --git .*\n/m)) {
    const [, path = ""] = /^\+\+\+ (.*)$/m.exec(part) ?? [];
    const ranges = [...part.matchAll(/^@@ \S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, from, count]) => {
      return { from: Number(from), to: Number(from) + Number(count ?? 1) };
    });
    if (isProduct(path)) lines.set(path, (line) => ranges.some(({ from, to }) => line >= from && line < to));
  }
  for (const path of ask("ls-files", "--others", "--exclude-standard", "--", "packages").split("\n"))
    if (isProduct(path)) lines.set(path, () => true);
  return lines;
}

async function tryAll(): Promise<void> {
  const { testsOf } = await readGraph();
  const results = resultsOrStop();
  const judge = new Judge({
    mutants: found,
    testsOf: (path) => ({ near: testsOf(path), whole: testsOfRoom(path) }),
    results,
    ended,
    say,
  });
  process.on("exit", () => judge[Symbol.dispose]());
  try {
    await judge.run(Math.max(1, availableParallelism()), count);
  } catch (error) {
    judge[Symbol.dispose]();
    stop(`stopped: ${error instanceof Error ? error.message : error}`);
  }
  judge[Symbol.dispose]();
}

function resultsOrStop() {
  try {
    return openResults();
  } catch (error) {
    return stop(`stopped: ${error instanceof Error ? error.message : error}`);
  }
}

function count(mutant: Mutant, { killer, known, isSure }: Judged) {
  const room = roomOf(mutant.path);
  const row = tally.rooms.get(room ?? "") ?? { tried: 0, killed: 0, excused: 0 };
  tally.rooms.set(room ?? "", row);
  tally.tried++;
  row.tried++;
  if (known) tally.known++;
  if (killer !== "") {
    tally.killed++;
    row.killed++;
    return;
  }
  const name = `${mutant.path}#${mutant.id}`;
  if (promises.excused[name] !== undefined) {
    tally.excused++;
    row.excused++;
    return;
  }
  tally.alive.push(mutant);
  const isFault = room !== undefined && isSure;
  if (isFault) tally.faults++;
  say(`${isFault ? "FAULT" : "lived"}  ${mutant.path}:${mutant.line}  ${mutant.kind}  (${name})`);
  for (const line of mutant.from.split("\n")) say(`       - ${line.trim()}`);
  for (const line of mutant.to.split("\n")) say(`       + ${line.trim()}`);
}

function report(): never {
  const { tried, killed, known, excused, alive, faults, rooms } = tally;
  for (const [room, row] of [...rooms].sort())
    say(`${(room || "elsewhere").padEnd(12)}${row.tried} tried, ${row.killed} killed, ${row.excused} excused`);
  say(
    `${tried} tried (${known} known from before): ${killed} killed, ${excused} excused, ${alive.length} alive, ${faults} of them faults`,
  );
  process.exit(faults > 0 ? 1 : 0);
}

function say(text: string) {
  process.stdout.write(`${text}\n`);
}
function stop(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}
