import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratch } from "../packages/kit/src/test/index.ts";
import { now, type Scene, type Seen } from "./mock.ts";

/** Tools of a workload: a mock model, a project to work in, and measured runs of pith and the floor. */
export interface Lab {
  /** The binary that is measured. */
  pith: string;
  /** A folder with `src/file-1.ts` … `src/file-50.ts`, 200 lines each. */
  project: string;
  /** Runs pith or the floor once in the project. With a scene, the mock plays it and tells what it saw. */
  start(subject: "pith" | "floor", args: readonly string[], scene?: Scene, env?: Variables): Promise<Run>;
  /** Begins pith or the floor for a program that talks to it line by line. */
  talk(subject: "pith" | "floor", args: readonly string[], scene?: Scene): Promise<Talk>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A program that is talked to. */
export interface Talk {
  pid: number;
  /** Epoch milliseconds. */
  began: number;
  send(command: object): void;
  /** The next line that holds this text. */
  line(holds: string): Promise<string>;
  /** Nobody sends any more: its time and its memory. */
  end(): Promise<Pick<Run, "cpuMs" | "peakMb">>;
}

export type Variables = Readonly<Record<string, string>>;

export interface Run {
  /** Epoch milliseconds. */
  began: number;
  ended: number;
  /** User and system time of the process and of the children it waited for. */
  cpuMs: number;
  /** Peak resident memory of the process itself. */
  peakMb: number;
  output: string;
  seen: Seen[];
}

export const turns = 50;
const limitMs = 30_000;
const root = join(import.meta.dir, "..");

export async function openLab(pith: string): Promise<Lab> {
  const folder = scratch();
  const project = layOut(folder);
  const mock = Bun.spawn([process.execPath, join(root, "bench", "mock.ts")], { stdout: "pipe", stderr: "inherit" });
  const { value } = await mock.stdout.getReader().read();
  const base = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`;
  const commands = { pith: [pith], floor: [process.execPath, "--no-install", join(root, "bench", "floor.mjs")] };
  const env = {
    HOME: folder.at("home"),
    TMPDIR: folder.at("tmp"),
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    TERM: "dumb",
    TZ: "UTC",
    OPENAI_BASE_URL: `${base}/v1`,
    OPENAI_API_KEY: "bench",
  };
  return {
    pith,
    project,
    async start(subject, args, scene, more) {
      if (scene) await fetch(`${base}/scene`, { method: "POST", body: JSON.stringify(scene) });
      const run = await measure([...commands[subject], ...args], project, { ...env, ...more });
      return { ...run, seen: scene ? ((await (await fetch(`${base}/seen`)).json()) as Seen[]) : [] };
    },
    async talk(subject, args, scene) {
      if (scene) await fetch(`${base}/scene`, { method: "POST", body: JSON.stringify(scene) });
      return converse([...commands[subject], ...args], project, env);
    },
    async [Symbol.asyncDispose]() {
      mock.kill();
      await mock.exited;
      folder[Symbol.dispose]();
    },
  };
}

function layOut(folder: Scratch): string {
  const project = folder.at("project");
  for (const name of ["home", "tmp", "project/src"]) mkdirSync(folder.at(name), { recursive: true });
  const line = (n: number) => `export const value${n} = { id: ${n}, name: "item ${n}", enabled: ${n % 2 === 0} };\n`;
  const text = Array.from({ length: 200 }, (_, i) => line(i)).join("");
  for (let n = 1; n <= turns; n++) writeFileSync(join(project, "src", `file-${n}.ts`), text);
  writeFileSync(join(project, "package.json"), '{ "name": "bench-project", "private": true }\n');
  if (Bun.which("git")) Bun.spawnSync(["git", "init", "-q", project]);
  return project;
}

async function measure(
  command: string[],
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<Omit<Run, "seen">> {
  const began = now();
  const child = Bun.spawn(command, {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  // The kernel's figure at the end (ru_maxrss) would include our own memory from the fork. The process's high-water
  // mark does not, but vanishes with the process, so it is polled.
  let peakKb = 0;
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, highWater(child.pid));
  }, 1);
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const ended = now();
  clearInterval(watch);
  if (code !== 0)
    throw new Error(
      `${command.join(" ")} ended with ${child.signalCode ?? code}: ${(errors || output).trim().slice(-500)}`,
    );
  return {
    began,
    ended,
    cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000,
    peakMb: (peakKb * 1024) / 1e6,
    output,
  };
}

function highWater(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function converse(command: string[], cwd: string, env: Record<string, string | undefined>): Talk {
  const began = now();
  const child = Bun.spawn(command, { cwd, env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  const lines = linesOf(child.stdout);
  return {
    began,
    pid: child.pid,
    send(line) {
      child.stdin.write(`${JSON.stringify(line)}\n`);
      child.stdin.flush();
    },
    async line(holds) {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`${command.join(" ")} ended before it said ${holds}`);
        if (value.includes(holds)) return value;
      }
    },
    async end() {
      const peakMb = (highWater(child.pid) * 1024) / 1e6;
      child.stdin.end();
      await Promise.all([Array.fromAsync(lines), child.exited]);
      return { peakMb, cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000 };
    },
  };
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
