import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Violation } from "../exec/sandbox/guard/guard.ts";
import { Sandbox, type SandboxOptions } from "../exec/sandbox/sandbox.ts";
import type { ShellCommand } from "../exec/shell/command.ts";
import { Shell } from "../exec/shell/shell.ts";

/** A project in a folder, a home beside it, and a shell in a sandbox around the project. */
export function sandboxed(
  base: string,
  { env: more, name = "work", ...options }: Partial<SandboxOptions> & { name?: string } = {},
) {
  const [project, home] = [join(base, name), join(base, "home")];
  for (const folder of [project, home]) mkdirSync(folder, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, ...more };
  const sandbox = new Sandbox({
    mode: () => "workspace",
    folders: [project],
    home,
    closed: [],
    readable: () => [],
    env,
    probeFile: join(base, "sandbox.json"),
    quarantine: join(base, "taken"),
    domains: [],
    notify() {},
    ...options,
  });
  const shell = new Shell({ cwd: project, env, startup: "skip", sandbox });
  const found: Violation[] = [];
  const ask = async (command: string, more: Partial<ShellCommand> = {}) => {
    let text = "";
    const onData = (chunk: Uint8Array) => {
      text += Buffer.from(chunk).toString();
    };
    const signal = new AbortController().signal;
    const got = await shell.run({ command, side: "inside", timeoutMs: 60_000, signal, onData, ...more });
    if (!got.ok) throw new Error(got.message);
    found.push(...(got.value.violations ?? []));
    const gone = got.value.discarded?.map(({ path, files }) => `${files} ${path.replace(`${base}/`, "")}`).sort();
    return { text, gone };
  };
  return {
    shell,
    sandbox,
    at: (path: string) => join(project, path),
    ask,
    run: async (command: string, more?: Partial<ShellCommand>) => (await ask(command, more)).text,
    /** Lists the paths that were taken back or named so far, from the project. */
    async taken() {
      found.push(...(await sandbox.settle()));
      return found.map(({ path, what }) => `${what} ${path.slice(project.length + 1)}`).sort();
    },
    [Symbol.dispose]() {
      shell[Symbol.dispose]();
      sandbox[Symbol.dispose]();
    },
  };
}
