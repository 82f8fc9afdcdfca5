// Cost of the guard in a conversation: the verdicts of its hook over the live state of a shell and an ordinary day of
// commands; and a shell turn. The floor is the same conversation without the part.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallView, Intent, Tool } from "../../packages/agent/src/index.ts";
import { parse } from "../../packages/coder/src/bash/parse.ts";
import type { PartRow } from "../../packages/coder/src/hall/list.ts";
import { policy } from "../../packages/coder/src/part/policy/policy.ts";
import { commandJudge } from "../../packages/coder/src/policy/command-judge.ts";
import { houseIn, resultsOf, scriptIn, type Talk, talkIn } from "../../packages/coder/src/test/open.ts";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Work } from "../work.ts";

const list = join(import.meta.dir, "../../test/data/policy/benign.txt");
const commands = readFileSync(list, "utf8").split(/^\$ /m).slice(1);
const turns = 60;
const rounds = 7;

const middle = (figures: number[]): number => figures.sort((a, b) => a - b)[figures.length >> 1] ?? 0;

type Guard = (view: CallView) => unknown;

/** Milliseconds for a verdict: the mean of the median round. */
async function verdict(guard: Guard | undefined, cwd: string, judge: ReturnType<typeof commandJudge>): Promise<number> {
  if (!guard) return 0;
  const tool = { name: "bash" } as Tool;
  const run: Intent["run"] = () => Promise.reject(new Error("it is only judged"));
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    for (const command of commands) {
      const judged = judge({ command, cwd }, parse(command));
      const intent: Intent = { effect: "exec", paths: [], command, cwd, judged, run };
      const call: CallView["call"] = { type: "toolCall", id: "1", name: "bash", arguments: {} };
      await guard({ call, tool, input: {}, intent, place: { at: 0, of: [call] } });
    }
    took.push((performance.now() - began) / commands.length);
  }
  return middle(took);
}

/** Milliseconds of a step, from one reply of the model to the next. */
async function turn({ coder }: Talk): Promise<number> {
  const at: number[] = [];
  coder.subscribe((event) => {
    if (event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "assistant")
      at.push(performance.now());
  });
  await coder.send({ text: "again and again" });
  const [results, last] = [resultsOf(coder), `turn ${turns}`];
  if (results.length !== turns || !results.at(-1)?.includes(last)) throw new Error(`${results.length} results`);
  return middle(at.slice(1).map((time, index) => time - (at[index] ?? 0)));
}

async function measure(part: "with" | "without") {
  using dir = scratch();
  const house = await houseIn(dir, { "sandbox.mode": "off" });
  const calls = Array.from({ length: turns }, (_, n) => ({
    calls: [{ tool: "bash", input: { command: `echo turn ${n + 1}` } }],
  }));
  let guard: Guard | undefined;
  const catches: PartRow = {
    reach: "every",
    make: (hall) => {
      guard = policy(hall)?.hooks?.[0]?.call;
      return undefined;
    },
  };
  const talk = await talkIn(house, {
    model: scriptIn(dir, [...calls, { text: "Done." }]),
    approval: "auto",
    ...(part === "with" ? { rows: [catches] } : { without: policy }),
  });
  try {
    const { cwd, userHome, inside, env } = talk.hall;
    const judge = commandJudge({ cwd, userHome, inside, env });
    const one = await turn(talk);
    return { turn: one, verdict: await verdict(guard, house.cwd, judge) };
  } finally {
    await talk.coder.close();
  }
}

export default {
  title: "the guard of a conversation",
  pith: () => measure("with"),
  floor: () => measure("without"),
  measures: [
    { of: "verdict", title: "verdict on the live state", unit: "ms", goal: { atMost: 0.2 } },
    { of: "turn", title: "one shell turn", unit: "ms", goal: { timesFloor: 1.05 } },
  ],
} satisfies Work;
