/**
 * Standard output or standard error. Text that comes while a write is under way goes out with the next one. It is not
 * `process.stdout`, because to load that costs more than all the rest of a short run.
 */
export class Out {
  readonly #target: WriteText;
  #waiting = "";
  #writing: Promise<void> | undefined;
  #fault: Error | undefined;
  /** Called once, when the reader is gone or the disk is full. */
  onFault: ((fault: Error) => void) | undefined;

  constructor(target: WriteText) {
    this.#target = target;
  }

  write(text: string): void {
    if (this.#fault || text === "") return;
    this.#waiting += text;
    this.#writing ??= this.#drain();
  }

  /** Resolves when everything is out, or never will be. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting !== "") {
        const text = this.#waiting;
        this.#waiting = "";
        await this.#target(text);
      }
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
      this.#waiting = "";
      this.onFault?.(this.#fault);
    } finally {
      this.#writing = undefined;
    }
  }
}

/** Writes all of a text, or rejects. */
export type WriteText = (text: string) => Promise<unknown>;
