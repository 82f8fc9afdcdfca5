import { messageOf } from "@pith/kit";
import type { Storage } from "./storage.ts";

/**
 * A storage that never refuses. What it cannot write it keeps in memory, as if it stood at the end of the file, and
 * writes it there as soon as it can again.
 */
export class Tape {
  #storage: Storage;
  readonly #tell: (message: string) => void;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Where the kept bytes begin. */
  #base = 0;
  #said: string | undefined;

  constructor(storage: Storage, tell: (message: string) => void) {
    this.#storage = storage;
    this.#tell = tell;
  }

  get storage(): Storage {
    return this.#storage;
  }
  /** True while something is in memory only. */
  get isBehind(): boolean {
    return this.#pendingBytes > 0;
  }

  /** Adds bytes and says where they stand. */
  append(bytes: Uint8Array): number {
    if (this.isBehind) return this.#appendBehind(bytes);
    try {
      return this.#storage.append(bytes);
    } catch (error) {
      this.#base = this.#sizeNow();
      this.#fault(error);
      return this.#keep(bytes);
    }
  }

  read(from: number, to: number): Buffer | undefined {
    if (!this.isBehind || to <= this.#base) return this.#storage.read(from, to);
    const kept = Buffer.concat(this.#pending);
    if (from >= this.#base) return kept.subarray(from - this.#base, to - this.#base);
    return Buffer.concat([this.#storage.read(from, this.#base) ?? Buffer.alloc(0), kept.subarray(0, to - this.#base)]);
  }

  async sync(): Promise<void> {
    try {
      if (this.isBehind) this.#catchUp();
      else await this.#storage.sync();
    } catch (error) {
      this.#fault(error);
    }
  }

  /** Copies all that was ever said into another storage and goes on there. Throws when that cannot be written either. */
  saveTo(other: Storage): void {
    const end = this.isBehind ? this.#base + this.#pendingBytes : this.#sizeNow();
    const part = 8 << 20;
    for (let at = 0; at < end; at += part) other.append(this.read(at, Math.min(end, at + part)) ?? Buffer.alloc(0));
    this.#storage = other;
    this.#settled();
  }

  #appendBehind(bytes: Uint8Array): number {
    const at = this.#keep(bytes);
    try {
      this.#catchUp();
    } catch (error) {
      this.#fault(error);
    }
    return at;
  }

  // The disk may have room again, or the folder be back; but never behind something that another program wrote meanwhile.
  #catchUp(): void {
    if (this.#sizeNow() !== this.#base) throw new Error("the file was changed by another program");
    this.#storage.append(Buffer.concat(this.#pending));
    this.#settled();
    this.#tell(`The session is recorded again in ${this.#storage.file ?? "memory"}; nothing is missing.`);
  }

  #keep(bytes: Uint8Array): number {
    // What stands at the end of the file may be half a line that could not be cut off.
    if (!this.isBehind && this.#base > 0 && this.#storage.read(this.#base - 1, this.#base)?.[0] !== 10) {
      this.#pending.push(newline);
      this.#pendingBytes = 1;
    }
    const at = this.#base + this.#pendingBytes;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    return at;
  }

  #settled(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#said = undefined;
  }

  #sizeNow(): number {
    try {
      return this.#storage.size() ?? 0;
    } catch {
      return this.#base;
    }
  }

  // A record that cannot be written must not end the work: the run goes on in memory and says why, once for each reason.
  #fault(error: unknown): void {
    const reason = messageOf(error);
    if (this.#said === reason) return;
    this.#said = reason;
    this.#tell(`The session can no longer be recorded in ${this.#storage.file ?? "memory"} (${reason}); it goes on in memory only.`);
  }
}

const newline = Buffer.from("\n");
