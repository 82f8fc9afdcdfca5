import type { Meta, Outcome, RunData, Truncation } from "@pith/agent";
import { type Discarded, mostNamed, type SandboxSide, type ShellCommand, type ShellResult } from "@pith/host";
import { showPath } from "@pith/kit";
import type { Executed } from "../../../shell/execute.ts";
import type { Tidied } from "./tidy.ts";

/** A command as it was run, beside its result. */
export interface BashRun {
  command: string;
  cwd: string;
  timeout: number;
  /** The call itself has set the time. */
  limited: boolean;
  lines?: Tidied["lines"];
  /** The project, from which places are named. */
  home: string;
  /** The directory of the shell before. */
  from: string;
  /** Things to say that have nothing to do with how it went. */
  remarks: readonly string[];
  /** On which side of the sandbox it ran; outside where nothing is said. */
  side?: SandboxSide;
  /** Files that it could write there, where these are not the usual. */
  writes?: ShellCommand["writes"];
  /** Variables that its text assigns. */
  assigns?: ShellCommand["assigns"];
  /** The text that runs in its place. */
  text?: string | undefined;
  /** `"nothing"` when it changes nothing of the shell itself. */
  leaves?: "nothing" | undefined;
  /** Values of `needs` by which it may be let do more. */
  escalation?: readonly string[] | undefined;
  /** False where nobody can be asked for more. */
  asked?: boolean;
  /** Rights in the sandbox that an answer gave it. */
  grants?: ShellCommand["grants"];
  /** Things that the sandbox kept it from. */
  blocked?(output: string, run: Pick<ShellCommand, "side" | "grants">): readonly string[];
}

/** A finished command as the model, views and the record see it. */
export function outcome(asked: BashRun, { ran, dump, raw }: Executed): Outcome<"run"> {
  const verdict = verdictOf(asked, ran);
  const output = dump.text.replace(/\n+$/, "") || "(no output)";
  const data: RunData = {
    command: asked.command,
    cwd: asked.cwd,
    ...(ran.exitCode !== undefined && { exitCode: ran.exitCode }),
    ...(ran.signal !== undefined && { signal: ran.signal }),
    ...(ran.end === "timeout" && { timedOut: true as const }),
    ...(ran.end === "abort" && { cancelled: true as const }),
    ...(ran.limit && { limit: ran.limit.what }),
    durationMs: Math.round(ran.durationMs),
    limits: ran.limits,
  };
  // A program that has ended well may still have been told that a host is not to be reached.
  const told = verdict === undefined ? "" : dump.text;
  const confined = asked.side !== undefined && asked.side !== "outside" && asked.side !== "plain";
  const blocked = confined ? (asked.blocked?.(told, asked) ?? []) : [];
  if (confined) data.confined = true;
  if (blocked.length > 0) data.blocked = blocked;
  const discarded = ran.discarded?.map((one) => changeText(one, asked.home)) ?? [];
  if (discarded.length > 0) data.discarded = discarded;
  const notes = [...notesOf(asked, ran), ...sandboxNotes(ran, blocked, asked)];
  const truncation = dump.truncation && cutOf(dump.truncation);
  const meta: Meta = { ...(truncation && { truncation }), ...(notes.length > 0 && { notes }) };
  // First, or a model believes in a commit that is gone.
  const gone = discarded.length === 0 ? "" : `discarded: ${discarded.join(", ")}\n\n`;
  const said = `${gone}${output}${raw === undefined ? "" : `\n[raw output: artifact://${raw}]`}`;
  return {
    kind: "run",
    data,
    text: verdict === undefined ? said : `${said}\n\n${verdict}`,
    ...(verdict !== undefined && { failed: true as const }),
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

/** Names a change that is gone, from the project. */
function changeText({ path, files }: Discarded, home: string): string {
  const shown = `${showPath(home, path.replace(/(?<=.)\/$/, ""))}${path.endsWith("/") ? "/" : ""}`;
  const name = /[\p{C},]/u.test(shown) ? JSON.stringify(shown) : shown;
  return files === 1 ? name : `${files === mostNamed ? "more than " : ""}${files} files in ${name}`;
}

/** Tells what the sandbox refused or took back. */
function sandboxNotes(
  { violations = [], unbuilt }: ShellResult,
  blocked: readonly string[],
  { escalation = [], asked = true }: Pick<BashRun, "escalation" | "asked">,
): string[] {
  if (unbuilt) return ["The sandbox could not be built for this command; nothing was run"];
  const levels = escalation.map((level) => `\`needs: "${level}"\``).join(", ");
  const question = asked ? "; the user is asked" : "";
  const again = `. If the task needs it, send it again with ${levels} and a \`reason\`${question}`;
  const way = levels !== "" ? again : asked ? "" : ". There is nobody to ask for more";
  const kept = blocked.length === 0 ? [] : [`The sandbox blocked: ${blocked.join("; ")}${way}`];
  const said = { "taken back": "was taken back and is now in", left: "should not be there:", replaced: "is not safe:" };
  return [...kept, ...violations.map(({ path, what, text }) => `${path} ${said[what]} ${text}`)];
}

/** Says how much is missing, and what to ask for to see it. */
function cutOf({ leftOut, ...cut }: NonNullable<Executed["dump"]["truncation"]>): Truncation {
  const { artifactId, lost } = cut;
  if (!leftOut || artifactId === undefined || lost) return cut;
  return { ...cut, next: `artifact://${artifactId}:${leftOut.start}-${leftOut.end}` };
}

/** Says what went wrong; empty when nothing did. */
function verdictOf({ timeout }: BashRun, { end, exitCode, signal, limit }: ShellResult): string | undefined {
  if (end === "timeout") return `Command timed out after ${timeout} seconds and was ended`;
  if (end === "abort") return "Command was interrupted";
  if (end === "limit") return `Command was ended: ${limit?.text ?? "a limit was reached"}`;
  if (end === "detached") return "Command was detached by the user and goes on by itself";
  if (signal !== undefined) return `Command was ended by ${signal}`;
  if (exitCode === undefined) return "Command ended with a missing exit status";
  return exitCode === 0 ? undefined : `Command exited with code ${exitCode}`;
}

function notesOf({ home, from, remarks }: BashRun, ran: ShellResult): string[] {
  const notes: string[] = [...remarks];
  if (ran.leftovers) notes.push("Processes left in the background were stopped; a command with `async: true` goes on");
  if (ran.limit && ran.end !== "limit") notes.push(`During the run ${ran.limit.text}`);
  if (ran.silentMs !== undefined)
    notes.push(`The command had closed its output ${Math.round(ran.silentMs / 1000)} s before it ended`);
  if (ran.cwd !== from) notes.push(`The shell is now in ${showPath(home, ran.cwd)}`);
  return notes;
}
