import { resolve } from "node:path";
import type { Lab } from "../lab.ts";
import type { Work } from "../work.ts";

const jobs = 50;
const idleMs = 4000;

/** Processor time of a shell with this many sleeping commands, after they have all begun. */
async function idle(count: number): Promise<number> {
  const host = resolve(import.meta.dir, "../../packages/host/src/index.ts");
  const script = `
    import { Shell } from ${JSON.stringify(host)};
    const shell = new Shell({ cwd: "/", env: process.env, startup: "skip" });
    const stop = new AbortController();
    const asleep = { command: "sleep 60", timeoutMs: 60_000, signal: stop.signal, onData() {} };
    const all = Array.from({ length: ${count} }, () => shell.run(asleep));
    await Bun.sleep(1500);
    const before = process.cpuUsage();
    await Bun.sleep(${idleMs});
    const { user, system } = process.cpuUsage(before);
    stop.abort();
    await Promise.all(all);
    shell[Symbol.dispose]();
    process.stdout.write(String((user + system) / 1000));
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0 || text === "") throw new Error(`${count} jobs did not run`);
  return Number(text);
}

export default {
  title: `${jobs} sleeping jobs for ${idleMs / 1000} s`,
  pith: async (_: Lab) => ({ cpu: await idle(jobs) }),
  floor: async (_: Lab) => ({ cpu: await idle(0) }),
  measures: [{ of: "cpu", title: "CPU", unit: "ms", goal: { atMost: 40 } }],
} satisfies Work;
