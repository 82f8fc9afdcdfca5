// A client that talks to `pith --mode rpc` line by line, checks each line by its schema, and stores it.
import { lines as rows } from "../packages/cli/src/wire/frame.ts";
import { envOf, program } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

export type Line = { type: string } & Record<string, unknown>;

/** Starts pith in RPC mode in the `work` folder of a scratch directory. */
export function rpc(dir: Scratch, argv: readonly string[], command: readonly string[] = program): Talk {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  return new Talk(spawnIn(dir, [...command, "--mode", "rpc", ...argv]));
}

const spawnIn = (dir: Scratch, command: string[]) =>
  Bun.spawn(command, { cwd: dir.at("work"), env: envOf(dir), stdin: "pipe", stdout: "pipe", stderr: "pipe" });

export class Talk implements AsyncDisposable {
  readonly lines: Line[] = [];
  readonly #child: ReturnType<typeof spawnIn>;
  readonly #reading: Promise<void>;
  readonly #watchers = new Set<() => void>();
  #isOver = false;
  #count = 0;

  constructor(child: ReturnType<typeof spawnIn>) {
    this.#child = child;
    this.#reading = this.#read();
  }

  /** Writes a line: a string as it is, anything else as JSON. */
  send(command: unknown): void {
    this.#child.stdin.write(typeof command === "string" ? `${command}\n` : `${JSON.stringify(command)}\n`);
    this.#child.stdin.flush();
  }

  /** Waits for the first line that fits; earlier lines count. */
  async until(fits: (line: Line) => boolean): Promise<Line> {
    const { promise, resolve, reject } = Promise.withResolvers<Line>();
    const check = () => {
      const line = this.lines.find(fits);
      if (line) resolve(line);
      else if (this.#isOver) reject(new Error(`the line never came; there were ${this.lines.map(({ type }) => type)}`));
    };
    this.#watchers.add(check);
    this.#reading.catch(reject);
    check();
    try {
      return await promise;
    } finally {
      this.#watchers.delete(check);
    }
  }

  /** Sends a command under a new id; returns its answer. */
  ask(command: object): Promise<Line> {
    const id = `t${++this.#count}`;
    this.send({ id, ...command });
    return this.until((line) => line.type === "response" && line.id === id);
  }

  /** Closes the input and waits for the end; returns the exit code. */
  async end(): Promise<number> {
    this.#child.stdin.end();
    await this.#reading;
    return this.#child.exited;
  }

  stderr(): Promise<string> {
    return new Response(this.#child.stderr).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  async #read(): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      const all = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = all.pop() ?? "";
      for (const text of all) this.lines.push(parseLine(text));
      for (const check of this.#watchers) check();
    }
    this.#isOver = true;
    for (const check of this.#watchers) check();
  }
}

/** Parses a line; throws if its schema refuses it. */
function parseLine(text: string): Line {
  const line = JSON.parse(text) as Line;
  const read = rows.find(({ type }) => type === line.type)?.schema.safeParse(line);
  if (read?.success) return line;
  const wrong = JSON.stringify(read?.error.issues ?? "no such line");
  throw new Error(`${text.slice(0, 500)} is not what the schema says: ${wrong}`);
}
