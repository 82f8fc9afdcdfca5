import { join } from "node:path";
import type { Lab } from "../lab.ts";
import type { Work } from "../work.ts";

const megabytes = 100;
const command = `yes 'a line of output that is neither short nor long' | head -c ${megabytes}000000`;
const input = JSON.stringify({ command });

/** Runs a command that writes a lot. Throws unless the result has the right size and the end of the output. */
async function pith(lab: Lab) {
  const run = await lab.start("pith", ["tool", "bash", input, "--json"]);
  const { details, text } = JSON.parse(run.output) as {
    details: { durationMs: number; meta?: { truncation?: { totalBytes: number } } };
    text: string;
  };
  if (details.meta?.truncation?.totalBytes !== megabytes * 1e6 || !text.includes("neither short nor long"))
    throw new Error(`pith: ${text.slice(-200)}`);
  return { command: details.durationMs, cpu: run.cpuMs, rss: run.peakMb };
}

/** The least: read it all and keep the end. */
async function floor(lab: Lab) {
  const began = performance.now();
  const child = Bun.spawn(["/bin/sh", "-c", command], { cwd: join(lab.project), stdout: "pipe" });
  let bytes = 0;
  let last = new Uint8Array();
  for await (const chunk of child.stdout) {
    bytes += chunk.length;
    last = chunk;
  }
  if (bytes !== megabytes * 1e6 || last.length === 0) throw new Error(`floor: ${bytes} bytes`);
  return {
    command: performance.now() - began,
    cpu: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000,
    rss: process.memoryUsage.rss() / 1e6,
  };
}

export default {
  title: `${megabytes} MB of output`,
  pith,
  floor,
  measures: [
    { of: "command", title: "the command", unit: "ms", goal: { atMost: 1500 } },
    { of: "rss", title: "peak memory", unit: "MB", goal: { atMost: 120 } },
  ],
} satisfies Work;
