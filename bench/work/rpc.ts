import type { Lab } from "../lab.ts";
import { now } from "../mock.ts";
import type { Work } from "../work.ts";

const trips = 200;
const args = { pith: ["--mode", "rpc", "--no-session", "--model", "openai/bench"], floor: ["--echo"] };

async function run(lab: Lab, subject: "pith" | "floor") {
  const talk = await lab.talk(subject, args[subject]);
  await talk.line('"ready"');
  const ready = now() - talk.began;
  const times: number[] = [];
  for (let n = 0; n < trips; n++) {
    const began = performance.now();
    talk.send({ id: `t${n}`, type: "get_state" });
    await talk.line(`"t${n}"`);
    times.push((performance.now() - began) * 1000);
  }
  const { peakMb } = await talk.end();
  return { ready, trip: times.sort((a, b) => a - b)[trips >> 1] ?? 0, rss: peakMb };
}

export default {
  title: "RPC: begun, and asked how things stand",
  pith: (lab) => run(lab, "pith"),
  floor: (lab) => run(lab, "floor"),
  measures: [
    { of: "ready", title: "start to ready", unit: "ms", goal: { timesFloor: 5 } },
    { of: "trip", title: "a command and its answer", unit: "µs", goal: { timesFloor: 4 } },
    { of: "rss", title: "memory", unit: "MB" },
  ],
} satisfies Work;
