// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alive, scratch, until } from "@pith/kit/test";
import { commandEnv } from "../env.ts";
import { cgroupPaths } from "../process/cgroup.ts";
import { startWatchdog } from "../process/watchdog.ts";
import type { ShellCommand } from "./command.ts";
import { ownName } from "./runtime.ts";
import { Shell, type ShellOptions } from "./shell.ts";

const folder = scratch();
const dir = folder.path;
const home = join(dir, "home");
mkdirSync(home);
const env = { ...process.env, HOME: home };
const shells: Shell[] = [];
const open = (options: Partial<ShellOptions> = {}) => {
  const shell = new Shell({ cwd: dir, env, startup: "skip", ...options });
  shells.push(shell);
  return shell;
};
const shared = open();
afterAll(() => {
  for (const shell of shells) shell[Symbol.dispose]();
  folder[Symbol.dispose]();
});

async function run(command: string, options: Partial<ShellCommand> = {}, shell = shared) {
  const chunks: Uint8Array[] = [];
  const never = new AbortController().signal;
  const base = { timeoutMs: 60_000, signal: never, onData: (chunk: Uint8Array) => void chunks.push(chunk) };
  const got = await shell.run({ ...base, command, ...options });
  if (!got.ok) throw new Error(`${got.kind}: ${got.message}`);
  return { ...got.value, text: Buffer.concat(chunks).toString("latin1") };
}
let marks = 0;
/** A sleep that can be told from all others. */
const mark = () => `${3000 + process.pid}.${++marks}`;

test("output and exit code come back", async () => {
  expect(await run("echo hi; exit 3")).toMatchObject({ end: "exit", exitCode: 3, text: "hi\n" });
});

test("stdout and stderr keep their order", async () => {
  expect((await run("for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done")).text).toBe(
    [1, 2, 3, 4, 5].map((i) => `out${i}\nerr${i}\n`).join(""),
  );
});

test("a command may open /dev/stdout and /dev/stderr", async () => {
  expect(await run("echo a > /dev/stderr; echo b > /dev/stdout; echo c | tee /dev/stderr")).toMatchObject({
    exitCode: 0,
    text: "a\nb\nc\nc\n",
  });
});

test("bash is the language", async () => {
  expect((await run("[[ abc == a* ]] && echo $BASH_VERSION")).text).toMatch(/^\d+\./);
});

test("stdin is closed: a command that asks gets nothing and goes on", async () => {
  expect(await run("cat; read -p password: x; echo done")).toMatchObject({ end: "exit", text: "done\n" });
  expect((await run("read x < /dev/tty || echo no terminal")).text).toContain("no terminal");
});

test("a signal that ended the command is told", async () => {
  const got = await run("kill -9 $$");
  expect(got).toMatchObject({ end: "exit", signal: "SIGKILL" });
  expect(got.exitCode).toBeUndefined();
});

test("a timeout ends the whole group and keeps what was written", async () => {
  const sleeper = mark();
  const got = await run(`echo begun; sleep ${sleeper} & sleep ${sleeper}`, { timeoutMs: 1500 });
  expect(got).toMatchObject({ end: "timeout", text: "begun\n" });
  expect(alive(sleeper)).toEqual([]);
});

test("a command that ignores SIGTERM is killed", async () => {
  const sleeper = mark();
  const got = await run(`trap '' TERM; (trap '' TERM; sleep ${sleeper}) & sleep ${sleeper}`, { timeoutMs: 100 });
  expect(got).toMatchObject({ end: "timeout", signal: "SIGKILL" });
  expect(alive(sleeper)).toEqual([]);
});

test("an abort ends the command; before the start nothing runs", async () => {
  const sleeper = mark();
  const abort = new AbortController();
  const said: string[] = [];
  const onData = (chunk: Uint8Array) => {
    said.push(Buffer.from(chunk).toString());
    abort.abort();
  };
  expect(await run(`echo a; sleep ${sleeper}`, { signal: abort.signal, onData })).toMatchObject({ end: "abort" });
  expect(said.join("")).toBe("a\n");
  expect(alive(sleeper)).toEqual([]);
  expect(await run("touch made", { signal: AbortSignal.abort() })).toMatchObject({ end: "abort", durationMs: 0 });
  expect(readdirSync(dir)).not.toContain("made");
});

test("a background process neither holds the call nor outlives it", async () => {
  const sleeper = mark();
  const got = await run(`sleep ${sleeper} & nohup sleep ${sleeper} >/dev/null 2>&1 & echo started`);
  expect(got).toMatchObject({ end: "exit", exitCode: 0, text: "started\n", leftovers: true });
  expect(got.durationMs).toBeLessThan(50_000);
  expect(alive(sleeper)).toEqual([]);
});

test("a process that left the group, its session and its parent neither hangs the call nor outlives it", async () => {
  const sleeper = mark();
  const got = await run(
    `setsid sh -c 'sleep ${sleeper}; echo late' & (setsid nohup sleep ${sleeper} >/dev/null 2>&1 &) ; sleep 0.05; echo $!`,
  );
  expect(got).toMatchObject({ end: "exit", leftovers: true });
  expect(got.durationMs).toBeLessThan(50_000);
  expect(got.text).not.toContain("late");
  expect(alive(sleeper)).toEqual([]);
});

test("output that is still on its way when the shell exits is not lost", async () => {
  expect((await run("exec > >(cat; sleep 0.03; echo end); echo begin")).text).toBe("begin\nend\n");
});

test("large output arrives complete", async () => {
  expect((await run("head -c 20000000 /dev/zero")).text.length).toBe(20_000_000);
});

test("pagers, editors and prompts are disarmed, CI is set, and own values win", async () => {
  expect((await run("echo $AI_AGENT")).text).toBe("pith\n");
  const show = "echo $PAGER $GIT_PAGER $GIT_EDITOR $EDITOR $GIT_TERMINAL_PROMPT $CI";
  expect((await run(show)).text).toBe("cat cat true true 0 true\n");
  expect((await run(show, { env: { EDITOR: "ed", CI: "no" } })).text).toBe("cat cat true ed 0 no\n");
  expect((await run(show)).text).toBe("cat cat true true 0 true\n");
  expect(commandEnv({ PITH_BASH_NO_CI: "1" }).CI).toBeUndefined();
});

test("what never ran is a failure with a reason", async () => {
  const kind = async (options: Partial<ShellCommand>, shell = shared) => {
    const got = await shell.run({
      command: "true",
      timeoutMs: 1000,
      signal: new AbortController().signal,
      onData() {},
      ...options,
    });
    return got.ok ? "ran" : got.kind;
  };
  expect(await kind({ command: "echo \0" })).toBe("command");
  expect(await kind({}, open({ shell: "/no/such/bash" }))).toBe("spawn");
});

test("when there is no room to prepare a command, it fails, nothing is left, and the next one may run", async () => {
  const shell = open();
  const [, folder = ""] = />\|'(.*)\/\d+\.state'/.exec((await run('echo "$PITH_RUN_END"', {}, shell)).text) ?? [];
  renameSync(folder, `${folder}-away`);
  const got = await shell.run({ command: "true", timeoutMs: 1000, signal: new AbortController().signal, onData() {} });
  expect(got).toMatchObject({ ok: false, kind: "spawn" });
  renameSync(`${folder}-away`, folder);
  expect(await run("echo again", {}, shell)).toMatchObject({ text: "again\n" });
});

test("a command of a megabyte runs", async () => {
  expect(await run(`x=${"y".repeat(1_000_000)}; echo \${#x}; false`)).toMatchObject({ exitCode: 1, text: "1000000\n" });
});

test("invalid UTF-8 and binary output pass as bytes", async () => {
  expect((await run("printf '\\377\\376\\000x'")).text).toBe("\xff\xfe\0x");
});

test("directory, variables, functions, aliases and umask last from call to call, options do not", async () => {
  const shell = open();
  mkdirSync(join(dir, "deep", "er"), { recursive: true });
  await run(
    "cd deep; export A=1; b='two  words'; c=(x 'y z'); declare -A d=([k]='$v'); f() { echo f:$1; }; alias hi='echo alias'",
    {},
    shell,
  );
  await run("set -u; umask 027; g() { [[ $1 == +(a) ]] && echo yes; }", {}, shell);
  const got = await run('echo "$A $b ${c[1]} ${d[k]}"; f 1; hi; pwd; umask; g aaa; echo $-; env | grep ^A=', {}, shell);
  expect(got.text).toMatch(/^1 two {2}words y z \$v\nf:1\nalias\n.*\/deep\n0027\nyes\n[^u\n]*\nA=1\n$/);
  expect(got.cwd).toBe(join(dir, "deep"));
  expect(shell.cwd).toBe(join(dir, "deep"));
  await run("unset A; unset -f f; unalias hi", {}, shell);
  expect((await run("echo ${A-none}; type f hi 2>&1 | grep -c 'not found'", {}, shell)).text).toBe("none\n2\n");
  expect((await run("echo ${A-none}")).text).toBe("none\n");
});

test("an exported function is still one in the next call", async () => {
  const shell = open();
  await run("f() { echo from f; }; g() { :; }; export -f f", {}, shell);
  expect((await run("bash -c 'f; type g' 2>&1 | grep -c not.found; bash -c f", {}, shell)).text).toBe("1\nfrom f\n");
});

test("what was unset stays unset, also when the environment of pith has it", async () => {
  const shell = open({ env: { ...env, INHERITED: "yes" } });
  expect((await run("echo $INHERITED; unset INHERITED", {}, shell)).text).toBe("yes\n");
  expect((await run("echo ${INHERITED-gone}", {}, shell)).text).toBe("gone\n");
});

test("a command that exits, fails or sets a trap keeps its state; one that was killed does not", async () => {
  const shell = open();
  expect(await run("x=1; exit 3", {}, shell)).toMatchObject({ exitCode: 3 });
  expect(await run("echo $x; x=2; false", {}, shell)).toMatchObject({ exitCode: 1, text: "1\n" });
  expect(await run("trap 'echo bye' EXIT; echo $x; x=3", {}, shell)).toMatchObject({ exitCode: 0, text: "2\nbye\n" });
  expect(await run("set -e; echo $x; x=4; false; echo never", {}, shell)).toMatchObject({ exitCode: 1, text: "3\n" });
  expect(await run("echo $x; x=5; kill -9 $$", {}, shell)).toMatchObject({ signal: "SIGKILL", text: "4\n" });
  expect(await run("echo $x $-; x=6; sleep 9", { timeoutMs: 100 }, shell)).toMatchObject({ end: "timeout" });
  expect((await run("echo $x; [[ $- == *e* ]] || echo lenient", {}, shell)).text).toBe("4\nlenient\n");
});

test("a trace shows the command and nothing of ours", async () => {
  const shell = open();
  expect((await run("set -x; echo a", {}, shell)).text).toBe("++ echo a\na\n");
  expect((await run("echo b", {}, shell)).text).toBe("b\n");
});

test("a directory for one call is left again, one that was moved to is not", async () => {
  const shell = open();
  mkdirSync(join(dir, "one"), { recursive: true });
  const there = join(dir, "one");
  expect(await run("pwd", { cwd: there }, shell)).toMatchObject({ text: `${there}\n`, cwd: dir });
  expect(await run("pwd", {}, shell)).toMatchObject({ text: `${dir}\n` });
  expect(await run("cd one", { cwd: dir }, shell)).toMatchObject({ cwd: there });
  expect((await run("pwd", {}, shell)).text).toBe(`${there}\n`);
  expect((await run("rmdir ../one; cd ..; mkdir one; cd one; rmdir ../one", {}, shell)).cwd).toBe(dir);
  expect((await run("pwd", {}, shell)).text).toBe(`${dir}\n`);
});

test("commands that run side by side begin with the same state and get chance numbers of their own", async () => {
  const shell = open();
  await run("n=1", {}, shell);
  const all = await Promise.all([1, 2, 3, 4].map(() => run("echo $n $RANDOM; sleep 0.05", {}, shell)));
  expect(all.map(({ text }) => text.split(" ")[0])).toEqual(["1", "1", "1", "1"]);
  expect(new Set(all.map(({ text }) => text)).size).toBeGreaterThan(1);
});

test("what runs beside the session leaves nothing in it, and has no time set when none was wanted", async () => {
  const shell = open();
  await run("n=1", {}, shell);
  const [go, later] = [join(dir, "go"), join(dir, "later")];
  const begin = async (command: string, timeoutMs = 60_000) => {
    const begun = await shell.start({ command, timeoutMs, signal: new AbortController().signal, onData() {} });
    if (!begun.ok) throw new Error(begun.message);
    return begun.value;
  };
  const waits = `until [ -e ${go} ]; do sleep 0.01; done`;
  const waitsLong = `until [ -e ${later} ]; do sleep 0.01; done`;
  const job = await begin(`cd /; n=job; ${waits}`, 300);
  job.toBackground("unlimited");
  const idle = await begin(waits);
  const busy = await begin(`${waitsLong}; m=busy`);
  await run("n=2; export K=1; sleep 0.4", {}, shell);
  writeFileSync(go, "");
  expect(await job.done).toMatchObject({ end: "exit", exitCode: 0, cwd: dir });
  await idle.done;
  expect((await run("echo $n $K $PWD", {}, shell)).text).toBe(`2 1 ${dir}\n`);
  writeFileSync(later, "");
  await busy.done;
  expect((await run("echo $m", {}, shell)).text).toBe("busy\n");
});

test("$$ is the command's own process", async () => {
  expect(
    (await run('[[ $$ == $BASHPID && $(ps -o pgid= -p $$ | tr -d " ") == $$ ]] && echo own; echo "$0 $# $LINENO"'))
      .text,
  ).toBe("own\nbash 0 1\n");
});

test("the user's start-up files count: aliases, functions, variables; and they run once", async () => {
  writeFileSync(
    join(home, ".bash_profile"),
    `export FROM_PROFILE=1 PAGER=less; echo noise; echo x >> ${dir}/starts; . ~/.bashrc`,
  );
  writeFileSync(
    join(home, ".bashrc"),
    "case $- in *i*) ;; *) return;; esac\nalias ll='echo listing'; greet() { echo hello $1; }; set -m",
  );
  const shell = open({ startup: "read" });
  expect((await run("ll; greet you; echo $FROM_PROFILE $PAGER $-", {}, shell)).text).toMatch(
    /^listing\nhello you\n1 cat [^m]*\n$/,
  );
  await run("true", {}, shell);
  expect(readFileSync(join(dir, "starts"), "utf8")).toBe("x\n");
  rmSync(join(home, ".bash_profile"));
  expect((await run("ll", {}, open({ startup: "read" }))).text).toBe("listing\n");
});

test("start-up files that are broken, exit or cannot be read do not stop a command", async () => {
  const said: string[] = [];
  for (const rc of ["if [", "exit 7", "exec /bin/false"]) {
    writeFileSync(join(home, ".bashrc"), rc);
    expect((await run("echo runs", {}, open({ startup: "read", notify: (text) => said.push(text) }))).text).toBe(
      "runs\n",
    );
  }
  expect(said).toHaveLength(2);
  expect(said[0]).toContain("they ended with 7");
  writeFileSync(join(home, ".bashrc"), "");
  chmodSync(join(home, ".bashrc"), 0o000);
  expect((await run("echo runs", {}, open({ startup: "read" }))).text).toBe("runs\n");
});

test("a profile that ends in another shell does not cost the aliases of ~/.bashrc", async () => {
  rmSync(join(home, ".bashrc"), { force: true });
  writeFileSync(join(home, ".bash_profile"), "exec /bin/false");
  writeFileSync(join(home, ".bashrc"), "alias ll='echo listing'");
  expect((await run("ll", {}, open({ startup: "read" }))).text).toBe("listing\n");
  rmSync(join(home, ".bash_profile"));
});

test("without bash, sh keeps directory and exported variables", async () => {
  const shell = open({ shell: "/bin/sh" });
  await run("cd /; export A='it'\\''s'", {}, shell);
  expect(await run("pwd; echo $A; exit 4", {}, shell)).toMatchObject({ exitCode: 4, text: "/\nit's\n" });
});

test("a prefix stands before every command", async () => {
  expect((await run("sh -c 'echo $X'", {}, open({ prefix: "env X=1" }))).text).toBe("1\n");
});

test("a shell that nobody disposed of does not keep a process from ending, and leaves nothing", async () => {
  const script = `
    import { Shell } from ${JSON.stringify(join(import.meta.dir, "shell.ts"))};
    const shell = new Shell({ cwd: "/", env: process.env, startup: "skip" });
    const { signal } = new AbortController();
    const onData = (chunk) => process.stdout.write(chunk);
    await shell.run({ command: "sleep 0.1; echo $PITH_RUN", timeoutMs: 60000, signal, onData });`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", timeout: 60_000 });
  const id = (await new Response(child.stdout).text()).split(".")[0] ?? "";
  expect(await child.exited).toBe(0);
  expect(id).toMatch(/^[0-9a-f-]{13}$/);
  await until(() => alive(id).length === 0, "its end");
});

test("a program that a detached command begins in that very moment is let go with it", async () => {
  for (let round = 0; round < 6; round++) {
    const shell = open();
    const log = join(dir, `detached-${round}`);
    const command = "echo begun; for i in $(seq 150); do /bin/true; done; echo done";
    const said = Promise.withResolvers<void>();
    const onData = () => said.resolve();
    const begun = await shell.start({ command, timeoutMs: 60_000, signal: new AbortController().signal, onData });
    if (!begun.ok) throw new Error(begun.message);
    await said.promise;
    // Another moment each time.
    await Bun.sleep(round * 3);
    expect(begun.value.detach(log)).toBe("detached");
    await begun.value.done;
    shell[Symbol.dispose]();
    await until(() => readFileSync(log, "utf8").includes("done"), "its end");
    expect(readFileSync(log, "utf8")).toBe("done\n");
  }
});

test("a command that is let go before it has begun does its work all the same", async () => {
  for (let round = 0; round < 4; round++) {
    const shell = open();
    const log = join(dir, `at-once-${round}`);
    const begun = await shell.start({
      command: "sleep 0.2; echo done",
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      onData() {},
    });
    if (!begun.ok) throw new Error(begun.message);
    expect(begun.value.detach(log)).toBe("detached");
    await begun.value.done;
    shell[Symbol.dispose]();
    await until(() => readFileSync(log, "utf8").includes("done"), "its end");
  }
});

test("what somebody left who was killed with the watcher is removed by the next, what is in use is not", async () => {
  const gone = Bun.spawn(["/bin/true"]);
  await gone.exited;
  const named = (pid: number, id: string) => join(dir, ownName(id).replace(`.${process.pid}-`, `.${pid}-`));
  const [dead, living, group] = [named(gone.pid, "a"), named(process.pid, "b"), named(gone.pid, "c")];
  for (const folder of [dead, living, join(group, "1")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(dead, "start.state"), "x");
  writeFileSync(join(living, "start.state"), "x");
  startWatchdog({ groups: [], folders: [named(process.pid, "own")], variable: "NONE=1", env })?.[Symbol.dispose]();
  await until(() => !existsSync(dead) && !existsSync(group), "clean folders");
  expect(existsSync(living)).toBe(true);
});

test("a limit on files that a command sets does not make a signal of its end", async () => {
  const ran = await run("ulimit -f 1; head -c 9000 /dev/zero >big; echo on; exit 3", {}, open());
  expect(ran).toMatchObject({ end: "exit", exitCode: 3, text: expect.stringContaining("on\n") });
  expect(ran.signal).toBeUndefined();
});

test("many commands leave no descriptor, listener, process, control group or file behind", async () => {
  const shell = open();
  const open_ = () => [readdirSync("/proc/self/fd").length, process.listenerCount("exit")];
  const { text } = await run("echo $PITH_RUN", {}, shell);
  const id = text.split(".")[0] ?? "";
  await until(() => alive(id).length === 4, "the watcher and three shells ahead");
  const before = open_();
  for (let i = 0; i < 40; i++) await run(i % 10 ? "echo x" : "sleep 5 &", {}, shell);
  await until(
    () => open_().every((count, at) => count <= (before[at] ?? 0)),
    "as few descriptors and listeners as before",
  );
  shell[Symbol.dispose]();
  const groups = [...cgroupPaths(ownName(id)), ...["/dev/shm", tmpdir()].map((place) => join(place, ownName(id)))];
  await until(
    () => !groups.some((path) => existsSync(path)) && alive(id).length === 0,
    "the end of groups and processes",
  );
});
