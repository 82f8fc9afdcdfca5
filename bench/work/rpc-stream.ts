import type { Lab } from "../lab.ts";
import { argsFor } from "../turn.ts";
import type { Work } from "../work.ts";

export const tokens = 20_000;

/** The floor is pith itself: the same answer as JSON events. */
export async function json(lab: Lab) {
  const { cpuMs, peakMb } = await lab.start("pith", [...argsFor("pith", "say it"), "--mode", "json"], {
    play: "words",
    count: tokens,
  });
  return { cpu: cpuMs, rss: peakMb };
}

async function rpc(lab: Lab) {
  const talk = await lab.talk("pith", ["--mode", "rpc", "--model", "openai/bench"], { play: "words", count: tokens });
  talk.send({ type: "prompt", message: "say it" });
  await talk.line('"agent_settled"');
  const { cpuMs, peakMb } = await talk.end();
  return { cpu: cpuMs, rss: peakMb };
}

export default {
  title: `RPC: an answer of ${tokens.toLocaleString("en-US")} pieces, against --mode json`,
  pith: rpc,
  floor: json,
  measures: [
    { of: "cpu", title: "CPU", unit: "ms", goal: { timesFloor: 2 } },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;
