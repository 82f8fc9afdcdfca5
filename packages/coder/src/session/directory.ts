import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactsOf } from "@pith/agent";

/**
 * The folder beside the record of a conversation: another one once it goes on in another session. What is not recorded
 * has a place all the same for what was cut or noted: it goes with the conversation.
 */
export class Beside implements Disposable {
  #file: string;
  readonly #passing: boolean;

  constructor(file: string | undefined) {
    this.#passing = file === undefined;
    this.#file = file ?? join(tmpdir(), `pith-${crypto.randomUUID()}.jsonl`);
  }

  /** The record, or what would be it. */
  get file(): string {
    return this.#file;
  }
  get folder(): string {
    return artifactsOf(this.#file);
  }
  /** The same, where it outlives the process. */
  get kept(): string | undefined {
    return this.#passing ? undefined : this.folder;
  }

  become(file: string): void {
    this.#file = file;
  }

  /** What is made of the folder, made anew when it has become another one. */
  each<T>(make: (folder: string) => T): () => T {
    let known: { folder: string; value: T } | undefined;
    return () => {
      const { folder } = this;
      if (known?.folder !== folder) known = { folder, value: make(folder) };
      return known.value;
    };
  }

  [Symbol.dispose](): void {
    if (this.#passing && existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }
}
