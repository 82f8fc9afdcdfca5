import type { Behaviour, Draft } from "@pith/agent";
import { fill, plural } from "@pith/kit";
import { noteDetached } from "../job/detached.ts";
import endedProse from "../job/ended.md" with { type: "text" };
import runningProse from "../job/running.md" with { type: "text" };
import type { Job, Jobs } from "../job/table.ts";

export interface JobBehaviourParts {
  jobs: Jobs;
  owner: string;
  cwd: string;
  /** Where detached jobs are noted. */
  folder: string;
  now(): number;
  /** Whether a turn runs; then the end of a job waits for the end of the turn. */
  busy(): boolean;
  /** Begins a turn with this. */
  send(text: string): Promise<void>;
  tell(text: string): void;
  record(draft: Draft): void;
  /** What follows a turn: perhaps another one (the default), or the end of the session. */
  after: "more" | "end" | undefined;
  /** Between 0 and 1. */
  chance?(): number;
}

/**
 * Tells the model of jobs that have ended, each once: when its turn would end, or by a turn of its own. `/jobs` shows
 * them to people.
 */
export function jobDelivery(parts: JobBehaviourParts): Behaviour & Disposable & { idle(): void } {
  const { jobs, owner } = parts;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let begun = false;
  const warned = new Set<string>();
  const deliver = async () => {
    if (parts.busy() || retry !== undefined) return;
    const ended = jobs.takeEnded(owner);
    if (ended.length === 0) return;
    for (const job of ended) parts.tell(headline(job));
    try {
      await parts.send(ended.map(sayEnded).join("\n\n"));
      failures = 0;
    } catch {
      jobs.putBack(ended);
      const again = () => {
        retry = undefined;
        void deliver();
      };
      retry = setTimeout(again, backoff(failures++, parts.chance?.() ?? Math.random()));
      retry.unref();
    }
  };
  const listening = jobs.onEnd(() => void deliver());
  return {
    name: "jobs",
    input: (input) =>
      /^\/jobs(?:\s|$)/.test(input.text.trim()) ? command(parts, input.text.trim().split(/\s+/).slice(1)) : input,
    step() {
      // What the last run of the session left untold; nothing else can have ended before anything was asked.
      const ended = begun ? [] : jobs.takeEnded(owner);
      begun = true;
      for (const job of ended) parts.tell(headline(job));
      if (ended.length > 0)
        parts.record({
          type: "custom_message",
          customType: "pith.note",
          content: ended.map(sayEnded).join("\n\n"),
          display: true,
        });
      return { do: "go" };
    },
    settle() {
      const ended = jobs.takeEnded(owner);
      if (ended.length > 0) return { do: "go on", note: ended.map(sayEnded).join("\n\n") };
      const left =
        parts.after === "end" ? jobs.running().filter((job) => job.owner === owner && !warned.has(job.id)) : [];
      for (const { id } of left) warned.add(id);
      return left.length > 0
        ? { do: "go on", note: fill(runningProse, { jobs: left.map(nameOf).join(", ") }).trim() }
        : { do: "done" };
    },
    idle: () => void deliver(),
    [Symbol.dispose]() {
      clearTimeout(retry);
      listening[Symbol.dispose]();
    },
  };
}

/** 500 ms, doubled with every failure up to 30 s, at most eight times; a little chance keeps two of them apart. */
export const backoff = (failures: number, chance: number): number =>
  Math.min(30_000, 500 * 2 ** Math.min(failures, 8)) + Math.floor(chance * 200);

const sayEnded = (job: Job): string =>
  fill(endedProse, { id: job.id, label: firstLine(job), how: how(job), text: job.text || "(no output)" }).trim();

const headline = (job: Job): string => `Background job ${nameOf(job)} ${how(job)}.`;

const nameOf = (job: Job): string => `${job.id} (${firstLine(job)})`;

const firstLine = ({ label }: Job): string => label.split("\n", 1)[0] ?? "";

function how({ status, startedAt, endedAt }: Job): string {
  if (status === "lost") return "was lost when pith ended";
  // One that somebody cancelled is not told of.
  return status === "cancelled"
    ? "was ended with the session"
    : `has ${status} after ${seconds(startedAt, endedAt ?? startedAt)} s`;
}

const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);

async function command(
  { jobs, cwd, folder, now, tell }: JobBehaviourParts,
  [verb, id]: readonly string[],
): Promise<{ handled: true }> {
  if (verb === undefined) tell(listing(jobs.list(), now()));
  else if (verb === "cancel" && id !== undefined) tell(`${id}: ${(await jobs.cancel(id)).replaceAll("_", " ")}`);
  else if (verb === "detach" && id !== undefined) {
    const gone = jobs.detach(id);
    if (gone.ok) {
      const { job, log } = gone.value;
      const name = log.replace(/^.*\/|\.log$/g, "");
      noteDetached(folder, { id: name, pid: job.pid ?? 0, command: job.label, cwd, log, detachedAt: now() });
      tell(
        `${id} goes on without pith as process ${job.pid}; its output is in ${log}. \`pith jobs\` lists it, \`pith jobs stop ${name}\` ends it.`,
      );
    } else tell(gone.message);
  } else tell("Usage: /jobs, /jobs cancel <id>, /jobs detach <id>");
  return { handled: true };
}

function listing(all: readonly Job[], now: number): string {
  if (all.length === 0) return "There are no background jobs.";
  const running = all.filter(({ status }) => status === "running").length;
  const rows = all.map(
    (job) => `${job.id}  ${job.status}  ${seconds(job.startedAt, job.endedAt ?? now)} s  ${firstLine(job)}`,
  );
  return [`${plural(running, "job")} running`, ...rows].join("\n");
}
