import type { EntryDraft, Event, Outcome, RunData } from "@pith/agent";
import { defined } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import type { UserRun } from "../../shell/user-commands.ts";
import { acceptedRuns, hashRun } from "./run-hash.ts";

export interface CheckResult {
  end: "passed" | "failed" | "no program" | "not run" | "out of time" | "skipped" | "goes on";
  /** The output, or the reason why the command did not run. */
  text: string;
}

/**
 * Runs a command through all guards, as if the model had called it, and records it as if a person had typed it. It runs
 * unasked if a person accepted all that it runs now, before (`run-hash.ts`) or just now (`asked`).
 */
export async function runCheck(
  { call, channel, grants, cwd, clock }: Pick<Hall, "call" | "channel" | "grants" | "cwd" | "clock">,
  command: string,
  { timeout, signal, asked = false }: { timeout: number; signal: AbortSignal; asked?: boolean },
): Promise<CheckResult> {
  const id = crypto.randomUUID();
  const [accepted, hash] = [acceptedRuns(grants), hashRun(cwd, command)];
  const isAccepted = asked || accepted.get(command) === hash;
  // The grants are lent for this run only: the model may not run the same unasked.
  const { grantsFor } = await import("../../policy/grant/command-grants.ts");
  const giveBack = grants.lend(isAccepted ? await grantsFor(command) : []);
  const hear = (event: Event) => {
    const text = event.type === "progress" ? event.part.text : "";
    if (event.type === "progress")
      channel.announce({ type: "output", id, command, text, lines: text.split("\n").length });
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
  // A person who let it run has accepted it.
  if (ran) accepted.set(command, hash);
  const end = endOf(outcome, data, signal);
  const why = end === "not run" && !isAccepted ? "what it does was changed since you said yes to it. " : "";
  return { end, text: why + outcome.text };
}

function endOf(outcome: Outcome, data: Partial<RunData>, signal: AbortSignal): CheckResult["end"] {
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
    ...defined({
      exitCode: data.exitCode,
      signal: data.signal,
      limit: data.limit,
      timedOut: data.timedOut || undefined,
      totalLines: truncation?.totalLines,
      artifactId: truncation?.artifactId,
    }),
  };
}

/** The number of failures in an output: the program's own count, else the different lines that look like one. */
export function failures(text: string): number {
  const counted = [...text.matchAll(/\b(\d{1,9}) (?:errors?|fail(?:ed|ing|ures?|s)?|problems?)\b/gi)];
  const most = Math.max(0, ...counted.map(([, count]) => Number(count)));
  if (most > 0) return most;
  return Math.max(1, new Set(text.split("\n").filter((line) => failure.test(line))).size);
}

const failure = /\b(?:error|fail(?:ed|ure|s)?)\b|[✗✖]|^not ok\b|^[^\s:]+:\d+(?::\d+)?:\s/i;

export const lastLine = (text: string): string => text.split("\n").findLast((line) => line.trim() !== "") ?? "";
