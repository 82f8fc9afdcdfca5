// Verdicts on known commands are compared with system calls: no other program runs, and commands that only read open
// nothing for writing. Generated commands are run by scripts/fuzz.
import { expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { reading } from "../../packages/coder/src/judge/effect.ts";
import { judge } from "../../packages/coder/src/judge/judge.ts";
import { freshState } from "../../packages/coder/src/judge/state.ts";
import { benign, judgedRows } from "../../packages/coder/src/test/policy.ts";
import { need } from "../need.ts";
import { type Scratch, scratch } from "../scratch.ts";

/** True when the judge knows all effects of a command, and none leaves its folder. */
function isKnown(command: string): boolean {
  const { parts, problem } = judge(command, freshState);
  return (
    problem === undefined &&
    parts.every(
      ({ severity, effects, guard }) =>
        severity === "none" &&
        guard === undefined &&
        effects.every((effect) => !/^(?:exec|opaque|net|write outside)$/.test(effect)),
    )
  );
}

/** Commands that end by themselves, stay in their folder and run nothing that is not known. */
const commands = [...new Set([...benign, ...judgedRows.map(({ command }) => command)])].filter(
  (command) =>
    !/tail -f|sleep|watch|\/tmp|~|HOME|\.\.|mktemp|\/dev|history|strace|hyperfine|yes|\/root/.test(command) &&
    isKnown(command),
);

/** Programs that start others by themselves, with those. */
const startedBy: Readonly<Record<string, readonly string[]>> = {
  xargs: ["echo"],
  tar: ["sh", "gzip"],
  egrep: ["grep"],
  // Asks git for the user's ignore file.
  ag: ["sh", "git"],
  rg: ["gzip"],
};

const calls = "execve,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,symlink,symlinkat";

/** Lists what a command executed and opened for writing. */
async function traced(dir: Scratch, command: string, log: string) {
  const run = Bun.spawn(
    [
      ..."timeout 10 strace -f -qq -s 300".split(" "),
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
    .filter((row) => /O_(?:WRONLY|RDWR|CREAT)|(?:creat|unlink|rename|mkdir|symlink)(?:at2?)?\(/.test(row))
    .flatMap((row) => /"([^"]*)"/.exec(row)?.[1] ?? [])
    // git keeps what it learned of files when it looks at them; a shell keeps a long text for its reader.
    .filter((path) => !path.startsWith("/dev/") && !/\.git\/index|\/sh-thd/.test(path));
  return { executed: executed.slice(1), written };
}

const isTraced = need("strace") === undefined && Bun.spawnSync(["strace", "-o", "/dev/null", "true"]).success;
if (!isTraced) process.stderr.write("skip: strace cannot look at other processes here\n");

/** Runs each, in folders of their own, and tells what was not announced. */
async function held(queue: string[]): Promise<{ wrong: unknown[]; ran: number }> {
  const wrong: unknown[] = [];
  let [ran, at] = [0, 0];
  const worker = async () => {
    using dir = scratch();
    dir.write({
      "work/a": "1 2 3\n",
      "work/b.txt": "a[$(touch made)]\n",
      "work/-o": "x\n",
      "work/e": "#!/bin/sh\ntouch made\n",
      "work/src/a.ts": "x\n",
      "work/package.json": "{}\n",
      "home/a": "",
    });
    chmodSync(dir.at("work/e"), 0o755);
    Bun.spawnSync(["git", "init", "-q", dir.at("work")]);
    for (let command = queue.pop(); command !== undefined; command = queue.pop()) {
      const { parts } = judge(command, freshState);
      const named = parts.flatMap(({ program }) => (program === undefined ? [] : [basename(program)]));
      const announced = new Set(named.flatMap((name) => [name, ...(startedBy[name] ?? [])]));
      const { executed, written } = await traced(dir, command, dir.at(`log-${at++}`));
      ran += executed.length > 0 ? 1 : 0;
      const reads = parts.every(({ effects }) => reading(effects));
      const extra = executed.filter((name) => !announced.has(name));
      if (extra.length > 0 || (reads && written.length > 0)) wrong.push({ command, extra, written });
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return { wrong, ran };
}

test.skipIf(!isTraced)(
  "no program runs but those that were announced, and what only reads writes nothing",
  async () => {
    expect(commands.length).toBeGreaterThanOrEqual(300);
    const { wrong, ran } = await held([...commands]);
    expect(wrong).toEqual([]);
    expect(ran).toBeGreaterThanOrEqual(200);
  },
  240_000,
);
