import type { EntryDraft, Event, Outcome, RunData } from "@pith/agent";
import type { Hall } from "../../hall/hall.ts";
import type { UserRun } from "../../shell/user-commands.ts";
import { behind, sealsOf } from "./behind.ts";

export type CheckNeeds = Pick<Hall, "call" | "channel" | "grants" | "cwd" | "clock">;

/** How a command went that checks the work. */
export interface Checked {
  end: "passed" | "failed" | "no program" | "not run" | "out of time" | "skipped" | "goes on";
  /** What it said, or why it did not run. */
  text: string;
}

/**
 * Runs a command like a call of the model: every guard is asked, undo knows of it. It is recorded like one that a
 * person typed, since no model asked for it. Where what it does is not what was sealed, nor a person was `asked` about
 * it as it is now, it is judged like any other.
 */
export async function runCheck(
  { call, channel, grants, cwd, clock }: CheckNeeds,
  command: string,
  { timeout, signal, asked = false }: { timeout: number; signal: AbortSignal; asked?: boolean },
): Promise<Checked> {
  const id = crypto.randomUUID();
  const [seals, now] = [sealsOf(grants), behind(cwd, command)];
  const meant = asked || seals.get(command) === now;
  // Somebody has said in so many words that exactly this shall run; the model may not do the same unasked.
  const { grantsFor } = await import("../../policy/grant/command-grants.ts");
  const giveBack = grants.lend(meant ? await grantsFor(command) : []);
  const hear = (event: Event) => {
    if (event.type === "progress")
      channel.announce({
        type: "output",
        id,
        command,
        text: event.part.text,
        lines: event.part.text.split("\n").length,
      });
    else if (event.type !== "call") channel.announce(event);
  };
  const outcome = await call("bash", { command, cwd, timeout }, signal, hear).finally(giveBack);
  const data = (outcome.kind === "run" ? outcome.data : {}) as Partial<RunData>;
  const ran = data.exitCode !== undefined || data.signal !== undefined || data.timedOut || data.cancelled || data.limit;
  if (ran) {
    const run = recorded(command, outcome, data, clock.now());
    channel.announce({ type: "output", id, command, run });
    channel.record({ type: "message", message: run } as unknown as EntryDraft);
  } else channel.announce({ type: "output", id, command });
  // Whoever let it run as it is has said yes to that.
  if (ran) seals.set(command, now);
  const end = endOf(outcome, data, signal);
  const why = end === "not run" && !meant ? "what it does was changed since you said yes to it. " : "";
  return { end, text: why + outcome.text };
}

function endOf(outcome: Outcome, data: Partial<RunData>, signal: AbortSignal): Checked["end"] {
  if (signal.aborted || data.cancelled) return "skipped";
  if (data.timedOut) return "out of time";
  if (data.job !== undefined) return "goes on";
  if (data.exitCode === undefined && data.signal === undefined && data.limit === undefined) return "not run";
  if (data.exitCode === 127) return "no program";
  return outcome.failed ? "failed" : "passed";
}

function recorded(command: string, { text, meta }: Outcome, data: Partial<RunData>, timestamp: number): UserRun {
  const { truncation } = meta ?? {};
  return {
    role: "bashExecution",
    command,
    output: text.replace(/\n\nCommand (?:exited with code \d+|timed out .*|was (?:interrupted|ended.*))$/, ""),
    cancelled: data.cancelled === true,
    truncated: truncation !== undefined,
    timestamp,
    ...(data.exitCode === undefined ? {} : { exitCode: data.exitCode }),
    ...(data.signal === undefined ? {} : { signal: data.signal }),
    ...(data.limit === undefined ? {} : { limit: data.limit }),
    ...(data.timedOut ? { timedOut: true as const } : {}),
    ...(truncation ? { totalLines: truncation.totalLines } : {}),
    ...(truncation?.artifactId === undefined ? {} : { artifactId: truncation.artifactId }),
  };
}
