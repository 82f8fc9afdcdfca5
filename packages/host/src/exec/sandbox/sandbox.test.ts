// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { scratch, until } from "@pith/kit/test";
import type { ShellCommand, ShellResult } from "../shell/command.ts";
import { persistentTemp, ShellRuntime } from "../shell/runtime.ts";
import { Shell } from "../shell/shell.ts";
import { findHidden } from "./plan/hidden.ts";
import { makePlan } from "./plan/plan.ts";
import { probeSandbox } from "./probe.ts";
import { Sandbox, type SandboxOptions } from "./sandbox.ts";
import { seatbeltText } from "./seatbelt.ts";

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
const options: SandboxOptions = {
  mode: () => "workspace",
  folders: [project],
  home,
  closed: [pith],
  readable: () => [],
  env,
  probeFile: join(pith, "sandbox.json"),
  quarantine: join(pith, "taken"),
  domains: [],
  notify: (text) => told.push(text),
};
const wall = new Sandbox(options);
const shell = new Shell({ cwd: project, env, startup: "skip", sandbox: wall, notify: (text) => told.push(text) });
afterAll(() => {
  shell[Symbol.dispose]();
  wall[Symbol.dispose]();
});

async function run(
  command: string,
  more: Partial<ShellCommand> = {},
  on = shell,
): Promise<ShellResult & { text: string }> {
  let text = "";
  const got = await on.run({
    command,
    side: "inside",
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

test("a command in the sandbox reads and writes the project", async () => {
  const got = await run("echo hi > made; cat made; pwd; echo err >&2");
  expect(got).toMatchObject({ end: "exit", exitCode: 0, text: `hi\n${project}\nerr\n` });
  expect(readFileSync(join(project, "made"), "utf8")).toBe("hi\n");
});

test("how a command ended is told as it is without a wall", async () => {
  expect(await run("exit 3")).toMatchObject({ end: "exit", exitCode: 3 });
  expect(await run("sh -c 'kill -9 $$'")).toMatchObject({ end: "exit", exitCode: 137 });
  expect(await run("kill -9 $$")).toMatchObject({ end: "exit", signal: "SIGKILL" });
  const got = await run("trap 'echo asked; exit 1' TERM; echo up; while :; do sleep 0.02; done", { timeoutMs: 400 });
  expect(got).toMatchObject({ end: "timeout", text: expect.stringMatching(/^up\n[\s\S]*asked\n$/) });
  const left = await run("sleep 300 & setsid sleep 301 & echo begun");
  expect([left.text, left.leftovers]).toEqual(["begun\n", true]);
  expect((await run("sleep 0.01 & wait; echo")).leftovers).toBeUndefined();
});

test("plain variables and the directory go through the wall, and nothing that says what programs do", async () => {
  await run("mkdir -p sub; cd sub; export PLAIN='a b' PATH=/evil:$PATH LD_PRELOAD=/evil.so GIT_DIR=/evil; own=1");
  await run("export DOTNET_STARTUP_HOOKS=/evil APP_PLUGINS=/evil GTK_MODULES=/evil TOOL_CMD=/evil histchars=evil");
  await run(
    "export RSYNC_RSH=/evil PYTEST_ADDOPTS=/evil TOOL_RSH=/evil COVERAGE_PROCESS_START=/evil shell_escape=evil",
  );
  await run("f() { echo inside; }; alias ll=evil; export BASH_ENV=/evil; umask 0");
  const open = await run(
    'pwd; echo "$PLAIN" "$own"; echo "${PATH%%:*}" "$LD_PRELOAD$GIT_DIR$BASH_ENV"; env; echo $histchars; type f ll 2>&1; umask',
    { side: "outside" },
  );
  expect(open.text).toContain(`${project}/sub\na b 1\n`);
  expect(open.text).not.toMatch(/evil|inside/);
  expect(open.text).toMatch(/^00?22\n$/m);
  await run("g() { echo outside; }; export PATH=/mine:$PATH PLAIN=new; alias hi='echo hello'; cd ..", {
    side: "outside",
  });
  const again = await run("f; g; hi; echo $PLAIN; echo ${PATH%%:*}; pwd; echo $GIT_DIR");
  expect(again.text).toBe(`inside\noutside\nhello\nnew\n/mine\n${project}\n/evil\n`);
  await run("unset -f f; unset GIT_DIR LD_PRELOAD BASH_ENV; umask 022");
});

test("a folder in the session's own /tmp is the same for the next command, on either side of the sandbox", async () => {
  const name = `pith-twin-${crypto.randomUUID()}`;
  const twin = join("/tmp", name);
  mkdirSync(twin);
  writeFileSync(join(twin, "whose"), "another's\n");
  try {
    await run(`mkdir /tmp/${name}; echo ours > /tmp/${name}/whose; cd /tmp/${name}`);
    for (const side of ["inside", "outside"] as const) expect((await run("cat whose", { side })).text).toBe("ours\n");
    // What only that one command had is left again.
    expect((await run("mkdir /var/tmp/x; cd /var/tmp/x")).cwd).toEndWith(name);
    await run(`cd ${project}`);
  } finally {
    rmSync(twin, { recursive: true });
  }
});

test("a state that a command forged is read as data", async () => {
  // In the sandbox there is no such place; outside there is.
  const mark = join(home, "forged");
  const forged = [
    `declare -x ok="yes \\$(touch ${mark})"`,
    `declare -x evil="$(touch ${mark})"`,
    `declare -i sum="a[$(touch ${mark})]"`,
    `declare -n name="a[$(touch ${mark})]"`,
    `touch ${mark}; ok2=\`touch ${mark}\``,
    `declare -x tail="x"; touch ${mark}`,
  ].join("\n");
  writeFileSync(join(project, "forge"), `${forged}\n\\builtin return 0 #COOKIE\n\n${project}\n`);
  // It writes what it leaves itself, in the place of what the shell would write.
  await run('d=$(echo /dev/shm/pith-shell-*/*/); PITH_RUN_END="sed s/COOKIE/$PITH_RUN/ forge > $d/state"');
  const open = await run('ls; echo "$ok|$evil|$sum|$ok2|$tail"', { side: "outside" });
  expect(open.text).toEndWith(`yes $(touch ${mark})||||\n`);
  expect(existsSync(mark)).toBe(false);
  // Nor is anything read that is no file.
  for (const trick of ["mkfifo $d/state", "ln -s /etc/passwd $d/state", "mkdir $d/state", "truncate -s 64M $d/state"])
    expect(await run(`d=$(echo /dev/shm/pith-shell-*/*/); PITH_RUN_END="rm -f $d/state; ${trick}"; :`)).toMatchObject({
      exitCode: 0,
      cwd: project,
    });
});

test("the commands of a session have a network of their own", async () => {
  const stop = new AbortController();
  const job = shell.run({
    command: "python3 -m http.server 8123 --bind 127.0.0.1",
    side: "inside",
    timeoutMs: 20_000,
    signal: stop.signal,
    onData() {},
  });
  const got = await run("for i in $(seq 100); do curl -sf http://localhost:8123/made && break; sleep 0.05; done");
  expect(got.text).toBe("hi\n");
  expect((await run("curl -s http://localhost:8123/", { side: "outside" })).exitCode).toBe(7);
  stop.abort();
  await job;
});

test("a job that is let go outlives its session and stays in the sandbox", async () => {
  const [log, outside, waits] = [join(base, "let-go.log"), join(home, "from-job"), join(project, "go")];
  const its = new Sandbox(options);
  const session = new Shell({ cwd: project, env, startup: "skip", sandbox: its });
  const said = Promise.withResolvers<void>();
  const begun = await session.start({
    command: `echo begun; until [ -e ${waits} ]; do sleep 0.05; done
cat ${home}/.ssh/id_ed25519 ${pith}/auth.json
echo x >${outside}; echo x >>.git/config; echo x >from-job; echo y >/tmp/its && cat /tmp/its
grep CapEff /proc/self/status
ls -d /proc/${process.pid}; echo end`,
    side: "inside",
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onData: () => said.resolve(),
  });
  if (!begun.ok) throw new Error(begun.message);
  await said.promise;
  expect(begun.value.detach(log)).toBe("detached");
  expect((await begun.value.done).end).toBe("detached");
  session[Symbol.dispose]();
  its[Symbol.dispose]();
  writeFileSync(waits, "");
  await until(() => readFileSync(log, "utf8").endsWith("end\n"), "its end");
  const text = readFileSync(log, "utf8");
  expect(text).toContain("CapEff:\t0000000000000000\n");
  expect(text).toContain(`/proc/${process.pid}': No such file`);
  expect(text).toContain("y\n");
  expect(text.match(/Read-only file system/g)).toHaveLength(1);
  expect(text).not.toContain("CANARY");
  expect([existsSync(outside), readFileSync(join(project, "from-job"), "utf8")]).toEqual([false, "x\n"]);
  expect(readFileSync(join(project, ".git/config"), "utf8")).toBe("[core]\n\tbare = false\n");
  for (const path of [waits, join(project, "from-job")]) rmSync(path);
  const kept = () => readdirSync(persistentTemp()).filter((name) => name.includes(`.${begun.value.pid}-`));
  expect(kept()).toHaveLength(1);
  await until(() => !existsSync(`/proc/${begun.value.pid}`), "its last process");
  const next = new Shell({ cwd: project, env, startup: "skip" });
  await run("true", { side: "outside" }, next);
  next[Symbol.dispose]();
  await until(() => kept().length === 0, "the next session has cleared away after it");
});

test("what a job makes is taken back while it still runs, and what others may make stays", async () => {
  const stop = new AbortController();
  const job = shell.run({
    command: "mkdir -p .github/workflows; echo x > .github/workflows/ci.yml; sleep 20",
    side: "inside",
    timeoutMs: 30_000,
    signal: stop.signal,
    onData() {},
  });
  await until(
    () => existsSync(join(pith, "taken")) && readdirSync(join(pith, "taken")).length > 0,
    "that it is taken back",
  );
  expect(existsSync(join(project, ".github/workflows"))).toBe(false);
  wall.accept([join(project, ".gitlab-ci.yml")]);
  writeFileSync(join(project, ".gitlab-ci.yml"), "mine");
  stop.abort();
  const ended = await job;
  expect(ended.ok && ended.value.violations?.map(({ what }) => what)).toEqual(["taken back"]);
  expect(readFileSync(join(project, ".gitlab-ci.yml"), "utf8")).toBe("mine");
  rmSync(join(project, ".gitlab-ci.yml"));
});

test("a protected file that somebody outside replaces is named or taken back, and protected from then on", async () => {
  const before = readFileSync(join(project, ".git/config"), "utf8");
  const running = run("touch begun; until [ -e go ]; do sleep 0.02; done; echo x > .git/config");
  await until(() => existsSync(join(project, "begun")), "the start");
  // As `git remote add` does: the second time the number of the file comes back.
  for (const text of ["[core]\n", "[core]\n[remote]\n"]) {
    writeFileSync(join(project, ".git/config.lock"), text);
    renameSync(join(project, ".git/config.lock"), join(project, ".git/config"));
  }
  writeFileSync(join(project, "go"), "");
  // What the command then wrote is gone, and with it what it wrote over.
  expect((await running).violations).toMatchObject([{ what: "taken back", path: join(project, ".git/config") }]);
  expect(readFileSync(join(project, ".git/config"), "utf8")).toBe(before);
  rmSync(join(project, "go"));
  expect((await run("echo y > .git/config")).text).toContain("Read-only file system");
});

test("a project that is the root of all is only read, and one that is the home keeps what runs by itself", async () => {
  const of = (folder: string) =>
    makePlan({
      mode: "workspace",
      folders: [folder],
      home,
      closed: [pith],
      readable: [],
      tmp: "/tmp/x",
      repositories: [],
      closedByRule: [],
      env: {},
    });
  expect([of("/").writable, of("/").warnings]).toEqual([[], [expect.stringContaining("root of the file system")]]);
  writeFileSync(join(home, ".bashrc"), "");
  const plan = of(home);
  expect(plan.readOnly).toContain(join(home, ".bashrc"));
  expect(plan.watched).toContain(join(home, ".zshrc"));
  expect(plan.hidden.map(({ path }) => path)).toEqual(expect.arrayContaining([pith, join(home, ".ssh")]));
  expect(of(pith).writable).toEqual([]);
  expect(seatbeltText(plan, "/own")).toContain(`(subpath "${home}/.ssh")`);
});

test("in a project that is the home, keys and pith's own files stay hidden, and where they are", async () => {
  mkdirSync(join(home, ".config/gcloud"), { recursive: true });
  writeFileSync(join(home, ".config/gcloud/db"), "CANARY");
  using around = new Sandbox({ ...options, folders: [home] });
  using inHome = new Shell({ cwd: home, env, startup: "skip", sandbox: around });
  const seen = "cat .pith/auth.json .config/gcloud/db moved/gcloud/db .ssh/*; ls -A .pith .config/gcloud";
  const got = await run(`${seen}; mv .config moved; mv .pith p`, {}, inHome);
  expect(got.text).not.toContain("CANARY");
  expect(got.text).toContain("cannot move '.config'");
  expect((await run(`${seen}; echo x > .config/made && cat .config/made`, {}, inHome)).text).toEndWith("x\n");
  expect(readFileSync(join(pith, "auth.json"), "utf8")).toBe("CANARY");
});

test.skipIf(process.getuid?.() !== 0)("root is told that commands cannot write what is only another user's", () => {
  const folder = join(base, "theirs");
  mkdirSync(folder);
  const of = () =>
    makePlan({
      ...options,
      mode: "workspace",
      folders: [folder],
      readable: [],
      tmp: "/tmp/x",
      repositories: [],
      closedByRule: [],
    }).warnings;
  expect(of()).toEqual([]);
  chownSync(folder, 65534, 65534);
  expect(of()).toEqual([expect.stringContaining("belongs to another user")]);
});

test("what a rule hides in a folder that is protected leaves the folders around it protected", () => {
  const inner = join(project, ".github/workflows/inner");
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, "secret"), "x");
  const shut = [{ path: join(inner, "secret"), kind: "file" as const }];
  const ground = { mode: "workspace", folders: [project], home, closed: [pith], readable: [], tmp: "/tmp/x" } as const;
  const { pinned, readOnly: sealed } = makePlan({ ...ground, repositories: [], env: {}, closedByRule: shut });
  expect(sealed).toContain(join(project, ".github/workflows"));
  expect(pinned).toContain(join(project, ".github"));
  expect(pinned).not.toContain(inner);
  rmSync(join(project, ".github"), { recursive: true });
});

test("bubblewrap that is missing, forbidden or hangs is told, and nothing is run in its place", async () => {
  for (const [text, why] of [
    ["exit 1", "ended with 1"],
    ["echo no permission >&2; exit 1", "no permission"],
    ["sleep 60", "did not answer"],
  ] as const) {
    const bin = join(base, crypto.randomUUID());
    mkdirSync(bin);
    writeFileSync(join(bin, "bwrap"), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const plan = makePlan({
      mode: "workspace",
      folders: [project],
      home,
      closed: [pith],
      readable: [],
      tmp: join(bin, "t"),
      repositories: [],
      closedByRule: [],
      env: {},
    });
    const file = join(bin, "sandbox.json");
    expect(await probeSandbox({ env: { PATH: bin }, file, plan: () => plan })).toMatchObject({
      ok: false,
      message: expect.stringContaining(why),
    });
    // It is remembered: another try would take as long again.
    const began = performance.now();
    await probeSandbox({ env: { PATH: bin }, file, plan: () => plan });
    expect(performance.now() - began).toBeLessThan(500);
  }
}, 20_000);

test("a session's folder that goes while a command runs in the sandbox ends all of pith", async () => {
  using ground = new ShellRuntime({ env, configured: undefined, limits: {} });
  using session = new Shell({ cwd: project, env, startup: "skip", sandbox: wall, runtime: ground });
  const signal = new AbortController().signal;
  const started = await session.start({ command: "sleep 0.1", side: "inside", timeoutMs: 20_000, signal, onData() {} });
  const opened = await ground.open();
  if (!started.ok || !opened.ok) throw new Error("it did not begin");
  rmSync(opened.value.folder, { recursive: true });
  expect((await started.value.done).end).toBe("exit");
  // The shells of the next commands are made behind that.
  await new Promise((done) => setImmediate(() => setImmediate(done)));
  const next = await session.run({ command: "true", side: "inside", timeoutMs: 20_000, signal, onData() {} });
  expect(next).toMatchObject({ ok: false, kind: "spawn" });
});

test("keys of tools are hidden wherever in the home these keep them", () => {
  const own = join(base, "keys");
  const names = `.ssh .config/pip .composer/auth.json .cache/huggingface/token .config/containers/auth.json .kaggle
    .s3cfg .boto .claude.json .netrc`.split(/\s+/);
  for (const name of names) mkdirSync(join(own, name), { recursive: true });
  const { present } = findHidden({ home: own, closed: [], env: {} });
  const hidden = present.map(({ path }) => path);
  for (const name of names) expect(hidden).toContain(join(own, name));
});
