import type { EntryDraft, Hook } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Job, Jobs } from "../../shell/job/jobs.ts";
import endedProse from "./ended.md" with { type: "text" };
import runningProse from "./running.md" with { type: "text" };

interface DeliverySources {
  jobs: Jobs;
  owner: string;
  /** True while a turn runs; the end of a job then comes with its next step. */
  busy(): boolean;
  /** Begins a turn with this. */
  send(text: string): Promise<void>;
  tell(text: string): void;
  record(draft: EntryDraft): void;
  /** Called after a turn: perhaps another one follows, or the session ends. */
  after: "more" | "end";
  /** Between 0 and 1. */
  chance?(): number;
}

/** Tells the model of jobs that have ended, each once: with the next step of its turn, or by a turn of its own. */
export function jobDelivery(sources: DeliverySources): Hook & Disposable {
  const { jobs, owner } = sources;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const warned = new Set<string>();
  const deliver = async () => {
    // Where the session ends with the turn, nobody waits for another one; who goes on with it is told.
    if (sources.after === "end" || sources.busy() || retry !== undefined) return;
    const ended = jobs.takeEnded(owner);
    if (ended.length === 0) return;
    for (const job of ended) sources.tell(headline(job));
    try {
      await sources.send(ended.map(sayEnded).join("\n\n"));
      failures = 0;
    } catch {
      jobs.putBack(ended);
      const again = () => {
        retry = undefined;
        void deliver();
      };
      retry = setTimeout(again, backoff(failures++, sources.chance?.() ?? Math.random()));
      retry.unref();
    }
  };
  const listening = jobs.onEnd(() => void deliver());
  return {
    name: "jobs",
    step() {
      const ended = jobs.takeEnded(owner);
      for (const job of ended) sources.tell(headline(job));
      if (ended.length > 0)
        sources.record({
          type: "custom_message",
          customType: "pith.note",
          content: ended.map(sayEnded).join("\n\n"),
          display: true,
        });
    },
    settle() {
      const ended = jobs.takeEnded(owner);
      if (ended.length > 0) return { do: "go on", note: ended.map(sayEnded).join("\n\n") };
      const left =
        sources.after === "end" ? jobs.running().filter((job) => job.owner === owner && !warned.has(job.id)) : [];
      for (const { id } of left) warned.add(id);
      return left.length > 0
        ? { do: "go on", note: fill(runningProse, { jobs: left.map(nameOf).join(", ") }).trim() }
        : { do: "done" };
    },
    idle: (end) => void (end.reason === "done" && deliver()),
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

export const firstLine = ({ label }: Job): string => label.split("\n", 1)[0] ?? "";

function how({ status, startedAt, endedAt }: Job): string {
  if (status === "lost") return "was lost when pith ended";
  // One that somebody cancelled is not told of.
  return status === "cancelled"
    ? "was ended with the session"
    : `has ${status} after ${seconds(startedAt, endedAt ?? startedAt)} s`;
}

export const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);
