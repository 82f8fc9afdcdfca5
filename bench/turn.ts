// Shared by workloads.
import type { Lab, Run, Variables } from "./lab.ts";
import { type Scene, wordsOf } from "./mock.ts";
import type { Sample, Work } from "./work.ts";

type Subject = "pith" | "floor";

/** Measures an option that is answered before anything else is loaded. */
export function quick(option: string): Work {
  const run = async (lab: Lab, subject: Subject) => {
    const { began, ended, cpuMs } = await lab.start(subject, [option]);
    return { wall: ended - began, cpu: cpuMs };
  };
  return {
    title: option,
    pith: (lab) => run(lab, "pith"),
    floor: (lab) => run(lab, "floor"),
    measures: [
      { of: "wall", title: "wall", unit: "ms", goal: { timesFloor: 1.5 } },
      { of: "cpu", title: "CPU", unit: "ms" },
    ],
  };
}

type Calls = Extract<Scene, { play: "calls" }>;

/** A loop of tool calls, measured by one of its turns. */
export function toolWork(title: string, scene: (lab: Lab) => Calls, proof: string, model?: string): Work {
  return {
    title,
    pith: (lab) => loop(lab, "pith", scene(lab), proof, { model }),
    floor: (lab) => loop(lab, "floor", scene(lab), proof),
    measures: [
      { of: "turn", title: "one turn", unit: "ms", goal: { timesFloor: 3 } },
      { of: "cpu", title: "CPU", unit: "ms" },
      { of: "rss", title: "peak memory", unit: "MB" },
    ],
  };
}

export const argsFor = (subject: Subject, prompt: string, model = "openai/bench"): string[] =>
  subject === "floor" ? [prompt] : ["-p", prompt, "--model", model, "--yolo"];

/** Runs a prompt that is answered with `count` words. Throws unless the whole answer is on stdout. */
export async function ask(lab: Lab, subject: Subject, count: number): Promise<Run> {
  const run = await lab.start(subject, argsFor(subject, "say it"), { play: "words", count });
  const missing = wordsOf(count).join("").trim().length - run.output.trim().length;
  if (missing !== 0) throw new Error(`${subject}: ${missing} characters of the answer were not printed`);
  return run;
}

/** Runs a loop of tool calls. Throws unless all results reached the model and the last one holds `proof`. */
export async function loop(
  lab: Lab,
  subject: Subject,
  scene: Calls,
  proof: string,
  { model, args = [], env }: { model?: string; args?: readonly string[]; env?: Variables } = {},
): Promise<Sample> {
  const run = await lab.start(subject, [...argsFor(subject, "do it again and again", model), ...args], scene, env);
  const last = run.seen.at(-1);
  if (last?.results !== scene.turns || !last.last.includes(proof)) {
    throw new Error(
      `${subject}: ${last?.results ?? 0} of ${scene.turns} results arrived, the last one ending in ${last?.last}`,
    );
  }
  // Between an answer and the next request the subject runs the tool, writes the record and makes the new request.
  const gaps = run.seen.slice(1).map((it, i) => it.arrived - (run.seen[i]?.answered ?? 0));
  gaps.sort((a, b) => a - b);
  return { turn: gaps[gaps.length >> 1] ?? 0, cpu: run.cpuMs, rss: run.peakMb };
}
