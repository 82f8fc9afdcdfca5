// Command lines that hide what they do, run for real where no sandbox stands: nothing changes and no key is shown.
import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { attacks } from "../../packages/coder/src/test/attacks.ts";
import { hostileRepositories } from "../../packages/coder/src/test/hostile-repositories.ts";
import { envOf, program, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

/** Every entry of the scratch directory, with its bytes, but the files of pith and of its runtime. */
async function everything(dir: Scratch): Promise<string> {
  const look =
    "find work out home \\( -path home/.pith -o -path home/.bun \\) -prune -o -type f -print -exec cksum {} + -o -print | sort";
  return (await run(["sh", "-c", look], { cwd: dir.path, env: { PATH: process.env.PATH ?? "" } })).out;
}

/** Runs pith with limits of processor time and file size around it. */
function limited(dir: Scratch, argv: readonly string[]) {
  const limits = 'ulimit -t 60 -f 200000; exec timeout 60 "$@"';
  return run(["bash", "-c", limits, "bash", ...program, ...argv], { cwd: dir.at("work"), env: envOf(dir) });
}

for (const mode of ["write", "plan"])
  test(`in ${mode} without a sandbox no line that hides what it does runs`, async () => {
    using dir = scratch();
    dir.write({
      "work/a": "touch pwn\n",
      "work/arith": "a[$(touch pwn)]\n",
      "work/file": "#!/bin/sh\ntouch pwn\n",
      "work/.git/hooks/.keep": "",
      "home/.ssh/id_rsa": "CANARY",
      "out/secret.txt": "CANARY",
      "tmp/.keep": "",
    });
    symlinkSync(dir.at("out"), dir.at("work/lnk"));
    const lines = Object.values(attacks).flat();
    for (const [index, files] of Object.values(hostileRepositories).entries()) {
      dir.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`work/repo${index}/${name}`, text])));
      lines.push(`cd repo${index} && git status`, `git -C . -C repo${index} diff`);
    }
    const calls = lines.map((command) => ({ tool: "bash", input: { command, timeout: 5 } }));
    const turns = calls.flatMap((_, at) => (at % 20 === 0 ? [{ calls: calls.slice(at, at + 20) }] : []));
    const model = scripted(dir, ...turns, { text: "done" });
    const before = await everything(dir);
    const argv = ["-p", "go", "--sandbox", "off", "--approval", mode, "--mode", "json", ...model];
    const { out } = await limited(dir, argv);
    expect(await everything(dir)).toBe(before);
    const ended = out.split("\n").filter((line) => line.includes('"tool_execution_end"'));
    expect(ended).toHaveLength(lines.length);
    expect(ended.filter((line) => !line.includes("Not run"))).toEqual([]);
    expect(out).not.toContain("CANARY");
  }, 90_000);
