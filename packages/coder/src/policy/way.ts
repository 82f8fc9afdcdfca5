import type { Meta } from "@pith/agent";
import { judge } from "../judge/judge.ts";
import type { JudgedPart } from "../judge/judged.ts";
import type { JudgeState } from "../judge/state.ts";
import { type LiveSources, liveState } from "./command-judge.ts";

/** Where the output of a command came from, when it was not the project. */
export function commandOrigin(command: string, state: JudgeState): Meta["origin"] | undefined {
  const { parts } = judge(command, state);
  const talks = parts.find(({ effects }) => effects.includes("net"));
  if (talks) return { from: "network", what: talks.text };
  const reads = parts.find(({ effects }) => effects.includes("read outside"));
  return reads && { from: "outside", what: reads.text };
}

/** The same of one that a person typed, in the shell as it is. */
export const typedOrigin = (command: string, sources: LiveSources & { shell: { cwd: string } }) =>
  commandOrigin(command, liveState(sources)({ cwd: sources.shell.cwd }));

/** Through what a command could give something away, or leave something behind. */
export function commandExfiltration(command: string, state: JudgeState, walls: "closed" | "open"): string | undefined {
  const { parts, problem } = judge(command, state);
  if (problem !== undefined) return "it is not understood";
  // What is certain is told before what only may be.
  for (const behind of ["closed", walls] as const)
    for (const part of parts) {
      const way = partWay(part, behind);
      if (way !== undefined) return `${way} (${part.text})`;
    }
  return undefined;
}

function partWay({ effects, program, args, severity }: JudgedPart, walls: "closed" | "open"): string | undefined {
  if (program === "git" && args.includes("push")) return "it publishes commits";
  if (program === "git" && args.includes("remote") && severity !== "none") return "it changes where commits go";
  if (effects.includes("net")) return "it uses the network";
  if (effects.includes("write outside")) return "it writes outside the project";
  if (severity === "high" || severity === "critical") return "it changes what others get, or cannot be taken back";
  // Behind a wall without a door it may do what it wants.
  const unknown = effects.includes("exec") || effects.includes("opaque");
  return walls === "open" && unknown ? "nobody can tell that it does not use the network" : undefined;
}
