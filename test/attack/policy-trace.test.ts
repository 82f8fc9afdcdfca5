// What a verdict announces is held against what the system sees: no other program runs, and what is proven to only
// read opens nothing to write.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { reading } from "../../packages/coder/src/policy/effect.ts";
import { judge } from "../../packages/coder/src/policy/judge.ts";
import { freshState } from "../../packages/coder/src/policy/state.ts";
import { benign, judgedRows } from "../../packages/coder/src/policy/test/data.ts";
import { need } from "../need.ts";
import { type Scratch, scratch } from "../scratch.ts";

/** Commands that end by themselves, stay in their folder and run nothing that is not known. */
const commands = [...new Set([...benign, ...judgedRows.map(({ command }) => command)])].filter((command) => {
  if (/tail -f|sleep|watch|\/tmp|~|HOME|\.\.|mktemp|\/dev|history|strace|hyperfine/.test(command)) return false;
  const { parts, problem } = judge(command, freshState);
  const known = parts.every(
    ({ severity, effects }) =>
      severity === "none" && effects.every((effect) => !/^(?:exec|opaque|net|write outside)$/.test(effect)),
  );
  return problem === undefined && known;
});

const calls = "execve,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2";

/** What a command executed and opened to write. */
async function traced(dir: Scratch, command: string, log: string) {
  const run = Bun.spawn(
    [
      "timeout",
      "10",
      "strace",
      "-f",
      "-qq",
      "-s",
      "300",
      "-e",
      `trace=${calls}`,
      "-o",
      log,
      "bash",
      "--norc",
      "-c",
      command,
    ],
    {
      cwd: dir.at("work"),
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: dir.at("home"), LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  await run.exited;
  const rows = readFileSync(log, "utf8")
    .split("\n")
    .filter((row) => !/ = -1 /.test(row));
  const executed = rows.flatMap((row) => /execve\("([^"]*)"/.exec(row)?.[1] ?? []).map((path) => basename(path));
  const written = rows
    .filter((row) => /O_(?:WRONLY|RDWR|CREAT)|creat\(|unlink|rename/.test(row))
    .flatMap((row) => /"([^"]*)"/.exec(row)?.[1] ?? [])
    // git keeps what it learned of files when it looks at them.
    .filter((path) => !path.startsWith("/dev/") && !/\.git\/index/.test(path));
  return { executed: executed.slice(1), written };
}

const isTraced = need("strace") === undefined && Bun.spawnSync(["strace", "-o", "/dev/null", "true"]).success;
if (!isTraced) process.stderr.write("skip: strace cannot look at other processes here\n");

test.skipIf(!isTraced)(
  "no program runs but those that were announced, and what only reads writes nothing",
  async () => {
    expect(commands.length).toBeGreaterThan(150);
    const wrong: unknown[] = [];
    let ran = 0;
    const queue = [...commands.entries()];
    const worker = async () => {
      using dir = scratch();
      dir.write({ "work/a": "1 2 3\n", "work/src/a.ts": "x\n", "work/package.json": "{}\n", "home/a": "" });
      Bun.spawnSync(["git", "init", "-q", dir.at("work")]);
      for (let next = queue.pop(); next; next = queue.pop()) {
        const [at, command] = next;
        const { parts } = judge(command, freshState);
        const announced = new Set(parts.flatMap(({ program }) => (program === undefined ? [] : [basename(program)])));
        const { executed, written } = await traced(dir, command, dir.at(`log-${at}`));
        ran += executed.length > 0 ? 1 : 0;
        const reads = parts.every(({ effects }) => reading(effects));
        const extra = executed.filter((name) => !announced.has(name));
        if (extra.length > 0 || (reads && written.length > 0)) wrong.push({ command, extra, written });
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(wrong).toEqual([]);
    expect(ran).toBeGreaterThanOrEqual(100);
  },
  120_000,
);
