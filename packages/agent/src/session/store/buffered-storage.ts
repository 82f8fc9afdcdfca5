import { messageOf } from "@pith/kit";
import { memoryStorage, type Storage } from "./storage.ts";

/**
 * A storage that never fails: what cannot be written is kept in memory, as if it stood at the end of the file, and
 * written as soon as possible.
 */
export class BufferedStorage {
  #storage: Storage;
  readonly #tell: (message: string) => void;
  /** Data in memory only, and its offset. */
  #kept: { bytes: Storage; base: number } | undefined;
  #said: string | undefined;

  constructor(storage: Storage, tell: (message: string) => void) {
    this.#storage = storage;
    this.#tell = tell;
  }

  get storage(): Storage {
    return this.#storage;
  }
  /** True while data is in memory only. */
  get isBehind(): boolean {
    return this.#kept !== undefined;
  }

  /** Appends and returns the offset. */
  append(bytes: Uint8Array): number {
    if (!this.#kept) {
      try {
        return this.#storage.append(bytes);
      } catch (error) {
        this.#kept = this.#begin();
        this.#fault(error);
        return this.#kept.base + this.#kept.bytes.append(bytes);
      }
    }
    const at = this.#kept.base + this.#kept.bytes.append(bytes);
    this.#catchUp();
    return at;
  }

  read(from: number, to: number): Buffer | undefined {
    if (!this.#kept || to <= this.#kept.base) return this.#storage.read(from, to);
    const { bytes, base } = this.#kept;
    const kept = bytes.read(Math.max(0, from - base), to - base) ?? Buffer.alloc(0);
    return from >= base ? kept : Buffer.concat([this.#storage.read(from, base) ?? Buffer.alloc(0), kept]);
  }

  async sync(): Promise<void> {
    this.#catchUp();
    if (this.#kept) return;
    try {
      await this.#storage.sync();
    } catch (error) {
      this.#fault(error);
    }
  }

  /** Copies everything to another storage and continues there; throws if that fails. */
  saveTo(other: Storage): void {
    const end = this.#kept ? this.#kept.base + (this.#kept.bytes.size() ?? 0) : this.#sizeNow();
    const part = 8 << 20;
    for (let at = 0; at < end; at += part) other.append(this.read(at, Math.min(end, at + part)) ?? Buffer.alloc(0));
    this.#storage = other;
    this.#kept = undefined;
    this.#said = undefined;
  }

  // Writes what is in memory: the disk may have space again, or the folder be back; but never after data of another
  // program.
  #catchUp(): void {
    if (!this.#kept) return;
    try {
      if (this.#sizeNow() !== this.#kept.base) throw new Error("the file was changed by another program");
      this.#storage.append(this.#kept.bytes.read() ?? Buffer.alloc(0));
    } catch (error) {
      this.#fault(error);
      return;
    }
    this.#kept = undefined;
    this.#said = undefined;
    this.#tell(`The session is recorded again in ${this.#storage.file ?? "memory"}; nothing is missing.`);
  }

  #begin(): { bytes: Storage; base: number } {
    const base = this.#sizeNow();
    // The file may end with half a line that could not be cut off.
    const isWhole = base === 0 || this.#storage.read(base - 1, base)?.[0] === 10;
    return { bytes: memoryStorage(isWhole ? "" : "\n"), base };
  }

  #sizeNow(): number {
    try {
      return this.#storage.size() ?? 0;
    } catch {
      return this.#kept?.base ?? 0;
    }
  }

  // A failing disk must not stop the work: continues in memory and reports each reason once.
  #fault(error: unknown): void {
    const reason = messageOf(error);
    if (this.#said === reason) return;
    this.#said = reason;
    this.#tell(
      `The session can no longer be recorded in ${this.#storage.file ?? "memory"} (${reason}); ` +
        "it goes on in memory only.",
    );
  }
}
