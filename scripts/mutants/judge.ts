// Decides which mutants a test notices: first finds out which test files come to which place, then runs those, the
// nearest first, on each mutant.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../gate/tree.ts";
import { type Mutant, mutantsOf } from "./mutant.ts";
import { markReached } from "./reach.ts";
import type { Results } from "./results.ts";
import { openWorkTree, type WorkTree } from "./work-tree.ts";

export interface Judged {
  /** Test file that noticed the change; "" when none did. */
  killer: string;
  /** An earlier run found it out. */
  known: boolean;
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
const most = { near: 24, testMs: 45_000, ms: 60_000 };

/** Time of a test file without any change, and the places it came to. */
interface Reach {
  ms: number;
  places: ReadonlySet<string>;
}

export class Judge {
  readonly #options: JudgeOptions;
  readonly #trees = new Set<WorkTree>();
  readonly #sources: ReadonlyMap<string, string>;
  /** Test files that may come to a file, by its path; then those that do. */
  readonly #candidates: ReadonlyMap<string, string[]>;
  readonly #reached = new Map<string, Map<string, Reach>>();
  /** Mutants that a test noticed, by file and test. */
  readonly #kills = new Map<string, number>();

  constructor(options: JudgeOptions) {
    this.#options = options;
    const paths = [...new Set(options.mutants.map(({ path }) => path))];
    this.#sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
    this.#candidates = new Map(
      paths.map((path) => {
        const { near, whole } = options.testsOf(path);
        const own = near.filter((test) => !test.startsWith("test/")).slice(0, most.near);
        return [path, [...new Set([...own, ...whole])]];
      }),
    );
  }

  /** Judges all mutants, in their order, until the time is up. */
  async run(workers: number, count: (mutant: Mutant, judged: Judged) => void): Promise<void> {
    const { mutants, ended } = this.#options;
    const tests = [...new Set([...this.#candidates.values()].flat())];
    const marked = once(() => this.#openMarked());
    await each(workers, tests, ended, marked, (test, tree) => this.#measure(test, tree));
    await each(
      workers,
      mutants,
      ended,
      once(() => this.#open()),
      async (mutant, tree) => {
        const judged = await this.#judge(mutant, tree);
        if (judged) count(mutant, judged);
      },
    );
  }

  [Symbol.dispose]() {
    for (const tree of this.#trees) tree[Symbol.dispose]();
    this.#trees.clear();
  }

  #open(): WorkTree {
    const tree = openWorkTree();
    this.#trees.add(tree);
    return tree;
  }

  /** A tree whose sources tell where a run comes to. */
  #openMarked(): WorkTree {
    const tree = this.#open();
    for (const [path, source] of this.#sources)
      tree.write(path, markReached(source, mutantsOf(path, source, Math.random), tree.marks));
    return tree;
  }

  /** Runs a test file over marked sources, unless an earlier run did. */
  async #measure(test: string, tree: () => WorkTree): Promise<void> {
    const { results } = this.#options;
    const paths = [...this.#sources.keys()].filter((path) => this.#candidates.get(path)?.includes(test));
    const keys = paths.map((path) =>
      results.keyOf("reach", results.testKey(test), path, this.#sources.get(path) ?? ""),
    );
    const known = keys.map((key) => results.get(key));
    const found = known.every((it) => it !== undefined) ? known : await this.#measureNow(test, paths, tree());
    for (const [at, path] of paths.entries()) {
      const [ms = "", ...places] = found?.[at]?.split(" ") ?? [];
      if (ms === "") continue;
      if (known[at] === undefined) results.set(keys[at] ?? "", found?.[at] ?? "");
      const tests = this.#reached.get(path) ?? new Map<string, Reach>();
      this.#reached.set(path, tests.set(test, { ms: Number(ms), places: new Set(places) }));
    }
  }

  async #measureNow(test: string, paths: string[], tree: WorkTree): Promise<string[] | undefined> {
    const { ended, say } = this.#options;
    tree.read();
    const began = Date.now();
    if ((await tree.test(test, most.testMs)) !== "passed") {
      if (Date.now() < ended) say(`fails without a change or takes too long, and is left out: ${test}`);
      return undefined;
    }
    const ms = Date.now() - began;
    const lines = tree.read().split("\n");
    return paths.map((path) => [ms, ...lines.flatMap((line) => idOf(line, path))].join(" "));
  }

  /** The tests that come to the place of a mutant: those that noticed most others first, then the nearest. */
  #testsFor({ path, id }: Mutant): string[] {
    const reached = [...(this.#reached.get(path) ?? [])];
    const order = this.#candidates.get(path) ?? [];
    const score = (test: string) => this.#kills.get(`${path}\0${test}`) ?? 0;
    return reached
      .filter(([, { places }]) => places.has(id))
      .map(([test]) => test)
      .sort((a, b) => score(b) - score(a) || order.indexOf(a) - order.indexOf(b));
  }

  async #judge(mutant: Mutant, tree: () => WorkTree): Promise<Judged | undefined> {
    const { results } = this.#options;
    const { path, text } = mutant;
    const tests = this.#testsFor(mutant);
    const key = results.keyOf("mutant", path, text);
    const lived = results.keyOf("lived", ...tests.map(results.testKey).sort());
    const was = results.get(key);
    if (was === lived) return { killer: "", known: true };
    const killer = tests.find((test) => results.testKey(test) === was);
    if (killer !== undefined) return { killer, known: true };
    const noticed = await this.#tryOn(mutant, tests, tree);
    if (noticed === undefined) return undefined;
    results.set(key, noticed === "" ? lived : results.testKey(noticed));
    const kill = `${path}\0${noticed}`;
    if (noticed !== "") this.#kills.set(kill, (this.#kills.get(kill) ?? 0) + 1);
    return { killer: noticed, known: false };
  }

  /** Names the test that noticed; undefined when the time was up before. */
  async #tryOn(mutant: Mutant, tests: string[], own: () => WorkTree): Promise<string | undefined> {
    if (tests.length === 0) return "";
    const { ended } = this.#options;
    const tree = own();
    let spent = 0;
    tree.write(mutant.path, mutant.text);
    try {
      for (const test of tests) {
        const usual = this.#reached.get(mutant.path)?.get(test)?.ms ?? 0;
        spent += usual;
        if (spent > most.ms && spent > usual) break;
        if (Date.now() > ended) return undefined;
        if ((await tree.test(test, 5 * usual + 10_000)) === "failed") return test;
      }
      return "";
    } finally {
      tree.write(mutant.path, this.#sources.get(mutant.path) ?? "");
    }
  }
}

const idOf = (line: string, path: string): string[] =>
  line.startsWith(`${path} `) ? [line.slice(path.length + 1)] : [];

/** Gives each worker a tree of its own, made when it first needs one. */
const once = (open: () => WorkTree) => () => {
  let tree: WorkTree | undefined;
  return () => {
    tree ??= open();
    return tree;
  };
};

/** Hands the items out to the workers, one at a time, until the time is up. */
async function each<Item>(
  workers: number,
  items: readonly Item[],
  ended: number,
  tree: () => () => WorkTree,
  work: (item: Item, tree: () => WorkTree) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const run = async () => {
    const own = tree();
    for (let item = left.shift(); item !== undefined && Date.now() < ended; item = left.shift()) await work(item, own);
  };
  await Promise.all(Array.from({ length: workers }, run));
}
