import { perTurn, type Settled } from "@pith/agent";
import { fill } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import { fixesNote } from "../../session/fixes.ts";
import { lastLine, runCheck } from "./run.ts";
import { noteAccepted } from "./run-hash.ts";
import prose from "./until.md" with { type: "text" };

const mostRounds = 20;

/** Runs the command of `--until` whenever the model stops, and lets the turn go on until it succeeds. */
export const until: MakePart<"call" | "channel" | "choice" | "clock" | "cwd" | "grants" | "settings"> = (hall) => {
  const command = hall.choice.wanted.until;
  if (command === undefined) return undefined;
  const rounds = perTurn(() => ({ count: 0 }));
  return {
    name: "until",
    step: () => noteAccepted(hall.grants, hall.cwd, command),
    async settle(turn): Promise<Settled> {
      const { signal } = turn;
      const round = ++rounds(turn).count;
      const timeout = hall.settings.get("bash.timeout");
      const { end, text } = await runCheck(hall, command, { timeout, signal });
      if (end === "passed") return { do: "done" };
      // A person has interrupted: the turn ends, but is not finished.
      if (signal.aborted) return { do: "go on", note: "" };
      if (end === "skipped") return { do: "stop", message: `--until: ${command} was ended before it succeeded.` };
      if (end === "not run") return { do: "stop", message: `--until: ${command} did not run: ${lastLine(text)}` };
      if (end === "goes on")
        return { do: "stop", message: `--until: ${command} goes on in the background (bash.autoBackground).` };
      const note = fixesNote(fill(prose, { command, round, most: mostRounds }).trim());
      if (round < mostRounds) return { do: "go on", note, anew: true };
      return { do: "stop", message: `--until: ${command} did not succeed in ${mostRounds} rounds.` };
    },
  };
};
