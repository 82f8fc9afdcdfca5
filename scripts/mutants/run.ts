// `npm run mutants -- [path…] [--seed n] [--minutes m] [--changed] [--base rev]`: changes one place of the sources at a
// time and reports the changes that no test notices. promises.json names the files in which such a change is a fault.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { availableParallelism, homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isProduct, productFiles, root } from "../gate/tree.ts";
import { readGraph, type TestGraph } from "./graph.ts";
import { type Mutant, mutantsOf, randomOf } from "./mutant.ts";
import { openWorkTree, type WorkTree } from "./work-tree.ts";

interface Promises {
  /** Files by the promise that they carry, as globs, with tests that reach them through the whole program. */
  rooms: Record<string, { files: string[]; tests: string[] }>;
  /** Reasons why a change that no test notices is no fault, by `<path>#<id>`. */
  excused: Record<string, string>;
}
const promises: Promises = await Bun.file(join(import.meta.dir, "promises.json")).json();

/** The most test files that are tried on one mutant, and how long they may take without it. */
const most = { tests: 12, ms: 60_000 };

const usage = "usage: npm run mutants -- [path…] [--seed <n>] [--minutes <m>] [--changed] [--base <commit>]";
const wanted = read(process.argv.slice(2));
const ended = Date.now() + wanted.minutes * 60_000;
const found = await findMutants();
const cache = openCache();
const tally = { tried: 0, killed: 0, known: 0, excused: 0, alive: [] as string[] };
const baseline = new Map<string, Promise<number | undefined>>();
say(`seed ${wanted.seed}: ${found.length} mutants`);

const trees: WorkTree[] = [];
const leave = () => {
  for (const tree of trees.splice(0)) tree[Symbol.dispose]();
};
process.on("exit", leave);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
const graph = await readGraph();
await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, work));
leave();
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
      },
    });
    const [seed, minutes] = [values.seed ?? String(Math.floor(Math.random() * 1e9)), values.minutes ?? "10"].map(
      Number,
    );
    if (seed === undefined || minutes === undefined || !(seed >= 0) || !(minutes > 0)) stop(usage);
    return {
      paths: positionals,
      seed,
      minutes,
      changed: values.changed === true || values.base !== undefined,
      base: values.base,
    };
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

/** The mutants of the files that were asked for, or of all files with promises, mixed by the seed. */
async function findMutants(): Promise<Mutant[]> {
  const random = randomOf(wanted.seed);
  const changed = wanted.changed ? new Set(changedFiles()) : undefined;
  const files = (await productFiles()).filter(({ path }) => {
    if (changed && !changed.has(path)) return false;
    if (wanted.paths.length === 0) return roomOf(path) !== undefined;
    return wanted.paths.some((start) => path === start || path.startsWith(start.replace(/\/?$/, "/")));
  });
  if (files.length === 0 && !changed) stop(`no source files at ${wanted.paths.join(", ")}`);
  // Each file gives its first mutant before any gives its second: a short run sees all of them.
  const mixed = files.flatMap(({ path, text }) =>
    mutantsOf(path, text, random).map((mutant, nth) => ({ mutant, at: nth + random() })),
  );
  return mixed.sort((a, b) => a.at - b.at).map(({ mutant }) => mutant);
}

function changedFiles(): string[] {
  const lists = [
    ["diff", "--name-only", wanted.base ?? "HEAD"],
    ["ls-files", "--others", "--exclude-standard"],
  ];
  const paths = lists.flatMap((args) => {
    const git = Bun.spawnSync(["git", ...args], { cwd: root, stdin: "ignore" });
    if (git.exitCode !== 0) stop(`--changed asks git, which does not answer: ${git.stderr}`);
    return String(git.stdout).split("\n");
  });
  return paths.filter(isProduct);
}

function roomOf(path: string): string | undefined {
  return Object.keys(promises.rooms).find((room) =>
    promises.rooms[room]?.files.some((glob) => new Bun.Glob(glob).match(path)),
  );
}

/** Takes one mutant after the other until there is none or the time is up. */
async function work(): Promise<void> {
  let tree: WorkTree | undefined;
  for (let mutant = found.shift(); mutant && Date.now() < ended; mutant = found.shift()) {
    const tests = testsFor(mutant.path, graph);
    const key = cache.key(mutant, tests);
    let result = cache.get(key);
    if (result === undefined) {
      if (!tree) {
        tree = openWorkTree();
        trees.push(tree);
      }
      result = await judge(mutant, tests, tree);
      if (result === undefined) continue;
      cache.set(key, result);
    } else tally.known++;
    count(mutant, result);
  }
}

function testsFor(path: string, { testsOf }: TestGraph): string[] {
  const whole = promises.rooms[roomOf(path) ?? ""]?.tests ?? [];
  const near = testsOf(path);
  return [...new Set([...near.slice(0, most.tests - whole.length), ...whole])];
}

/** Names the test that noticed the change; "" when none did. Undefined where no test passes without it. */
async function judge(mutant: Mutant, tests: string[], tree: WorkTree): Promise<string | undefined> {
  const source = await Bun.file(join(root, mutant.path)).text();
  let spent = 0;
  let judged = false;
  for (const test of tests) {
    if (!baseline.has(test)) baseline.set(test, passes(test, tree));
    const usual = await baseline.get(test);
    if (usual === undefined) continue;
    if (spent + usual > most.ms || Date.now() > ended) break;
    spent += usual;
    judged = true;
    tree.write(mutant.path, mutant.text);
    const outcome = await tree.test(test, 5 * usual + 10_000);
    tree.write(mutant.path, source);
    if (outcome === "failed") return test;
  }
  return judged && Date.now() < ended ? "" : undefined;
}

/** Measures a test file without any change; undefined when it fails. */
async function passes(test: string, tree: WorkTree): Promise<number | undefined> {
  const began = Date.now();
  if ((await tree.test(test, 120_000)) === "passed") return Date.now() - began;
  say(`fails without a change, and is left out: ${test}`);
  return undefined;
}

function count(mutant: Mutant, killer: string) {
  tally.tried++;
  if (killer !== "") {
    tally.killed++;
    return;
  }
  const name = `${mutant.path}#${mutant.id}`;
  if (promises.excused[name] !== undefined) {
    tally.excused++;
    return;
  }
  const fault = roomOf(mutant.path);
  tally.alive.push(name);
  say(`${fault ? "FAULT" : "lived"}  ${mutant.path}:${mutant.line}  ${mutant.kind}  (${name})`);
  for (const line of mutant.from.split("\n")) say(`       - ${line.trim()}`);
  for (const line of mutant.to.split("\n")) say(`       + ${line.trim()}`);
}

/** Results of earlier runs, by the content of the changed file and of the tests that were tried. */
function openCache() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pith-mutants");
  const file = join(folder, "results.jsonl");
  mkdirSync(folder, { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const known = new Map<string, string>();
  for (const line of lines) {
    const [key, killer] = /^([0-9a-f]{64}) (.*)$/.exec(line)?.slice(1) ?? [];
    if (key !== undefined && killer !== undefined) known.set(key, killer);
  }
  const texts = new Map<string, string>();
  const textOf = (path: string) => {
    if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), "utf8"));
    return texts.get(path) ?? "";
  };
  return {
    key(mutant: Mutant, tests: string[]) {
      const hash = new Bun.CryptoHasher("sha256").update(`${mutant.path}\0${mutant.text}\0`);
      for (const test of tests) hash.update(`${test}\0${textOf(test)}\0`);
      return hash.digest("hex");
    },
    get: (key: string) => known.get(key),
    set(key: string, killer: string) {
      try {
        appendFileSync(file, `${key} ${killer}\n`);
      } catch (error) {
        stop(`${file} cannot be written: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}

function report() {
  const { tried, killed, known, excused, alive } = tally;
  const faults = alive.filter((name) => roomOf(name.split("#")[0] ?? "")).length;
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
