// One running pith that speaks JSON lines (RPC, or one prompt): its lines go to the promises, a fault may meet it.
import type { Promises } from "./promises.ts";
import { type Child, signal } from "./world.ts";

export type Line = { type: string } & Record<string, unknown>;

/** Fault of pith: something that was promised does not hold. */
export class Broken extends Error {}

const patience = 60_000;

export class Face {
  readonly child: Child;
  readonly lines: Line[] = [];
  readonly ended: Promise<number>;
  err = "";
  /** Called with the number of lines since it was set. */
  onLine: ((count: number) => void) | undefined;
  isOver = false;
  #since = 0;
  #count = 0;
  readonly #watchers = new Set<() => void>();

  constructor(child: Child, promises: Promises) {
    this.child = child;
    const out = this.#read(promises);
    const err = (async () => {
      for await (const bytes of child.stderr) this.err += Buffer.from(bytes).toString();
    })();
    this.ended = Promise.all([out, err]).then(() => child.exited);
  }

  /** From here on `sees` only finds what is new. */
  mark(): void {
    this.#since = this.lines.length;
  }

  /** From here on `sees` only finds what came behind this line. */
  markBehind(line: Line): void {
    this.#since = this.lines.lastIndexOf(line) + 1;
  }

  /** The lines since the mark. */
  since(): Line[] {
    return this.lines.slice(this.#since);
  }

  send(command: object): void {
    try {
      this.child.stdin.write(`${JSON.stringify(command)}\n`);
      this.child.stdin.flush();
    } catch {
      // It is gone; whoever waits for an answer sees that.
    }
  }

  /** Waits for a line since the mark; undefined when the process ends before. */
  async sees(what: string, fits: (line: Line) => boolean): Promise<Line | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Line | undefined>();
    const since = this.#since;
    const look = () => {
      const line = this.lines.slice(since).find(fits);
      if (line || this.isOver) resolve(line);
    };
    const timer = setTimeout(() => reject(new Broken(`${what} never came; stderr: ${this.err.slice(-500)}`)), patience);
    this.#watchers.add(look);
    look();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(look);
    }
  }

  /** Sends a command under a new id; undefined when the process ends before it answers. */
  async ask(command: { type: string } & Record<string, unknown>): Promise<Line | undefined> {
    const id = `c${++this.#count}`;
    this.send({ id, ...command });
    return this.sees(`the answer to ${command.type}`, (line) => line.type === "response" && line.id === id);
  }

  /** Ends it as a program does, and returns its exit code. */
  async end(): Promise<number> {
    this.child.stdin.end();
    return this.gone("the end of pith after the end of its input");
  }

  async gone(what: string): Promise<number> {
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Broken(`${what} never came; stderr: ${this.err.slice(-500)}`)), patience);
    });
    try {
      return await Promise.race([this.ended, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async kill(): Promise<void> {
    signal(this.child.pid, "SIGKILL");
    await this.gone("the end of a killed pith");
  }

  async #read(promises: Promises): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    let count = 0;
    let last = this.onLine;
    for await (const bytes of this.child.stdout) {
      const all = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = all.pop() ?? "";
      for (const text of all) {
        if (!text.startsWith("{")) continue;
        const line = JSON.parse(text) as Line;
        this.lines.push(line);
        promises.hear(line);
        if (this.onLine !== last) count = 0;
        last = this.onLine;
        this.onLine?.(++count);
      }
      for (const look of [...this.#watchers]) look();
    }
    this.isOver = true;
    for (const look of [...this.#watchers]) look();
  }
}
