import { AsyncLocalStorage } from "node:async_hooks";
import { type applySteps, findTarget, readWhole, type Step } from "@pith/host";

/** An editor in which files may be open, with text that is not saved yet. */
export interface Editor {
  /** The text of a file as the editor shows it; undefined where it cannot tell. */
  text(path: string): Promise<string | undefined>;
  /** Puts a text into the editor and saves it; false where it cannot. */
  save(path: string, text: string): Promise<boolean>;
}

/** Files beyond this are not asked about. */
const mostBytes = 8 * 1024 * 1024;
type PlaceSteps = typeof applySteps;
type Write = { target: Step["target"]; base: string; text: string };

/** Thrown where a call that is being prepared looks at a file that the editor was not asked about. */
class Unseen extends Error {
  readonly real: string;

  constructor(real: string) {
    super(`the editor was not asked about ${real} yet`);
    this.real = real;
  }
}

/** Unsaved text of an editor. Only plain text, UTF-8 with bare line feeds: an editor may make anything of other bytes. */
export class Unsaved {
  readonly #editor: Editor;
  readonly #isOurs: (real: string) => boolean;
  readonly #texts = new Map<string, Buffer>();
  /** The files that a running preparation has asked about. */
  readonly #asked = new AsyncLocalStorage<Set<string>>();

  constructor(editor: Editor, isOurs: (real: string) => boolean) {
    this.#editor = editor;
    this.#isOurs = isOurs;
  }

  /** Prepares a call; it begins again whenever it needs a file of which the editor may know more. */
  async during<T>(prepare: () => T | Promise<T>): Promise<T> {
    const asked = new Set<string>();
    for (;;) {
      try {
        return await this.#asked.run(asked, prepare);
      } catch (error) {
        if (!(error instanceof Unseen)) throw error;
        await this.look(error.real);
        asked.add(error.real);
      }
    }
  }

  /** The bytes to take in the place of those on the disk. */
  at(real: string): Buffer | undefined {
    const asked = this.#asked.getStore();
    if (asked && !asked.has(real) && this.#isOurs(real)) throw new Unseen(real);
    return this.#texts.get(real);
  }

  /** Asks the editor for a file. */
  async look(real: string): Promise<void> {
    const saved = this.#isOurs(real) ? plainBytes(real) : undefined;
    const text = saved && (await this.#editor.text(real));
    const shown = text === undefined || !isPlain(text) ? undefined : Buffer.from(text);
    if (!shown || !saved || shown.equals(saved)) this.#texts.delete(real);
    else this.#texts.set(real, shown);
  }

  /** Has the editor save what it shows, so that it stands on the disk and can be gone back to. */
  async settle(real: string): Promise<void> {
    const shown = this.#texts.get(real);
    if (shown && (await this.#editor.save(real, shown.toString()))) this.#texts.delete(real);
  }

  /** Places steps through the editor where all of them are plain text; else on the disk, byte by byte. */
  place(onDisk: PlaceSteps): PlaceSteps {
    return async (steps) => {
      const writes = steps.flatMap((step) => this.#writeOf(step) ?? []);
      if (writes.length !== steps.length) return onDisk(steps);
      const done: Write[] = [];
      for (const write of writes) {
        const end = await this.#write(write);
        if (end === "unknown" && done.length === 0) return onDisk(steps);
        if (end !== "done") {
          for (const { target, base } of done.toReversed()) await this.#editor.save(target.real, base);
          const message = `${write.target.path}: was changed in the editor in the meantime`;
          return { ok: false, refused: { at: done.length, kind: "changed", message } };
        }
        done.push(write);
      }
      return { ok: true, applied: steps.map(() => ({})) };
    };
  }

  /** "unknown" for a file that the editor does not have, so that it may be written as ever. */
  async #write({ target, base, text }: Write): Promise<"done" | "changed" | "unknown"> {
    if (!isUnchanged(target)) return "changed";
    const shown = await this.#editor.text(target.real);
    if (shown === undefined && !this.#texts.has(target.real)) return "unknown";
    return shown === base && (await this.#editor.save(target.real, text)) ? "done" : "changed";
  }

  /** A step on a file that is plain text before and after. */
  #writeOf(step: Parameters<PlaceSteps>[0][number]): Write | undefined {
    const { target } = step;
    if (step.do !== "write" || step.executable || target.is !== "file" || !this.#isOurs(target.real)) return undefined;
    const [base, text] = [plain(target.bytes), plain(Buffer.from(step.bytes))];
    return base === undefined || text === undefined ? undefined : { target, base, text };
  }
}

/** True for a file that still has the content that a change was planned for. */
function isUnchanged(target: Step["target"]): boolean {
  const now = findTarget(target.path);
  if (!now.ok || now.value.real !== target.real || now.value.is !== "file") return false;
  return target.is === "file" && now.value.bytes.equals(target.bytes);
}

function plainBytes(real: string): Buffer | undefined {
  const whole = readWhole(real, mostBytes);
  return whole.ok && plain(whole.value.bytes) !== undefined ? whole.value.bytes : undefined;
}

function plain(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return bytes.length <= mostBytes && isPlain(text) && Buffer.from(text).equals(bytes) ? text : undefined;
}

const isPlain = (text: string): boolean => !/[\r\0]|^\uFEFF/.test(text) && text.isWellFormed();
