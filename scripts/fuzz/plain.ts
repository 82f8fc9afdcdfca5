// Runs generated command lines that are judged plain under a tracer, which has to see exactly the programs and words
// that the judge wrote out, no file opened to write, and nothing of what lies outside of the project.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "../../packages/coder/src/bash/parse.ts";
import { insideOf } from "../../packages/coder/src/policy/approval.ts";
import { commandJudge } from "../../packages/coder/src/policy/command-judge.ts";
import { shellQuote } from "../../packages/kit/src/index.ts";
import { commandFrom, randomFrom } from "./commands.ts";

export interface Fuzzed {
  judged: number;
  plain: number;
  /** Lines that did something else than the judge wrote out, each with what was seen. */
  wrong: string[];
}

const git = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];

/** Makes a project with a repository and a link out of it, beside a folder that nobody may look into. */
function stage(): { project: string; outside: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "pith-fuzz-"));
  const [project, outside] = [join(folder, "work"), join(folder, "out")];
  for (const path of [join(project, "src"), outside]) mkdirSync(path, { recursive: true });
  writeFileSync(join(outside, "secret"), "canary\n");
  writeFileSync(join(project, "a.txt"), "x a 1\ny b 2\n");
  writeFileSync(join(project, "src/b.txt"), "x\n");
  writeFileSync(join(project, "c.json"), '{"a": 1}\n');
  writeFileSync(join(project, "-n"), "x\n");
  writeFileSync(join(project, "a b"), "x\n");
  // Drivers that no configuration defines: nothing of the repository's runs by them.
  writeFileSync(join(project, ".gitattributes"), "* diff=evil filter=evil merge=evil text=auto\n");
  symlinkSync(outside, join(project, "link"));
  symlinkSync(join(outside, "secret"), join(project, "src/far"));
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "x"],
  ])
    Bun.spawnSync(["git", ...git, ...words], { cwd: project });
  return { project, outside, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Judges lines until the time is over, and runs at most so many of those that are plain, a number of them at a time. */
export function fuzz({ seed, ms, runs }: { seed: number; ms: number; runs: number }): Fuzzed {
  const place = stage();
  const { project } = place;
  const inside = insideOf({ cwd: project, roots: [], home: join(place.outside, ".pith"), folder: undefined });
  const env = { PATH: process.env.PATH ?? "", HOME: place.outside };
  const judge = commandJudge({ cwd: project, userHome: place.outside, inside, env });
  const random = randomFrom(seed);
  const end = performance.now() + ms;
  const result: Fuzzed = { judged: 0, plain: 0, wrong: [] };
  const seen = new Set<string>();
  const waiting: Line[] = [];
  try {
    while (performance.now() < end) {
      const command = commandFrom(random);
      const { judgement } = judge({ command, cwd: project }, parse(command));
      result.judged++;
      const { plain } = judgement;
      if (plain === undefined || seen.has(plain) || result.plain >= runs) continue;
      seen.add(plain);
      result.plain++;
      waiting.push({ command, plain });
      if (waiting.length >= together) result.wrong.push(...traced(waiting.splice(0), place, env));
    }
    result.wrong.push(...traced(waiting, place, env));
  } finally {
    place.remove();
  }
  return result;
}

interface Line {
  command: string;
  plain: string;
}

/** Lines that one tracer runs, one after the other. */
const together = 50;
const calls =
  "execve,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,connect,symlink,symlinkat";

/** Runs texts with limits of time, processes and memory, and tells which did something that they must not. */
function traced(lines: readonly Line[], { project, outside }: ReturnType<typeof stage>, env: Record<string, string>) {
  const [log, script] = ["trace", "script"].map((name) => join(outside, "..", name)) as [string, string];
  const limits = "ulimit -t 3 -v 4000000 -f 1000; ";
  // A file that is not there, opened before a line, tells in the trace where it begins.
  const rows = lines.map(
    ({ plain }, at) => `: < ${mark}${at}\n${runner.join(" ")} ${shellQuote(limits + plain)} > /dev/null < /dev/null\n`,
  );
  writeFileSync(script, rows.join(""));
  Bun.spawnSync(
    ["strace", "-f", "--seccomp-bpf", "-y", "-qq", "-s", "4096", "-o", log, "-e", `trace=${calls}`, "bash", script],
    { cwd: project, env: { ...env, PATH: "/usr/bin:/bin" }, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  );
  const parts = readFileSync(log, "latin1").split(new RegExp(`^.*${mark}\\d+".*$`, "m"));
  if (parts.length !== lines.length + 1) return [`${parts.length - 1} of ${lines.length} lines were traced`];
  return lines.flatMap(({ command, plain }, at) => {
    const why = wrongIn(parts[at + 1] ?? "", plain, outside);
    return why === undefined ? [] : [`${JSON.stringify(command)} → ${plain}: ${why}`];
  });
}

const mark = "/pith-fuzz-line-";
const runner = ["timeout", "-k", "1", "4", "bash", "--norc", "--noprofile", "-c"];

/** Finds what a text did that it must not. */
function wrongIn(trace: string, text: string, outside: string): string | undefined {
  const written = [...text.matchAll(/'((?:[^']|'\\'')*)'/g)].map(([, word = ""]) => word.replaceAll("'\\''", "'"));
  for (const line of trace.split("\n")) {
    const ran = /execve\("([^"]+)", (\[.*?\])(?:,|\.\.\.)/.exec(line);
    if (ran && !isExpected(ran[1] ?? "", ran[2] ?? "", written)) return line;
    const opened = /\b(?:open|openat)\((?:AT_FDCWD(?:<[^>]*>)?|\d+(?:<[^>]*>)?)?,? ?"([^"]*)", ([A-Z_|]+)/.exec(line);
    if (opened && /O_WRONLY|O_RDWR|O_CREAT/.test(opened[2] ?? "") && !/^\/dev\/(?:null|tty)$/.test(opened[1] ?? ""))
      return line;
    if (opened && line.includes(` = `) && line.slice(line.lastIndexOf(" = ")).includes(`<${outside}/secret`))
      return line;
    if (/\b(?:creat|unlink|unlinkat|rename\w*|mkdir\w*|symlink\w*)\(.* = 0$/.test(line)) return line;
    if (/\bconnect\(.*AF_INET/.test(line)) return line;
  }
  return undefined;
}

/** The first program is bash itself; scripts of the system have their interpreter. */
function isExpected(program: string, words: string, written: readonly string[]): boolean {
  const runs =
    program === "/usr/bin/timeout" && words.startsWith(JSON.stringify(runner).slice(0, -1).replaceAll(",", ", "));
  if (runs || /\/(?:ba|da)?sh$/.test(program) || (program === "/usr/bin/grep" && /"-[EF]"/.test(words))) return true;
  const given = [...words.matchAll(/"((?:[^"\\]|\\.)*)"/g)].slice(1).map(([, word = ""]) => word);
  const plain = given.filter((word) => !word.includes("\\"));
  return written.includes(program) && plain.every((word) => written.includes(word));
}

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 1e9);
  const seconds = Number(process.argv[3] ?? 60);
  const { judged, plain, wrong } = fuzz({ seed, ms: seconds * 1000, runs: Number(process.argv[4] ?? Infinity) });
  process.stdout.write(
    `${wrong.join("\n")}\nseed ${seed}: ${judged} judged, ${plain} plain and run, ${wrong.length} wrong\n`,
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
