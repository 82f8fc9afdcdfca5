import type { Lab } from "../lab.ts";
import type { Work } from "../work.ts";

const pieces = 100_000;

/** So many answers, each in a session of its own, so that only the pieces add up; the memory at the end. */
async function run(lab: Lab, answers: number) {
  const talk = await lab.talk("pith", ["--mode", "rpc", "--no-session", "--model", "openai/bench"], {
    play: "words",
    count: pieces,
  });
  for (let n = 0; n < answers; n++) {
    talk.send({ type: "prompt", message: "say it" });
    await talk.line('"agent_settled"');
    talk.send({ id: `n${n}`, type: "new_session" });
    await talk.line(`"n${n}"`);
  }
  return { rss: (await talk.end()).peakMb };
}

export default {
  title: "RPC: a million pieces in ten answers, against the first of them",
  pith: (lab) => run(lab, 10),
  floor: (lab) => run(lab, 1),
  measures: [{ of: "rss", title: "peak memory", unit: "MB", goal: { timesFloor: 1.5 } }],
} satisfies Work;
