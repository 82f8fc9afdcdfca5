import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandEnv } from "./env.ts";
import { runShell, type ShellCommand } from "./shell.ts";

const dir = mkdtempSync(join(tmpdir(), "pith-shell-"));
afterAll(() => rmSync(dir, { recursive: true }));

async function run(command: string, options: Partial<ShellCommand> = {}) {
  const chunks: Uint8Array[] = [];
  const never = new AbortController().signal;
  const base = { cwd: dir, env: commandEnv(process.env), timeoutMs: 10_000, signal: never, onData: (chunk: Uint8Array) => void chunks.push(chunk) };
  const got = await runShell({ ...base, command, ...options });
  if (!got.ok) throw new Error(`${got.kind}: ${got.message}`);
  return { ...got.value, text: Buffer.concat(chunks).toString("latin1") };
}
/** Live processes (zombies do not count) with this text in their arguments. */
const alive = (mark: string) =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && Number(pid) !== process.pid && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(mark);
    } catch {
      return false;
    }
  });
let marks = 0;
/** A sleep that can be told from all others. */
const mark = () => `${3000 + process.pid}.${++marks}`;

test("output and exit code come back", async () => {
  expect(await run("echo hi; exit 3")).toMatchObject({ end: "exit", exitCode: 3, text: "hi\n" });
});

test("stdout and stderr keep their order", async () => {
  expect((await run("for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done")).text).toBe([1, 2, 3, 4, 5].map((i) => `out${i}\nerr${i}\n`).join(""));
});

test("a command may open /dev/stdout and /dev/stderr", async () => {
  expect(await run("echo a > /dev/stderr; echo b > /dev/stdout; echo c | tee /dev/stderr")).toMatchObject({ exitCode: 0, text: "a\nb\nc\nc\n" });
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
  const own = mark();
  const got = await run(`echo begun; sleep ${own} & sleep ${own}`, { timeoutMs: 200 });
  expect(got).toMatchObject({ end: "timeout", text: "begun\n" });
  expect(alive(own)).toEqual([]);
});

test("a command that ignores SIGTERM is killed", async () => {
  const own = mark();
  const got = await run(`trap '' TERM; (trap '' TERM; sleep ${own}) & sleep ${own}`, { timeoutMs: 100 });
  expect(got).toMatchObject({ end: "timeout", signal: "SIGKILL" });
  expect(got.durationMs).toBeLessThan(3000);
  expect(alive(own)).toEqual([]);
});

test("an abort ends the command; before the start nothing runs", async () => {
  const own = mark();
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 100);
  expect(await run(`echo a; sleep ${own}`, { signal: abort.signal })).toMatchObject({ end: "abort", text: "a\n" });
  expect(alive(own)).toEqual([]);
  expect(await run("touch made", { signal: AbortSignal.abort() })).toMatchObject({ end: "abort", durationMs: 0 });
  expect(readdirSync(dir)).not.toContain("made");
});

test("a background process neither holds the call nor outlives it", async () => {
  const own = mark();
  const got = await run(`sleep ${own} & nohup sleep ${own} >/dev/null 2>&1 & echo started`);
  expect(got).toMatchObject({ end: "exit", exitCode: 0, text: "started\n", leftovers: true });
  expect(got.durationMs).toBeLessThan(2000);
  expect(alive(own)).toEqual([]);
});

test("a process that left the group and holds the output open does not hang the call", async () => {
  const got = await run("setsid sh -c 'sleep 2; echo late' & echo $!");
  expect(got.end).toBe("exit");
  expect(got.durationMs).toBeLessThan(1500);
  expect(got.text).not.toContain("late");
});

test("output that is still on its way when the shell exits is not lost", async () => {
  expect((await run("exec > >(cat; sleep 0.03; echo end); echo begin")).text).toBe("begin\nend\n");
});

test("large output arrives complete", async () => {
  expect((await run("head -c 20000000 /dev/zero")).text.length).toBe(20_000_000);
});

test("pagers, editors and prompts are disarmed, CI is set, and own values win", async () => {
  const show = "echo $PAGER $GIT_PAGER $GIT_EDITOR $EDITOR $GIT_TERMINAL_PROMPT $CI";
  expect((await run(show)).text).toBe("cat cat true true 0 true\n");
  expect((await run(show, { env: commandEnv(process.env, { EDITOR: "ed", CI: "no" }) })).text).toBe("cat cat true ed 0 no\n");
  expect(commandEnv({ PITH_BASH_NO_CI: "1" }).CI).toBeUndefined();
});

test("what never ran is a failure with a reason", async () => {
  const kind = async (options: Partial<ShellCommand>) => {
    const got = await runShell({ command: "true", cwd: dir, env: {}, timeoutMs: 1000, signal: new AbortController().signal, onData() {}, ...options });
    return got.ok ? "ran" : got.kind;
  };
  expect(await kind({ command: "echo \0" })).toBe("command");
  expect(await kind({ command: `: ${"x".repeat(1_000_000)}` })).toBe("command");
  expect(await kind({ shell: "/no/such/shell" })).toBe("spawn");
  expect(await kind({ cwd: join(dir, "none") })).toBe("spawn");
});

test("invalid UTF-8 and binary output pass as bytes", async () => {
  expect((await run("printf '\\377\\376\\000x'")).text).toBe("\xff\xfe\0x");
});

test("many commands leave no descriptor and no listener behind", async () => {
  const open = () => [readdirSync("/proc/self/fd").length, process.listenerCount("exit")];
  await run("true");
  const before = open();
  for (let i = 0; i < 40; i++) await run(i % 10 ? "echo x" : "sleep 5 &");
  for (const [i, count] of open().entries()) expect(count).toBeLessThanOrEqual(before[i] ?? 0);
});
