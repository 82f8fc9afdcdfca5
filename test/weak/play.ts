import { existsSync, readdirSync, readFileSync } from "node:fs";
import { emulate, weights } from "../../packages/llm/src/test/index.ts";
import { pith } from "../pith.ts";
import type { Scratch } from "../scratch.ts";
import { weak } from "./mind.ts";
import type { Rates } from "./rate.ts";
import { outcome, type Task } from "./task.ts";

export interface Played {
  finished: boolean;
  requests: number;
  /** Tokens that the server worked through, and how many there were in all. */
  processed: number;
  prompt: number;
}

/** Runs one task with one seed: pith, a server, and a weak model behind it. */
export async function play(dir: Scratch, task: Task, seed: number, rates: Rates, profile: string): Promise<Played> {
  using served = emulate("ollama", { mind: weak(task, seed, rates), models: [{ ...weights, window: 32_768 }] });
  dir.write(Object.fromEntries(Object.entries(task.files).map(([path, content]) => [`work/${path}`, content])));
  dir.write({ "weak.yml": `profile: ${profile}\nretry:\n  baseDelayMs: 1\n` });
  const argv = ["-p", task.prompt, "--yolo", "--model", `ollama/${weights.id}`, "--config", dir.at("weak.yml")];
  await pith(dir, [...argv, "--max-turns", "50", "--max-time", "60"], { env: { OLLAMA_HOST: served.url } });
  const { counts } = served.machine;
  const sum = (of: "processed" | "prompt") => counts.reduce((all, one) => all + one[of], 0);
  return {
    finished: isAsWanted(dir, task),
    requests: counts.length,
    processed: sum("processed"),
    prompt: sum("prompt"),
  };
}

/** Every file as it should be, and no others. */
function isAsWanted(dir: Scratch, task: Task): boolean {
  const wanted = outcome(task);
  const found = readdirSync(dir.at("work"), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/^(?:\.keep|.*\.pyc)$/.test(entry.name),
  ).length;
  return (
    found === Object.keys(wanted).length &&
    Object.entries(wanted).every(([path, content]) => {
      const at = dir.at(`work/${path}`);
      return existsSync(at) && readFileSync(at, "utf8") === content;
    })
  );
}
