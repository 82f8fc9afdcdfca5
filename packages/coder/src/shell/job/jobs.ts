import { type Clock, fail, ok, type Result, sleep } from "@pith/kit";

export type JobStatus = "running" | "completed" | "failed" | "cancelled" | "detached" | "lost";

/** Work that goes on beside the conversation. */
export interface Job {
  id: string;
  type: "bash" | "task";
  label: string;
  /** The agent it belongs to. */
  owner: string;
  status: JobStatus;
  startedAt: number;
  endedAt?: number;
  /** The output at its end. */
  text?: string;
  pid?: number;
  /** Gives the output so far. */
  snapshot(): string;
}

export interface JobWork {
  type: Job["type"];
  label: string;
  owner: string;
  pid?: number;
  /** Ends with what it has to say. */
  done: Promise<{ text: string; failed: boolean }>;
  snapshot(): string;
  /** Asks it to end; `done` tells when it has. */
  stop(): void;
  detach?(): Result<string, "over">;
}

/** The jobs that outlive the process: how many there have been, and those whose end the conversation does not know. */
export interface StoredJobs {
  count: number;
  open: Omit<Job, "snapshot" | "pid">[];
}

export interface JobsOptions {
  clock: Clock;
  /** The most jobs that may run at once. */
  maxRunning: number;
  /** Milliseconds that a finished one is remembered. */
  keepMs?: number;
  /** The jobs that the last run of the session left. */
  before?: StoredJobs | undefined;
  /** Called with each change. */
  store?(jobs: StoredJobs): void;
}

/** The background jobs of a session, and who has been told of their ends: the one place that knows both. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #rows = new Map<string, Row>();
  readonly #listeners = new Set<() => void>();
  #count = 0;
  #kept = "";

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#count = options.before?.count ?? 0;
    for (const job of options.before?.open ?? []) this.#rows.set(job.id, this.#restored(job));
  }

  /** Tells if one more may run. */
  hasRoom(): Result<void, "full"> {
    const { maxRunning } = this.#options;
    return this.running().length < maxRunning
      ? ok(undefined)
      : fail("full", `${maxRunning} background jobs are running, which is the most; wait for one or cancel one`);
  }

  add(work: JobWork): Job {
    const { type, label, owner, snapshot, pid } = work;
    const job: Job = {
      id: `${type}-${++this.#count}`,
      type,
      label,
      owner,
      status: "running",
      startedAt: this.#options.clock.now(),
      snapshot,
      pid,
    };
    const row: Row = {
      job,
      told: "no",
      stop: work.stop,
      detach: work.detach,
      over: work.done.then((end) => this.#settle(row, end)),
    };
    this.#rows.set(job.id, row);
    this.#keep();
    return job;
  }

  get(id: string): Job | undefined {
    this.#forget();
    return this.#rows.get(id)?.job;
  }

  list(owner?: string): Job[] {
    this.#forget();
    return [...this.#rows.values()].map(({ job }) => job).filter((job) => owner === undefined || job.owner === owner);
  }

  running = (): Job[] => this.list().filter(({ status }) => status === "running");

  /** Ends a job; one that is over says how it ended. Resolves when the job has really ended. */
  async cancel(id: string): Promise<"cancelled" | "not_found" | `already_${Exclude<JobStatus, "running">}`> {
    const row = this.#rows.get(id);
    if (!row) return "not_found";
    if (row.job.status !== "running") return `already_${row.job.status}`;
    await this.#end(row, "yes");
    return "cancelled";
  }

  /** Lets a job go on without us. Says where its output goes on. */
  detach(id: string): Result<{ job: Job; log: string }, "unknown" | "over"> {
    const row = this.#rows.get(id);
    if (!row) return fail("unknown", `There is no job ${id}`);
    const log = row.job.status === "running" ? row.detach?.() : undefined;
    if (!log?.ok) return fail("over", `The job ${id} cannot be detached: it is ${row.job.status}`);
    row.job.status = "detached";
    row.told = "yes";
    this.#keep();
    return ok({ job: row.job, log: log.value });
  }

  /**
   * Waits for the first of these (or all) to end, for the time to pass, or for the signal. While somebody waits, ends
   * are not told elsewhere.
   */
  async wait(ids: readonly string[], until: "first" | "all", ms: number, signal: AbortSignal): Promise<void> {
    const rows = ids.flatMap((id) => this.#rows.get(id) ?? []).filter(({ job }) => job.status === "running");
    for (const row of rows) row.watchers = (row.watchers ?? 0) + 1;
    const wait = new AbortController();
    const either = AbortSignal.any([signal, wait.signal]);
    const over = rows.map((row) => row.over);
    if (over.length > 0)
      await Promise.race([until === "first" ? Promise.race(over) : Promise.all(over), sleep(ms, either)]);
    wait.abort();
    for (const row of rows) {
      row.watchers = (row.watchers ?? 1) - 1;
      // Whoever waited tells it.
      if (row.job.endedAt !== undefined) row.told = "yes";
    }
    this.#keep();
  }

  /** Marks jobs as reported; nobody has to tell of them again. */
  acknowledge(ids: readonly string[]): void {
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row && row.job.status !== "running") row.told = "yes";
    }
    this.#keep();
  }

  /** Hands out the ended jobs that nobody has told of yet, each once. */
  takeEnded(owner?: string): Job[] {
    const due = [...this.#rows.values()].filter(
      (row) =>
        row.told === "no" &&
        !row.watchers &&
        row.job.endedAt !== undefined &&
        (owner === undefined || row.job.owner === owner),
    );
    for (const row of due) row.told = "yes";
    this.#keep();
    return due.map(({ job }) => job);
  }

  /** Takes jobs back that could not be reported after all. */
  putBack(jobs: readonly Job[]): void {
    for (const { id } of jobs) {
      const row = this.#rows.get(id);
      if (row) row.told = "no";
    }
    this.#keep();
  }

  /** Called whenever a job has ended. */
  onEnd(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  /** Ends all that run. Who goes on with the session later is told. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await Promise.all(
      [...this.#rows.values()].filter(({ job }) => job.status === "running").map((row) => this.#end(row, "no")),
    );
  }

  async #end(row: Row, told: Row["told"]): Promise<void> {
    row.job.status = "cancelled";
    row.told = told;
    row.stop();
    await row.over;
  }

  #settle(row: Row, { text, failed }: { text: string; failed: boolean }): void {
    const { job } = row;
    // What was cancelled stays so, whatever it still says.
    if (job.status === "running") job.status = failed ? "failed" : "completed";
    job.text = text;
    job.endedAt = this.#options.clock.now();
    // What ran it, with all its buffers, goes now; the job itself is remembered for a while.
    job.snapshot = () => text;
    row.stop = () => {};
    row.detach = undefined;
    this.#forget();
    this.#keep();
    for (const listener of this.#listeners) listener();
  }

  /** Marks jobs as lost that still ran when the process ended without closing them. */
  #restored(kept: StoredJobs["open"][number]): Row {
    const lost = kept.status === "running" ? { status: "lost" as const, text: lostText } : {};
    const job: Job = { ...kept, ...lost, endedAt: this.#options.clock.now(), snapshot: () => "" };
    return { job, told: "no", over: Promise.resolve(), stop() {} };
  }

  #keep(): void {
    if (!this.#options.store) return;
    const rows = [...this.#rows.values()].filter(({ job, told }) => told === "no" && job.status !== "detached");
    const kept = {
      count: this.#count,
      open: rows.map(({ job: { snapshot: _, pid: __, ...job } }) => ({ ...job, label: job.label.slice(0, longest) })),
    };
    const text = JSON.stringify(kept);
    if (text === this.#kept) return;
    this.#kept = text;
    this.#options.store(kept);
  }

  #forget(): void {
    const before = this.#options.clock.now() - (this.#options.keepMs ?? keepMs);
    let ended = 0;
    for (const [id, { job, told }] of [...this.#rows].reverse())
      if (told === "yes" && job.endedAt !== undefined && (job.endedAt < before || ++ended > mostKept))
        this.#rows.delete(id);
  }
}

interface Row extends Pick<JobWork, "stop" | "detach"> {
  job: Job;
  /** `yes` once the conversation knows of its end. */
  told: "yes" | "no";
  over: Promise<void>;
  watchers?: number;
}

const keepMs = 5 * 60 * 1000;
/** Ended jobs that are remembered, the newest of them, however short ago the others ended. */
const mostKept = 50;
const longest = 1000;
const lostText = "(what it wrote is lost)";
