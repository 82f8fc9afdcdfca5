import type { Coder, Job } from "@pith/coder";

/** A job for an interface in another process: its output is a text, and only the end of that. */
export type CarriedJob = Omit<Job, "snapshot"> & { text: string };

const tailChars = 64 * 1024;

export const carriedJobs = (coder: Coder): CarriedJob[] =>
  coder.jobs().map(({ snapshot, text, ...job }) => ({ ...job, text: (text ?? snapshot()).slice(-tailChars) }));

/** Changes when a job comes, goes or ends. Output is no reason to tell of it: whoever looks at a job asks for that. */
export const jobsMark = (coder: Coder): string =>
  coder
    .jobs()
    .map(({ id, status }) => `${id} ${status}`)
    .join();

/** The jobs of a conversation in another process. */
export class AttachedJobs {
  readonly #ask: () => Promise<CarriedJob[]>;
  #jobs: readonly CarriedJob[];
  #asking = false;

  constructor(jobs: readonly CarriedJob[], ask: () => Promise<CarriedJob[]>) {
    this.#jobs = jobs;
    this.#ask = ask;
  }

  take(jobs: readonly CarriedJob[]): void {
    this.#jobs = jobs;
  }

  /** Lists them as they were last told; to look at the output of one that runs asks for newer output. */
  list(): Job[] {
    return this.#jobs.map((job) => ({
      ...job,
      snapshot: () => {
        void this.#refresh();
        return job.text;
      },
    }));
  }

  async #refresh(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      this.#jobs = await this.#ask();
    } catch {
      // The server is gone, which the stream of events tells.
    }
    this.#asking = false;
  }
}
