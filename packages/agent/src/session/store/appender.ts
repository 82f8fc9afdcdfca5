import { fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import { tryOr, writeAll } from "@pith/kit";

/** Appends to a file, which it creates. Neither half a line stays in it, nor is a stranger's data overwritten. */
export class Appender {
  readonly fd: number;
  readonly #waits: "on sync" | "on every append";
  /** End of our last write; while `torn`, half a line of ours follows it. */
  #end: number;
  #torn = false;

  constructor(file: string, waits: "on sync" | "on every append") {
    this.fd = openSync(file, "a+", 0o600);
    this.#waits = waits;
    this.#end = fstatSync(this.fd).size;
  }

  /** Appends and returns the offset. */
  append(bytes: Uint8Array): number {
    const { size } = this.#present();
    if (this.#torn) ftruncateSync(this.fd, this.#end);
    else if (size < this.#end) throw new Error("the file was cut by another program");
    else this.#end = size;
    this.#torn = true;
    try {
      writeAll(this.fd, bytes);
    } catch (error) {
      // Half a line would merge with the next one: cut it off now, or before the next write.
      this.#torn = tryOr(() => ftruncateSync(this.fd, this.#end) ?? false, true);
      throw error;
    }
    this.#torn = false;
    const start = this.#end;
    this.#end += bytes.length;
    if (this.#waits === "on every append") fdatasyncSync(this.fd);
    return start;
  }

  async sync(): Promise<void> {
    this.#present();
    // `node:util` for its `promisify` would cost every start more than the sync itself.
    await new Promise<void>((done, fail) => fdatasync(this.fd, (error) => (error ? fail(error) : done())));
  }

  /** A deleted file accepts writes and loses them. */
  #present() {
    const state = fstatSync(this.fd);
    if (state.nlink === 0) throw new Error("the file was deleted");
    return state;
  }
}
