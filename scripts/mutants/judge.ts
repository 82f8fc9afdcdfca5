// Decides which mutants a test notices: first finds out which test files come to which place, then tries many mutants
// in a row in one process of each of those, and at last each that is left in processes of its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../gate/tree.ts";
import { type Mutant, mutantsOf } from "./mutant.ts";
import type { Results } from "./results.ts";
import { nameOf, withSwitches } from "./switched.ts";
import { openWorkTree, type WorkTree } from "./work-tree.ts";

export interface Judged {
  /** Test file that noticed the change; "" when none did. */
  killer: string;
  /** An earlier run found it out. */
  known: boolean;
  /** False where a test of the file could not be asked: it may have noticed. */
  isSure: boolean;
}

export interface JudgeOptions {
  mutants: readonly Mutant[];
  /** Tests that import a file, the nearest first, and those that reach it through the whole program. */
  testsOf(path: string): { near: string[]; whole: string[] };
  results: Results;
  /** End of the time: a mutant that is not judged by then is left out. */
  ended: number;
  say(text: string): void;
}

/**
 * The most test files of the import graph that are asked about a file, how long one may take, and all for one mutant.
 * Tests of the whole program are asked where promises.json names them.
 */
const most = { near: 16, far: 10, testMs: 60_000, ms: 60_000, rowMs: 5000, row: 24 };

/** Time of a test file without any change, and the places it came to. */
interface Reach {
  ms: number;
  places: ReadonlySet<string>;
}

/** The trees of one worker, each made when it is first needed. */
interface Trees {
  /** All changes are in it, behind their switches. */
  switched(): WorkTree;
  plain(): WorkTree;
}

export class Judge {
  readonly #options: JudgeOptions;
  readonly #trees = new Set<WorkTree>();
  readonly #sources: ReadonlyMap<string, string>;
  /** Test files that may come to a file, by its path, the nearest first; then those that do. */
  readonly #candidates: ReadonlyMap<string, string[]>;
  readonly #reached = new Map<string, Map<string, Reach>>();

  constructor(options: JudgeOptions) {
    this.#options = options;
    const paths = [...new Set(options.mutants.map(({ path }) => path))];
    this.#sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
    this.#candidates = new Map(
      paths.map((path) => {
        const { near, whole } = options.testsOf(path);
        const unit = near.filter((test) => test.startsWith("packages/"));
        // Tests of the package itself load less, and say more about it.
        const [home = ""] = /^packages\/\w+\//.exec(path) ?? [];
        const own = unit.filter((test) => test.startsWith(home)).slice(0, most.near);
        const other = unit.filter((test) => !test.startsWith(home)).slice(0, most.far);
        return [path, [...new Set([...own, ...other, ...whole])]];
      }),
    );
  }

  /** Judges all mutants, in their order, until the time is up. */
  async run(workers: number, count: (mutant: Mutant, judged: Judged) => void): Promise<void> {
    const { mutants } = this.#options;
    const trees = Array.from({ length: workers }, () => this.#workerTrees());
    const tests = [...new Set([...this.#candidates.values()].flat())];
    await this.#each(trees, tests, (test, own) => this.#measure(test, own));
    await this.#each(trees, rowsOf(mutants), async (row, own) => {
      for (const [mutant, judged] of await this.#judgeRow(row, own)) count(mutant, judged);
    });
  }

  [Symbol.dispose]() {
    for (const tree of this.#trees) tree[Symbol.dispose]();
    this.#trees.clear();
  }

  #workerTrees(): Trees {
    const open = (prepare: (tree: WorkTree) => void) => {
      let tree: WorkTree | undefined;
      return () => {
        if (tree) return tree;
        tree = openWorkTree();
        this.#trees.add(tree);
        prepare(tree);
        return tree;
      };
    };
    return {
      plain: open(() => {}),
      switched: open((tree) => {
        for (const [path, source] of this.#sources)
          tree.write(path, withSwitches(source, mutantsOf(path, source, Math.random), tree.marks));
      }),
    };
  }

  /** Hands the items out to the workers, one at a time, until the time is up. */
  async #each<Item>(
    trees: readonly Trees[],
    items: readonly Item[],
    work: (item: Item, own: Trees) => Promise<void>,
  ): Promise<void> {
    const left = [...items];
    const run = async (own: Trees) => {
      for (let item = left.shift(); item !== undefined && !this.#isOver; item = left.shift()) await work(item, own);
    };
    await Promise.all(trees.map(run));
  }

  get #isOver(): boolean {
    return Date.now() > this.#options.ended;
  }

  /** Runs a test file over sources with switches, none of them on, unless an earlier run did. */
  async #measure(test: string, own: Trees): Promise<void> {
    const { results } = this.#options;
    const paths = [...this.#sources.keys()].filter((path) => this.#candidates.get(path)?.includes(test));
    const keys = paths.map((path) =>
      results.keyOf("reach", results.testKey(test), path, this.#sources.get(path) ?? ""),
    );
    const known = keys.map((key) => results.get(key));
    const found = known.every((it) => it !== undefined) ? known : await this.#measureNow(test, paths, own.switched());
    for (const [at, path] of paths.entries()) {
      const [ms = "", ...places] = found?.[at]?.split(" ") ?? [];
      if (ms === "") continue;
      if (known[at] === undefined) results.set(keys[at] ?? "", found?.[at] ?? "");
      const tests = this.#reached.get(path) ?? new Map<string, Reach>();
      this.#reached.set(path, tests.set(test, { ms: Number(ms), places: new Set(places) }));
    }
  }

  async #measureNow(test: string, paths: string[], tree: WorkTree): Promise<string[] | undefined> {
    tree.marked();
    const began = Date.now();
    if ((await tree.test([test], most.testMs)) !== "passed") {
      if (!this.#isOver) this.#options.say(`fails without a change or takes too long, and is left out: ${test}`);
      return undefined;
    }
    const ms = Date.now() - began;
    const names = tree.marked();
    return paths.map((path) => [ms, ...names.flatMap((name) => idIn(name, path))].join(" "));
  }

  /** The tests that come to the place of a mutant, the nearest first. */
  #testsFor({ path, id }: Mutant): string[] {
    const reached = this.#reached.get(path);
    return (this.#candidates.get(path) ?? []).filter((test) => reached?.get(test)?.places.has(id));
  }

  #isSure = ({ path }: Mutant): boolean =>
    this.#candidates.get(path)?.every((test) => this.#reached.get(path)?.has(test)) === true;

  #msOf({ path }: Mutant, test: string): number {
    return this.#reached.get(path)?.get(test)?.ms ?? 0;
  }

  /** Judges mutants of one file. */
  async #judgeRow(row: readonly Mutant[], own: Trees): Promise<[Mutant, Judged][]> {
    const { results } = this.#options;
    const judged: [Mutant, Judged][] = [];
    const open: Mutant[] = [];
    for (const mutant of row) {
      const killer = this.#known(mutant);
      if (killer === undefined) open.push(mutant);
      else judged.push([mutant, { killer, known: true, isSure: this.#isSure(mutant) }]);
    }
    const noticed = new Map<Mutant, string>();
    for (const test of new Set(open.flatMap((mutant) => this.#testsFor(mutant)))) {
      const left = open.filter((mutant) => !noticed.has(mutant) && this.#testsFor(mutant).includes(test));
      const [first] = left;
      if (!first || left.length < 2 || this.#msOf(first, test) > most.rowMs || this.#isOver) continue;
      for (const mutant of await tryInRow(left, test, this.#msOf(first, test), own.switched()))
        noticed.set(mutant, test);
    }
    for (const mutant of open) {
      const killer = noticed.get(mutant) ?? (await this.#tryAlone(mutant, own));
      if (killer === undefined) continue;
      results.set(this.#keyOf(mutant), killer === "" ? this.#livedKey(mutant) : results.testKey(killer));
      judged.push([mutant, { killer, known: false, isSure: this.#isSure(mutant) }]);
    }
    return judged;
  }

  #keyOf = ({ path, text }: Mutant): string => this.#options.results.keyOf("mutant", path, text);
  #livedKey(mutant: Mutant): string {
    const { results } = this.#options;
    return results.keyOf("lived", ...this.#testsFor(mutant).map(results.testKey).sort());
  }

  /** The test that noticed it in an earlier run, "" when none of these did. */
  #known(mutant: Mutant): string | undefined {
    const { results } = this.#options;
    const was = results.get(this.#keyOf(mutant));
    if (was === this.#livedKey(mutant)) return "";
    return this.#testsFor(mutant).find((test) => results.testKey(test) === was);
  }

  /** Tries all tests that come to the place, in one process and where that fails each alone; undefined when time is up. */
  async #tryAlone(mutant: Mutant, own: Trees): Promise<string | undefined> {
    const tests: string[] = [];
    let ms = 0;
    for (const test of this.#testsFor(mutant)) {
      ms += this.#msOf(mutant, test);
      if (ms < most.ms || tests.length === 0) tests.push(test);
    }
    if (this.#isOver) return undefined;
    if (tests.length === 0) return "";
    const tree = own.plain();
    tree.write(mutant.path, mutant.text);
    try {
      if (tests.length > 1 && (await tree.test(tests, 5 * ms + 20_000)) === "passed") return "";
      for (const test of tests) {
        if (this.#isOver) return undefined;
        if ((await tree.test([test], 5 * this.#msOf(mutant, test) + 10_000)) === "failed") return test;
      }
      return "";
    } finally {
      tree.write(mutant.path, this.#sources.get(mutant.path) ?? "");
    }
  }
}

/**
 * Tries mutants one after the other in one process; gives those that were noticed for certain. What one leaves behind
 * may fail the next, so a run without a change follows, and where that fails, none before it counts.
 */
async function tryInRow(mutants: readonly Mutant[], test: string, ms: number, tree: WorkTree): Promise<Mutant[]> {
  const noticed: Mutant[] = [];
  let left = [...mutants];
  while (left.length > 0) {
    const names = left.flatMap((mutant, at) =>
      at % between === between - 1 ? [nameOf(mutant), ""] : [nameOf(mutant)],
    );
    const list = ["", ...names, ""];
    const { runs, stuck } = await tree.row(test, list, ms);
    if (runs.get(0) !== "passed") return noticed;
    let doubted: Mutant[] = [];
    for (const [at, name] of list.entries()) {
      const mutant = left.find((one) => nameOf(one) === name);
      if (mutant && runs.get(at) === "failed") doubted.push(mutant);
      if (name !== "" || runs.get(at) === undefined) continue;
      if (runs.get(at) === "failed") return noticed;
      noticed.push(...doubted);
      doubted = [];
    }
    const at = stuck === undefined ? -1 : left.findIndex((one) => nameOf(one) === list[stuck]);
    const held = left[at];
    // One that never ends was noticed; the others go on without it.
    if (!held) return noticed;
    noticed.push(held);
    left = left.slice(at + 1);
  }
  return noticed;
}
const between = 6;

/** Mutants of one file each, in the order in which the first of them comes. */
function rowsOf(mutants: readonly Mutant[]): Mutant[][] {
  const rows: Mutant[][] = [];
  const filling = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const row = filling.get(mutant.path);
    if (row && row.length < most.row) row.push(mutant);
    else {
      const fresh = [mutant];
      filling.set(mutant.path, fresh);
      rows.push(fresh);
    }
  }
  return rows;
}

const idIn = (name: string, path: string): string[] =>
  name.startsWith(`${path}#`) ? [name.slice(path.length + 1)] : [];
