// A copy of the project in which one file at a time is changed and tests run. The project itself is never touched.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { root } from "../gate/tree.ts";
import { preloaded, runsOf } from "./switched.ts";

export interface WorkTree extends Disposable {
  write(path: string, text: string): void;
  /** File for the names of the places that a run comes to (see switched.ts). */
  marks: string;
  /** Names that came since they were last asked for. */
  marked(): string[];
  /** Runs test files in one process; a run that takes longer than `limitMs` counts as failed. */
  test(paths: readonly string[], limitMs: number): Promise<"passed" | "failed">;
  /**
   * Runs a test file once for each name, with its switch on. `ms` is what one run takes; `stuck` is the place of the
   * name whose run did not end.
   */
  row(path: string, names: readonly string[], ms: number): Promise<Row>;
}

export interface Row {
  runs: ReadonlyMap<number, "passed" | "failed">;
  stuck?: number | undefined;
}

const copied = ["packages", "test", "scripts", "bench", "bin", "docs", "runtime", ".ci", ".github"];
const files = ["package.json", "tsconfig.json", "bunfig.toml", "bun.lock", "biome.json", "LICENSE", "README.md"];
const pages = ["AGENTS.md", "GLOSSARY.md", "CHANGELOG.md"];

/** Copies the project as it stands, also what is not committed; what is installed is linked. */
export function openWorkTree(): WorkTree {
  const folder = mkdtempSync(join(tmpdir(), "pith-mutants-"));
  // Some tests run as another user, who needs access to folders below this one.
  chmodSync(folder, 0o711);
  const at = (...parts: string[]) => join(folder, ...parts);
  const installed = join(root, "runtime", "node_modules");
  for (const name of [...copied, ...files, ...pages])
    cpSync(join(root, name), at(name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => source !== installed && basename(source) !== "dist",
    });
  symlinkSync(join(root, "node_modules"), at("node_modules"));
  symlinkSync(installed, at("runtime", "node_modules"));
  for (const name of ["home", "tmp"]) mkdirSync(at(name));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: at("home"),
    TMPDIR: at("tmp"),
    TZ: "UTC",
    LANG: process.env.LANG ?? "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
  };
  const guard = guarded();
  const marks = at("marks");
  let running: Bun.Subprocess | undefined;
  const start = (args: readonly string[], stderr: "ignore" | "pipe") => {
    // A mutant may start what does not end: the tests run as a group of their own, which ends with them.
    const argv = [...guard, process.execPath, "test", ...args];
    const child = Bun.spawn(argv, { cwd: folder, env, stdin: "ignore", stdout: "ignore", stderr });
    running = child;
    return child;
  };
  return {
    write: (path, text) => writeFileSync(at(path), text),
    marks,
    marked() {
      const text = existsSync(marks) ? readFileSync(marks, "utf8") : "";
      rmSync(marks, { force: true });
      return text.split("\n");
    },
    async test(paths, limitMs) {
      const child = start(["--bail", "--timeout=60000", ...paths.map((path) => `./${path}`)], "ignore");
      const timer = setTimeout(() => end(child), limitMs);
      const code = await child.exited;
      clearTimeout(timer);
      end(child);
      return code === 0 ? "passed" : "failed";
    },
    async row(path, names, ms) {
      writeFileSync(at("list"), names.join("\n"));
      writeFileSync(at("preload.ts"), preloaded(at("list")));
      const limits = ["--preload=./preload.ts", `--rerun-each=${names.length}`, `--timeout=${5000 + 3 * ms}`];
      const child = start([...limits, `./${path}`], "pipe");
      const output = await readUntilQuiet(child, 15_000 + 5 * ms);
      const runs = runsOf(output.text);
      const stuck = output.isQuiet ? Math.max(...runs.keys(), 0) : undefined;
      return { runs, stuck };
    },
    [Symbol.dispose]() {
      if (running) end(running);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Reads what a process says on its stderr, until it ends or says nothing for a while; then it is ended. */
async function readUntilQuiet(child: Bun.Subprocess, quietMs: number): Promise<{ text: string; isQuiet: boolean }> {
  let isQuiet = false;
  const onQuiet = () => {
    isQuiet = true;
    end(child);
  };
  let timer = setTimeout(onQuiet, quietMs);
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stderr as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    clearTimeout(timer);
    timer = setTimeout(onQuiet, quietMs);
    if (isQuiet) break;
  }
  clearTimeout(timer);
  end(child);
  return { text, isQuiet };
}

/**
 * Command that runs another as a group of its own and, for who may, with the project read-only: a mutant of what
 * removes and replaces files could do so with files of the project.
 */
function guarded(): string[] {
  const group = Bun.which("setsid") ? ["setsid", "--wait"] : [];
  const hold = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const guard = ["unshare", "--mount", "sh", "-c", hold, root];
  const isHeld =
    process.getuid?.() === 0 && Bun.spawnSync([...guard, "true"], { stdio: ["ignore", "ignore", "ignore"] }).success;
  return isHeld ? [...group, ...guard] : group;
}

/** Ends a run of tests with all that is left of its group. */
function end(child: Bun.Subprocess) {
  for (const pid of [-child.pid, child.pid])
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
}
