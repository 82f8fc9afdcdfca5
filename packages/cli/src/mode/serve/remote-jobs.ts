import type { Coder, Job } from "@pith/coder";

/** A job as it is told to a face elsewhere: what it has said is a text, and only its end. */
export type ToldJob = Omit<Job, "snapshot"> & { text: string };

const tailChars = 64 * 1024;

export const toldJobs = (coder: Coder): ToldJob[] =>
  coder.jobs().map(({ snapshot, text, ...job }) => ({ ...job, text: (text ?? snapshot()).slice(-tailChars) }));

/** Whether one came, went or ended; what they write is asked for by who looks at it. */
export const jobsMark = (coder: Coder): string =>
  coder
    .jobs()
    .map(({ id, status }) => `${id} ${status}`)
    .join();

/** The jobs of a conversation that lives elsewhere. */
export class FarJobs {
  readonly #ask: () => Promise<ToldJob[]>;
  #told: readonly ToldJob[];
  #asking = false;

  constructor(told: readonly ToldJob[], ask: () => Promise<ToldJob[]>) {
    this.#told = told;
    this.#ask = ask;
  }

  take(told: readonly ToldJob[]): void {
    this.#told = told;
  }

  /** The text of one that runs is as old as the last look at it, and that look asks for the next. */
  list(): Job[] {
    return this.#told.map((job) => ({
      ...job,
      snapshot: () => {
        void this.#look();
        return job.text;
      },
    }));
  }

  async #look(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      this.#told = await this.#ask();
    } catch {
      // The server is gone, which the stream of events tells.
    }
    this.#asking = false;
  }
}
