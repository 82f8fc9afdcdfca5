// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { type Ran, Shell, type ShellCommand } from "../shell/shell.ts";
import { Wall } from "./wall.ts";

const { path: base } = scratch(afterAll);
const [project, home, pith] = ["project", "home", "home/.pith"].map((name) => join(base, name)) as [
  string,
  string,
  string,
];
for (const folder of [`${project}/.git/hooks`, `${project}/.git/objects`, `${project}/.git/refs`, `${home}/.ssh`, pith])
  mkdirSync(folder, { recursive: true });
writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
writeFileSync(join(project, ".git/config"), "[core]\n\tbare = false\n");
writeFileSync(join(home, ".ssh/id_ed25519"), "CANARY");
writeFileSync(join(pith, "auth.json"), "CANARY");

const told: string[] = [];
const env = { ...process.env, HOME: home };
const wall = new Wall({
  mode: () => "workspace",
  folders: [project],
  home,
  closed: [pith],
  shown: () => [],
  env,
  file: join(pith, "sandbox.json"),
  aside: join(pith, "taken"),
  domains: [],
  tell: (text) => told.push(text),
});
const shell = new Shell({ cwd: project, env, startup: "skip", wall, tell: (text) => told.push(text) });
afterAll(() => {
  shell[Symbol.dispose]();
  wall[Symbol.dispose]();
});

async function run(command: string, more: Partial<ShellCommand> = {}): Promise<Ran & { text: string }> {
  let text = "";
  const got = await shell.run({
    command,
    side: "walled",
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onData(chunk) {
      text += Buffer.from(chunk).toString();
    },
    ...more,
  });
  if (!got.ok) throw new Error(got.message);
  return { ...got.value, text };
}

test("a command behind the wall reads and writes the project", async () => {
  const got = await run("echo hi > made; cat made; pwd; echo err >&2");
  expect(got).toMatchObject({ end: "exit", exitCode: 0, text: `hi\n${project}\nerr\n` });
  expect(readFileSync(join(project, "made"), "utf8")).toBe("hi\n");
});
