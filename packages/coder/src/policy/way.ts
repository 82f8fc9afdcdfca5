import type { Meta } from "@pith/agent";
import { shorten } from "@pith/kit";
import { parse } from "../bash/parse.ts";
import type { JudgedPart, Judgement } from "../judge/judged.ts";
import { isBelow } from "../judge/path-kind.ts";
import type { JudgeState } from "../judge/state.ts";
import { commandJudge, type LiveSources } from "./command-judge.ts";
import type { JudgedCommand } from "./judged-command.ts";

/** Tells where the output of a command came from, when it was not the project. */
export function commandOrigin({ parts }: Judgement): Meta["origin"] | undefined {
  const talks = parts.find(({ effects }) => effects.includes("net"));
  if (talks) return { from: "network", what: talks.text };
  const reads = parts.find(({ effects }) => effects.includes("read outside"));
  return reads && { from: "outside", what: reads.text };
}

/** Tells where the output of a typed command comes from, by the shell as it is now. */
export const typedOrigin = (command: string, sources: LiveSources & { shell: { cwd: string } }) =>
  commandOrigin(commandJudge(sources)({ command, cwd: sources.shell.cwd }, parse(command)).judgement);

/** Names the way by which a command could give something away, or leave something behind. */
export function commandExfiltration(
  { judgement: { parts, problem }, state }: JudgedCommand,
  sandbox: "closed" | "open",
): string | undefined {
  if (problem !== undefined) return "it is not understood";
  // What is certain is told before what only may be.
  for (const behind of ["closed", sandbox] as const)
    for (const part of parts) {
      const way = partWay(part, behind) ?? temporaryWay(part, state, sandbox);
      if (way !== undefined) return `${way} (${shorten(part.text, 60)})`;
    }
  return undefined;
}

/** Without a sandbox anybody may look into the folders for temporary files. */
function temporaryWay({ touches }: JudgedPart, { temporary }: JudgeState, sandbox: "closed" | "open") {
  if (sandbox === "closed") return undefined;
  const left = touches.some(({ effect, path }) => effect === "write" && temporary.some((one) => isBelow(one, path)));
  return left ? "it writes outside the project" : undefined;
}

function partWay(
  { effects, program, args, severity, reason }: JudgedPart,
  sandbox: "closed" | "open",
): string | undefined {
  if (program === "git" && args.includes("push")) return "it publishes commits";
  if (program === "git" && args.includes("remote") && severity !== "none") return "it changes where commits go";
  if (effects.includes("net")) return "it uses the network";
  if (effects.includes("write outside")) return "it writes outside the project";
  if (severity === "high" || severity === "critical") return reason ?? "it may not be possible to take it back";
  // In a sandbox without a door it may do what it wants.
  const unknown = effects.includes("exec") || effects.includes("opaque");
  return sandbox === "open" && unknown ? "nobody can tell that it does not use the network" : undefined;
}
