// Runs commands behind the wall until it is killed.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openSandbox, Shell } from "../../packages/host/src/index.ts";

const [base = "", mark = ""] = process.argv.slice(2);
const [project, home] = [join(base, "p"), join(base, "h")];
mkdirSync(home, { recursive: true });
const env = { PATH: process.env.PATH, HOME: home };
const wall = openSandbox({
  mode: () => "workspace",
  folders: [project],
  home,
  closed: [],
  readable: () => [],
  env,
  probeFile: join(home, "sandbox.json"),
  quarantine: join(home, "taken"),
  domains: [],
  ask: async () => "no",
  notify() {},
});
const shell = new Shell({ cwd: project, env, startup: "skip", sandbox: wall });
await shell.canSandbox();
const run = (command: string) =>
  shell.run({ command, side: "inside", timeoutMs: 60_000, signal: new AbortController().signal, onData() {} });
process.stdout.write("begun\n");
void run(`setsid sleep ${mark} & sleep ${mark}`);
for (;;) await run("echo x > made; curl -s http://unlisted.test/; sleep 0.01");
