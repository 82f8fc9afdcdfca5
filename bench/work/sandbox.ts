// Cost of the sandbox for a command: the same shell inside and outside of it, in turn. With a pause, the next sandbox
// is built while a model would think; in a quick loop it is waited for.
import { mkdirSync } from "node:fs";
import { openSandbox, Shell } from "../../packages/host/src/index.ts";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Work } from "../work.ts";

const rounds = 30;

async function measure() {
  using folder = scratch();
  const [project, home] = [folder.at("project"), folder.at("home")];
  for (const dir of [`${project}/.git/hooks`, home]) mkdirSync(dir, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home };
  using wall = openSandbox({
    mode: () => "workspace",
    folders: [project],
    home,
    closed: [`${home}/.pith`],
    readable: () => [],
    env,
    probeFile: `${home}/sandbox.json`,
    quarantine: `${home}/taken`,
    domains: [],
    ask: async () => "no",
    notify() {},
  });
  const shells = {
    outside: new Shell({ cwd: project, env, startup: "skip", sandbox: wall }),
    inside: new Shell({ cwd: project, env, startup: "skip", sandbox: wall }),
  };
  const run = async (side: keyof typeof shells, command: string): Promise<number> => {
    const began = performance.now();
    const signal = new AbortController().signal;
    const got = await shells[side].run({ command, side, timeoutMs: 20_000, signal, onData() {} });
    if (!got.ok) throw new Error(got.message);
    return performance.now() - began;
  };
  const added = async (
    pauseMs: number,
    one: readonly ["inside" | "outside", string],
    other: readonly ["inside" | "outside", string],
    count = rounds,
  ) => {
    const took: [number[], number[]] = [[], []];
    for (let i = 0; i < count; i++)
      for (const [at, [side, command]] of [one, other].entries()) {
        if (pauseMs > 0) await Bun.sleep(pauseMs);
        took[at === 0 ? 0 : 1].push(await run(side, command));
      }
    const [without, behind] = took.map((all) => all.sort((a, b) => a - b)[all.length >> 1] ?? 0);
    return (behind ?? 0) - (without ?? 0);
  };
  const quick = async (side: "inside" | "outside") => {
    for (let i = 0; i < 5; i++) await run(side, "echo turn");
    const began = performance.now();
    for (let i = 0; i < rounds; i++) await run(side, "echo turn");
    return (performance.now() - began) / rounds;
  };
  try {
    const loop = -(await quick("outside")) + (await quick("inside"));
    const paced = await added(100, ["outside", "echo turn"], ["inside", "echo turn"]);
    // Answered by the proxy outside, or refused at once in the network inside.
    await run("inside", "curl -s http://unlisted.test/");
    const proxied = await added(
      50,
      ["inside", "curl -s http://127.0.0.1:1/"],
      ["inside", "curl -s http://unlisted.test/"],
      10,
    );
    return { loop, paced, proxied };
  } finally {
    for (const shell of Object.values(shells)) shell[Symbol.dispose]();
  }
}

export default {
  title: "a command in the sandbox",
  pith: measure,
  floor: async () => ({ loop: 0, paced: 0, proxied: 0 }),
  measures: [
    { of: "loop", title: "added in a quick loop", unit: "ms", goal: { atMost: 10 } },
    { of: "paced", title: "added when the model takes 100 ms", unit: "ms", goal: { atMost: 2 } },
    { of: "proxied", title: "added by the proxy", unit: "ms", goal: { atMost: 30 } },
  ],
} satisfies Work;
