// A copy of the project in which one file at a time is changed and tests run. The project itself is never touched.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { root } from "../gate/tree.ts";

export interface WorkTree extends Disposable {
  write(path: string, text: string): void;
  /** File for marks of reach.ts; `read` gives what came since it was last read. */
  marks: string;
  read(): string;
  /** Runs one test file; a run that takes longer than `limitMs` counts as failed. */
  test(path: string, limitMs: number): Promise<"passed" | "failed">;
}

const copied = ["packages", "test", "scripts", "bench", "bin", "docs", "runtime", ".ci", ".github"];
const files = ["package.json", "tsconfig.json", "bunfig.toml", "bun.lock", "biome.json", "LICENSE", "README.md"];
const pages = ["AGENTS.md", "GLOSSARY.md", "CHANGELOG.md"];

/** Copies the project as it stands, also what is not committed; what is installed is linked. */
export function openWorkTree(): WorkTree {
  const folder = mkdtempSync(join(tmpdir(), "pith-mutants-"));
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
  return {
    write: (path, text) => writeFileSync(at(path), text),
    marks,
    read() {
      const text = existsSync(marks) ? readFileSync(marks, "utf8") : "";
      rmSync(marks, { force: true });
      return text;
    },
    async test(path, limitMs) {
      // A mutant may start what does not end: the tests run as a group of their own, which ends with them.
      const argv = [...guard, process.execPath, "test", "--bail", "--timeout=60000", `./${path}`];
      const child = Bun.spawn(argv, { cwd: folder, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
      running = child;
      const timer = setTimeout(() => end(child), limitMs);
      const code = await child.exited;
      clearTimeout(timer);
      end(child);
      return code === 0 ? "passed" : "failed";
    },
    [Symbol.dispose]() {
      if (running) end(running);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
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
