// Cost of the kinds of sandbox against each other: one that writes the project, one that only reads, and one whose
// changes are thrown away; and the cost of 100,000 files, among them protected ones in every folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSandbox, Shell, type ShellCommand } from "../../packages/host/src/index.ts";
import { type Scratch, scratch } from "../../packages/kit/src/test/index.ts";
import type { Work } from "../work.ts";

const rounds = 20;
const pauseMs = 100;

type Kind = Pick<ShellCommand, "side" | "writes">;
const kinds = {
  writing: { side: "inside", writes: "project" },
  reading: { side: "reading", writes: "nothing" },
  layered: { side: "reading", writes: "layers" },
} satisfies Record<string, Kind>;

/** A shell in a project, which tells how long a command takes. */
function open(dir: Scratch, name: string) {
  const [project, home] = [dir.at(name), dir.at("home")];
  for (const folder of [`${project}/.git/hooks`, home]) mkdirSync(folder, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home };
  const sandbox = openSandbox({
    mode: () => "workspace",
    folders: [project],
    home,
    closed: [`${home}/.pith`],
    readable: () => [],
    env,
    probeFile: `${home}/sandbox.json`,
    quarantine: `${home}/taken`,
    domains: [],
    notify() {},
  });
  const shell = new Shell({ cwd: project, env, startup: "skip", sandbox });
  return {
    async time(kind: Kind): Promise<number> {
      const began = performance.now();
      const signal = new AbortController().signal;
      const got = await shell.run({ command: "echo turn", ...kind, timeoutMs: 20_000, signal, onData() {} });
      if (!got.ok) throw new Error(got.message);
      return performance.now() - began;
    },
    [Symbol.dispose]() {
      shell[Symbol.dispose]();
      sandbox[Symbol.dispose]();
    },
  };
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

async function measure() {
  using dir = scratch();
  using small = open(dir, "small");
  const loop = async (kind: Kind) => {
    const took: number[] = [];
    for (let i = 0; i < rounds + 5; i++) took.push(await small.time(kind));
    return median(took.slice(5));
  };
  const quick = { writing: await loop(kinds.writing), layered: await loop(kinds.layered) };
  // Each has a shell of its own, as a session in one mode does.
  using other = open(dir, "small");
  const [writing, reading] = await inTurn([small, kinds.writing], [other, kinds.reading]);
  const files = await many(dir);
  return {
    reading: (reading / writing) * 100,
    layered: quick.layered - quick.writing,
    files,
  };
}

/** Time that 100,000 files add to a command, 500 of them protected. */
async function many(dir: Scratch): Promise<number> {
  for (let at = 0; at < 1000; at++) {
    const folder = dir.at(`large/p${at % 10}/d${at}`);
    mkdirSync(join(folder, ".vscode"), { recursive: true });
    for (let name = 0; name < 99; name++) writeFileSync(join(folder, `f${name}.ts`), "");
    writeFileSync(join(folder, at % 2 === 0 ? ".vscode/tasks.json" : "x"), "{}");
  }
  using small = open(dir, "small");
  using large = open(dir, "large");
  const [few, lots] = await inTurn([small, kinds.writing], [large, kinds.writing]);
  return lots - few;
}

type Place = ReturnType<typeof open>;

/** Medians of two kinds of command, one after the other, as when a model takes its time. */
async function inTurn(...pair: readonly [readonly [Place, Kind], readonly [Place, Kind]]): Promise<[number, number]> {
  const took: [number[], number[]] = [[], []];
  for (let i = 0; i < rounds + 3; i++)
    for (const [at, [place, kind]] of pair.entries()) {
      await Bun.sleep(pauseMs);
      const ms = await place.time(kind);
      if (i >= 3) took[at === 0 ? 0 : 1].push(ms);
    }
  return [median(took[0]), median(took[1])];
}

export default {
  title: "kinds of sandbox",
  pith: measure,
  floor: async () => ({ reading: 0, layered: 0, files: 0 }),
  measures: [
    { of: "reading", title: "reading, of writing, when the model takes 100 ms", unit: "%", goal: { atMost: 110 } },
    { of: "layered", title: "added by a layer that is not built ahead", unit: "ms", goal: { atMost: 5 } },
    { of: "files", title: "added by 100,000 files", unit: "ms", goal: { atMost: 5 } },
  ],
} satisfies Work;
