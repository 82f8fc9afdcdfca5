import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactsOf } from "@pith/agent";

/**
 * The folder beside the record of a conversation; it changes when the conversation goes on in another session. A
 * conversation without a record has a temporary one, which is removed with it.
 */
export class SessionDirectory implements Disposable {
  #file: string;
  readonly #isTemporary: boolean;

  constructor(file: string | undefined) {
    this.#isTemporary = file === undefined;
    this.#file = file ?? join(tmpdir(), `pith-${crypto.randomUUID()}.jsonl`);
  }

  /** The record, or the name that it would have. */
  get file(): string {
    return this.#file;
  }
  get folder(): string {
    return artifactsOf(this.#file);
  }
  /** The folder if it outlives the process. */
  get lasting(): string | undefined {
    return this.#isTemporary ? undefined : this.folder;
  }

  moveTo(file: string): void {
    this.#file = file;
  }

  /** Returns a function that gives what is made of the folder, and makes it again when the folder is another one. */
  perFolder<T>(make: (folder: string) => T): () => T {
    let known: { folder: string; value: T } | undefined;
    return () => {
      const { folder } = this;
      if (known?.folder !== folder) known = { folder, value: make(folder) };
      return known.value;
    };
  }

  [Symbol.dispose](): void {
    if (this.#isTemporary && existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }
}
