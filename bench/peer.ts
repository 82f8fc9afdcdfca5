// Opens one and the same session with pith and with the real packages of its relatives, by their own session code,
// until the messages for a model are there. They are not part of the project: install `@earendil-works/pi-coding-agent`
// and `@oh-my-pi/pi-coding-agent` anywhere and name their folders.
//   PITH_PEER_PI=<folder> PITH_PEER_OMP=<folder> bun bench/peer.ts
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileStorage, Journal } from "../packages/agent/src/index.ts";
import { Context } from "../packages/agent/src/session/context.ts";
import { systemClock } from "../packages/kit/src/index.ts";
import { scratch } from "../packages/kit/src/test/index.ts";
import type { Lab } from "./lab.ts";
import { huge, sessionOf, small } from "./session.ts";

const root = join(import.meta.dir, "..");
const peer = (source: string) => ({
  source,
  command: (file: string) => [join(root, "test/flow/session-peer.ts"), source, "read", file],
});
const subjects = {
  pith: { source: import.meta.path, command: (file: string) => [import.meta.path, "open", file] },
  pi: peer(join(process.env.PITH_PEER_PI ?? "", "dist/core/session-manager.js")),
  omp: peer(join(process.env.PITH_PEER_OMP ?? "", "src/session/session-manager.ts")),
};

const [verb, named] = process.argv.slice(2);
if (verb === "open") process.stdout.write(`${open(named ?? "")}\n`);
else await compare();

function open(file: string): number {
  const opened = Journal.open({ storage: fileStorage(file), clock: systemClock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  return new Context(opened.value.journal).messages.length;
}

async function compare(): Promise<void> {
  using dir = scratch();
  const project = dir.at("project");
  mkdirSync(project);
  for (const size of [small, huge]) {
    const file = await sessionOf({ project } as Lab, size);
    for (const [name, { source, command }] of Object.entries(subjects)) {
      if (!existsSync(source)) continue;
      // Subjects may write to the file they open.
      const copy = dir.at("copy.jsonl");
      copyFileSync(file, copy);
      if (name === "pith") copyFileSync(`${file}.idx`, `${copy}.idx`);
      const runs = [];
      for (let run = 0; run < 3; run++) runs.push(await measured([process.execPath, ...command(copy)], dir.path));
      const best = runs.reduce((least, run) => (run.ms < least.ms ? run : least));
      process.stdout.write(
        `${size.name.padEnd(6)} ${name.padEnd(5)} ${best.ms.toFixed(0).padStart(6)} ms ${best.mb.toFixed(0).padStart(6)} MB\n`,
      );
    }
  }
}

async function measured(command: string[], home: string): Promise<{ ms: number; mb: number }> {
  const began = performance.now();
  const child = Bun.spawn(command, { env: { ...process.env, HOME: home }, stdout: "ignore", stderr: "inherit" });
  let kb = 0;
  const watch = setInterval(() => {
    try {
      kb = Math.max(kb, Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0));
    } catch {}
  }, 2);
  const code = await child.exited;
  clearInterval(watch);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  return { ms: performance.now() - began, mb: (kb * 1024) / 1e6 };
}
