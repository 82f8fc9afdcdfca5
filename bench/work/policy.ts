// The verdict on a command, over an ordinary day of them. The floor only reads the commands as bash would.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "../../packages/coder/src/bash/parse.ts";
import { freshState } from "../../packages/coder/src/judge/state.ts";
import { verdictOn } from "../../packages/coder/src/policy/verdict.ts";
import type { Work } from "../work.ts";

const list = join(import.meta.dir, "../../test/data/policy/benign.txt");
const commands = readFileSync(list, "utf8").split(/^\$ /m).slice(1);

const rounds = 9;

/** Milliseconds for a command: the mean of the median round, as in a conversation that has run for a while. */
function each(judge: (command: string) => void): number {
  const took = Array.from({ length: rounds }, () => {
    const began = performance.now();
    for (const command of commands) judge(command);
    return (performance.now() - began) / commands.length;
  });
  return took.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

export default {
  title: "the verdict on a command",
  async pith() {
    const asked = commands.filter((command) => verdictOn(command, "auto", freshState).confined !== "allow").length;
    const verdict = each((command) => void verdictOn(command, "auto", freshState));
    return { verdict, asked: (100 * asked) / commands.length };
  },
  floor: async () => ({ verdict: each((command) => void parse(command)), asked: 0 }),
  measures: [
    { of: "verdict", title: "verdict", unit: "ms", goal: { atMost: 0.2 } },
    { of: "asked", title: "commands of an ordinary day that are asked about", unit: "%", goal: { atMost: 2 } },
  ],
} satisfies Work;
