import { perTurn, type Settled } from "@pith/agent";
import { fill } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import { fixesNote } from "../../session/fixes.ts";
import { seal } from "./behind.ts";
import { runCheck } from "./run.ts";
import prose from "./until.md" with { type: "text" };

/** Who has not got there by then does not get there. */
const most = 20;

/** Work goes on until a command succeeds: every time the model stops it is run, and what it says goes back. */
export const until: MakePart<"call" | "channel" | "choice" | "clock" | "cwd" | "grants" | "settings"> = (hall) => {
  const command = hall.choice.wanted.until;
  if (command === undefined) return undefined;
  const rounds = perTurn(() => ({ count: 0 }));
  return {
    name: "until",
    hooks: [
      {
        name: "until",
        step() {
          seal(hall.grants, hall.cwd, command);
          return { do: "go" };
        },
        async settle(turn): Promise<Settled> {
          const { signal } = turn;
          const memory = rounds(turn);
          const round = ++memory.count;
          const timeout = hall.settings.get("bash.timeout");
          const { end, text } = await runCheck(hall, command, { timeout, signal });
          if (end === "passed") return { do: "done" };
          // It is not finished, and whoever interrupted has ended the turn.
          if (signal.aborted) return { do: "go on", note: "" };
          if (end === "skipped") return { do: "stop", message: `--until: ${command} was ended before it succeeded.` };
          if (end === "not run") return { do: "stop", message: `--until: ${command} did not run: ${lastLine(text)}` };
          if (end === "goes on")
            return { do: "stop", message: `--until: ${command} goes on in the background (bash.autoBackground).` };
          const note = fixesNote(fill(prose, { command, round, most }).trim());
          if (round < most) return { do: "go on", note, anew: true };
          return { do: "stop", message: `--until: ${command} did not succeed in ${most} rounds.` };
        },
      },
    ],
  };
};

const lastLine = (text: string): string => text.split("\n").findLast((line) => line.trim() !== "") ?? "";
