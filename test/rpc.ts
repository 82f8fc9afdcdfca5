// A program that talks to `pith --mode rpc` line by line, and keeps every line.
import { lines as rows } from "../packages/cli/src/wire/frame.ts";
import { envOf, program } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

export type Line = { type: string } & Record<string, unknown>;

export interface Talk extends AsyncDisposable {
  lines: Line[];
  /** Writes a line: a text as it is, anything else as JSON. */
  send(command: unknown): void;
  /** The first line, seen or still to come, that fits. */
  until(fits: (line: Line) => boolean): Promise<Line>;
  /** The answer to a command, sent under an id of its own. */
  ask(command: object): Promise<Line>;
  /** Nobody sends any more; the exit code. */
  end(): Promise<number>;
  stderr(): Promise<string>;
}

export function rpc(dir: Scratch, argv: readonly string[], command: readonly string[] = program): Talk {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const child = Bun.spawn([...command, "--mode", "rpc", ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines: Line[] = [];
  const watching = new Set<() => void>();
  let over = false;
  const read = async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const all = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = all.pop() ?? "";
      for (const text of all) {
        const line = JSON.parse(text) as Line;
        const wrong = faultsOf(line);
        if (wrong) throw new Error(`${text.slice(0, 500)} is not what the schema says: ${JSON.stringify(wrong)}`);
        lines.push(line);
      }
      for (const look of watching) look();
    }
    over = true;
    for (const look of watching) look();
  };
  const reading = read();
  let count = 0;
  const talk: Talk = {
    lines,
    send(command) {
      child.stdin.write(typeof command === "string" ? `${command}\n` : `${JSON.stringify(command)}\n`);
      child.stdin.flush();
    },
    async until(fits) {
      const { promise, resolve, reject } = Promise.withResolvers<Line>();
      const look = () => {
        const found = lines.find(fits);
        if (found) resolve(found);
        else if (over) reject(new Error(`the line never came; there were ${lines.map(({ type }) => type)}`));
      };
      watching.add(look);
      reading.catch(reject);
      look();
      try {
        return await promise;
      } finally {
        watching.delete(look);
      }
    },
    ask(command) {
      const id = `t${++count}`;
      talk.send({ id, ...command });
      return talk.until((line) => line.type === "response" && line.id === id);
    },
    async end() {
      child.stdin.end();
      await reading;
      return child.exited;
    },
    stderr: () => new Response(child.stderr).text(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
  return talk;
}

/** What the schemas have against a line; undefined when nothing. */
function faultsOf(line: Line): unknown {
  const read = rows.find(({ type }) => type === line.type)?.schema.safeParse(line);
  return read?.success ? undefined : (read?.error.issues ?? "no such line");
}
