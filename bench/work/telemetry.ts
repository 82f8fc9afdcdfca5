// A shell turn with telemetry on; the floor is the same turn of pith with it off. The collector takes everything. What
// is loaded once is not a turn's: it is left out by the difference of a long run and a short one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { type Lab, turns } from "../lab.ts";
import { loop } from "../turn.ts";
import type { Work } from "../work.ts";

const [short, long] = [turns, 6 * turns];

export default {
  title: "telemetry on (floor: off)",
  pith: (lab) => play(lab, "on"),
  floor: (lab) => play(lab, "off"),
  measures: [
    { of: "turn", title: "one shell turn", unit: "ms", goal: { timesFloor: 1.05 } },
    { of: "cpu", title: "CPU of one shell turn", unit: "ms", goal: { timesFloor: 1.05 } },
    { of: "whole", title: "CPU of fifty, with what is loaded", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;

async function play(lab: Lab, telemetry: "on" | "off") {
  using dir = scratch();
  let taken = 0;
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      taken += (await request.bytes()).length;
      return Response.json({});
    },
  });
  const config = join(dir.path, "telemetry.yml");
  writeFileSync(config, `telemetry:\n  enabled: ${telemetry === "on"}\n`);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.port}` };
  const run = (count: number) => {
    const scene = { play: "calls", turns: count, tool: "bash", input: { command: "echo turn {n}" } } as const;
    const args = ["--config", config, "--max-turns", String(2 * long)];
    return loop(lab, "pith", scene, `turn ${count}`, { args, env });
  };
  const [few, many] = [await run(short), await run(long)];
  if (taken > 0 !== (telemetry === "on")) throw new Error(`telemetry is ${telemetry} and ${taken} bytes were sent`);
  const [whole = 0, all = 0] = [few.cpu, many.cpu];
  return { turn: many.turn ?? 0, cpu: (all - whole) / (long - short), whole, rss: many.rss ?? 0 };
}
