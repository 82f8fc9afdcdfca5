import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, openArtifacts, type RunData, resultFields } from "@pith/agent";
import { Shell, type ShellResult } from "@pith/host";
import { systemClock } from "@pith/kit";
import { parse } from "../../../bash/parse.ts";
import { Jobs } from "../../../shell/job/jobs.ts";
import { filesIn } from "../../../test/files.ts";
import { intentOf, runTool } from "../../../test/run.ts";
import { bash } from "./bash.ts";
import { intercept } from "./intercept.ts";
import { defaultRules, readInterceptRules } from "./intercept-rules.ts";
import { outcome } from "./outcome.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "pith-bash-")));
const shell = new Shell({ cwd, env: process.env, startup: "skip" });
afterAll(() => {
  shell[Symbol.dispose]();
  rmSync(cwd, { recursive: true });
});
mkdirSync(join(cwd, "sub dir"));
writeFileSync(join(cwd, "file"), "");
const options = {
  files: filesIn(cwd, { userHome: cwd }),
  shell,
  artifacts: openArtifacts(join(cwd, "session.jsonl")),
  maxOutput: 256 * 1024 * 1024,
  noise: "minimize" as const,
  maxShown: () => 16 * 1024,
};
const tool = bash(options);
const call = (signal = new AbortController().signal, progress: (part: Outcome) => void = () => {}) => ({
  id: "1",
  signal,
  progress,
});
const run = (command: string, more: object = {}, made = call()) => runTool(tool, { command, ...more }, made);
const data = (outcome: Outcome) => outcome.data as RunData;

test("output comes back; none is said to be none", async () => {
  expect(await run("echo hi")).toMatchObject({
    kind: "run",
    text: "hi",
    data: { command: "echo hi", cwd, exitCode: 0 },
  });
  const silent = await run("true");
  expect(silent.text).toBe("(no output)");
  expect(silent.meta).toBeUndefined();
  expect(silent.failed).toBeUndefined();
});

test("a non-zero exit is an error result with its code and its output", async () => {
  const got = await run("echo out; echo err >&2; exit 3");
  expect(got).toMatchObject({ failed: true, text: "out\nerr\n\nCommand exited with code 3", data: { exitCode: 3 } });
});

test("a signal, a timeout and an interruption are told apart", async () => {
  expect(await run("kill -TERM $$")).toMatchObject({
    failed: true,
    text: "(no output)\n\nCommand was ended by SIGTERM",
    data: { signal: "SIGTERM" },
  });
  const late = await run("echo a; sleep 30", { timeout: 0 });
  expect(late).toMatchObject({
    failed: true,
    text: "a\n\nCommand timed out after 1 seconds and was ended",
    data: { timedOut: true },
  });
  const abort = new AbortController();
  const stopped = await run(
    "echo b; sleep 30",
    {},
    call(abort.signal, () => abort.abort()),
  );
  expect(stopped).toMatchObject({ failed: true, text: "b\n\nCommand was interrupted", data: { cancelled: true } });
  expect(data(stopped).timedOut).toBeUndefined();
});

test("a working directory that is none is told before anything runs", async () => {
  expect(await run("touch made", { cwd: "nowhere" })).toMatchObject({
    failed: true,
    text: `cwd: there is no directory ${join(cwd, "nowhere")}`,
  });
  expect(await run("touch made", { cwd: "file" })).toMatchObject({
    failed: true,
    text: `cwd: ${join(cwd, "file")} is a file`,
  });
  expect((await run("pwd", { cwd: "sub dir" })).text).toBe(join(cwd, "sub dir"));
});

test("variables are passed, and with a bad name nothing runs", async () => {
  expect((await run("echo $A $CI", { env: { A: "1 2" } })).text).toBe("1 2 true");
  expect(await run("touch made", { env: { "A-B": "1" } })).toMatchObject({
    failed: true,
    text: 'Not a valid environment variable name: "A-B"',
  });
});

test("long output keeps its beginning and end, says how to read the rest, and all of it is there", async () => {
  const got = await run("seq 1 40000");
  expect(got.text).toStartWith("1\n2\n");
  expect(got.text).toEndWith("\n40000");
  expect(Buffer.byteLength(got.text)).toBeLessThan(16.5 * 1024);
  const { truncation } = got.meta ?? {};
  expect(truncation).toMatchObject({ direction: "middle", truncatedBy: "bytes", totalLines: 40_000, artifactId: "0" });
  const [, start = 0, end = 0] = /^artifact:\/\/0:(\d+)-(\d+)$/.exec(truncation?.next ?? "")?.map(Number) ?? [];
  expect(got.text).toContain(`\n${start - 1}\n[… lines ${start}-${end} left out …]\n${end + 1}\n`);
  const [block] = resultFields(got).content;
  const shown = `Showing the beginning and the end (${truncation?.outputLines} lines of 40000) (16KB limit)`;
  const notice = `[${shown}. Go on with artifact://0:${start}-${end}. Full: artifact://0]`;
  expect(block?.type === "text" && block.text).toEndWith(notice);
  expect(readFileSync(join(cwd, "session", "0.bash.log"), "utf8")).toBe(
    `${Array.from({ length: 40_000 }, (_, i) => i + 1).join("\n")}\n`,
  );
});

test("a line that comes again and again is counted, and what stands around it stays", async () => {
  const got = await run("echo before; yes | head -n 25599; echo after");
  expect(got.text).toBe("before\ny\n[… the line above, 25599 times …]\nafter");
  const [block] = resultFields(got).content;
  expect(block?.type === "text" && block.text).toContain(
    "[Repeated lines are counted, 25601 in all. Full: artifact://",
  );
  const few = await run("yes no | head -n 9");
  expect([few.text, few.meta]).toEqual(["no\n[… the line above, 9 times …]", undefined]);
});

test("a small window gets small outputs, and one long line fits into it", async () => {
  const tight = bash({ ...options, maxShown: () => 2000 });
  const got = await runTool(tight, { command: "seq 1 5000; printf 'x%.0s' {1..9000}" }, call());
  expect(Buffer.byteLength(got.text)).toBeLessThan(2200);
  expect(got.text).toStartWith("1\n2\n");
});

test("without a session a long output is cut, kept for as long as the shell lasts, and that is told", async () => {
  const bare = bash({ ...options, artifacts: openArtifacts(undefined) });
  const got = await runTool(bare, { command: "seq 1 40000" }, call());
  const { lost, keptAt = "", artifactId } = got.meta?.truncation ?? {};
  expect([lost, artifactId]).toEqual([undefined, undefined]);
  expect(readFileSync(keptAt, "utf8")).toEndWith("\n40000\n");
  const [block] = resultFields(got).content;
  expect(block?.type === "text" && block.text).toContain(`Full, until this session ends: ${keptAt}]`);
});

test("colours are stripped", async () => {
  expect((await run("printf '\\033[31mred\\033[0m'")).text).toBe("red");
});

test("a long command shows its output while it runs", async () => {
  const seen: string[] = [];
  await run(
    "for i in 1 2 3; do echo $i; sleep 0.15; done",
    {},
    call(undefined, (part) => seen.push(part.text)),
  );
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(seen[0]).toStartWith("1\n");
});

test("what is left in the background is stopped and named", async () => {
  expect((await run("sleep 60 & echo started")).meta?.notes).toEqual([expect.stringContaining("`async: true`")]);
});

test("a here-document reaches its program, whatever stands behind", async () => {
  expect((await run("python3 - <<'E' 2>&1 | tail -n 1\nprint(1)\nprint(2)\nE")).text).toStartWith("2");
  expect((await run("cat > h1 <<'E' && cat h1 2>&1\nhello\nE")).text).toBe("hello");
  expect((await run("tee h2 <<'E' | tail -1\nhello\nE\ncat h2")).text).toBe("hello\nhello");
});

test("errors that were never piped are shown beside the last lines, as is a first command that failed", async () => {
  const fatal = "bash -c 'echo FATAL >&2; seq 1 9; exit 9'";
  expect((await run(`${fatal} | tail -n 2`)).text).toBe("FATAL\n8\n9");
  expect((await run(`${fatal} 2>&1 | tail -n 2`)).text).toStartWith("8\n9\n");
  expect((await run("rm nothing-here; bash -c 'echo on' 2>&1 | tail -1")).text).toContain("nothing-here");
});

test("a function or an alias before a tail changes the shell no more than it does in a pipe", async () => {
  await run("leaky() { cd /; LEAK=9; echo hi; return 4; }");
  expect(await run("leaky 2>&1 | tail -1")).toMatchObject({ text: "hi\n\nCommand exited with code 4" });
  expect((await run("pwd; echo LEAK=$LEAK; unset -f leaky")).text).toBe(`${cwd}\nLEAK=`);
});

test("who asks for the last lines gets those, the exit code of the program, and an artifact of all", async () => {
  const got = await run("bash -c 'for i in {1..40}; do echo row $i; done; exit 3' 2>&1 | tail -n 2");
  expect(got).toMatchObject({
    failed: true,
    text: "row 39\nrow 40\n\nCommand exited with code 3",
    data: { exitCode: 3 },
  });
  expect(got.meta?.truncation).toMatchObject({ shownRange: { start: 39, end: 40 }, totalLines: 40 });
  const [block] = resultFields(got).content;
  const id = /\[Showing lines 39-40 of 40\. Full: artifact:\/\/(\d+)\]/.exec(
    block?.type === "text" ? block.text : "",
  )?.[1];
  expect(readFileSync(join(cwd, "session", `${id}.bash-original.log`), "utf8")).toStartWith("row 1\nrow 2\n");
  const few = await run("printf 'a\\nb\\n' 2>&1 | tail -5");
  expect([few.text, few.meta]).toEqual(["a\nb", undefined]);
});

test("a shell is an execution in its directory, of the very text that is run", async () => {
  expect(await intentOf(tool, { command: "ls" })).toMatchObject({ effect: "exec", command: "ls", cwd });
  expect(await intentOf(tool, { command: "cd 'sub dir' && seq 3 | tail -1", env: { A: "1" } })).toMatchObject({
    command: "seq 3 | tail -1",
    cwd: join(cwd, "sub dir"),
    env: { A: "1" },
    paths: [{ effect: "exec", real: join(cwd, "sub dir") }],
  });
  using prefixed = new Shell({ cwd, env: process.env, startup: "skip", prefix: "nice -n 5" });
  const { command } = await intentOf(bash({ ...options, shell: prefixed }), { command: "ls" });
  expect(command).toBe("nice -n 5 ls");
});

test("a command that was judged in one directory does not run in another that the shell went to since", async () => {
  const [bare, placed] = [await intentOf(tool, { command: "pwd" }), await intentOf(tool, { command: "pwd", cwd: "." })];
  await run("cd 'sub dir'");
  expect(await bare.run(call())).toMatchObject({
    failed: true,
    text: `The shell is no longer in ${cwd}, for which this command was meant; nothing was run. Send it again.`,
  });
  expect((await placed.run(call())).text).toBe(cwd);
  await run("cd ..");
});

test("only what goes on in the background may run beside other calls", () => {
  expect([tool.beside?.({ command: "ls" }), tool.beside?.({ command: "ls", async: true })]).toEqual([false, true]);
});

test("what cannot be run is refused before anybody is asked", async () => {
  const strict = bash({ ...options, rules: defaultRules, has: (name) => name === "read" });
  const refused: Parameters<typeof tool.prepare>[0][] = [
    { command: "cat file" },
    { command: "ls", cwd: "nowhere" },
    { command: "ls", env: { "A-B": "1" } },
    { command: "ls", async: true },
  ];
  for (const wanted of refused)
    expect(await strict.prepare(wanted, { signal: call().signal, without: [] })).toMatchObject({ failed: true });
});

test("a cd of its own stays and is told; a cwd and a leading cd are for one call", async () => {
  expect((await run("cd 'sub dir' && pwd")).text).toBe(join(cwd, "sub dir"));
  expect((await run("pwd")).text).toBe(cwd);
  expect((await run("cd 'sub dir'")).meta?.notes).toEqual(["The shell is now in sub dir"]);
  expect((await run("pwd")).text).toBe(join(cwd, "sub dir"));
  expect(data(await run("pwd", { cwd: "." })).cwd).toBe(cwd);
  expect((await run("cd ..")).meta?.notes).toHaveLength(1);
});

test("a command for a terminal runs without one where there is none, and says so", async () => {
  const got = await run("test -t 0 || echo none", { pty: true });
  expect(got.text).toBe("none");
  expect(got.meta?.notes?.[0]).toContain("without one");
});

test("output beyond what may be kept ends the command and says so", async () => {
  const small = bash({ ...options, maxOutput: 300_000 });
  const got = await runTool(small, { command: "yes" }, call());
  expect(got).toMatchObject({ failed: true, data: { limit: "output" } });
  expect(got.text).toEndWith("Command was ended: more output than may be kept");
});

test("noise of a package manager is left out and the whole output is kept", async () => {
  const lines = [...Array(60)].map((_, i) => `Collecting package-${i}`).join("\\n");
  const got = await run(`pip() { printf '${lines}\nERROR: no such thing\n'; }; pip install x`);
  expect(got.text).toMatch(/^\[… 60 lines without news …\]\nERROR: no such thing\n\[raw output: artifact:\/\/(\d+)\]$/);
  const id = /artifact:\/\/(\d+)/.exec(got.text)?.[1];
  expect(readFileSync(join(cwd, "session", `${id}.bash-original.log`), "utf8")).toContain("Collecting package-59\n");
});

test("a value that no environment can take is an error before running", async () => {
  expect((await run("true", { env: { A: "a\0b" } })).text).toContain("NUL");
});

test("a command for which there is a tool is sent there, only while that tool is there", async () => {
  const strict = (tools: string[]) => bash({ ...options, rules: defaultRules, has: (name) => tools.includes(name) });
  const got = await runTool(strict(["read"]), { command: "cat file" }, call());
  expect(got).toMatchObject({ failed: true, data: { suggestedTool: "read" } });
  expect(got.text).toStartWith("Blocked: ");
  expect(got.text).toContain("cat file");
  expect((await runTool(strict(["write"]), { command: "cat file" }, call())).failed).toBeUndefined();
  const tailed = await runTool(strict(["edit"]), { command: "sed -i s/a/b/ file 2>&1 | tail -1" }, call());
  expect(tailed).toMatchObject({ failed: true, data: { suggestedTool: "edit" } });
});

test("each kind of misuse has its rule, and other commands have none", () => {
  const tools = ["read", "search", "find", "edit", "write"];
  const of = (command: string) => intercept(command, parse, defaultRules, (name) => tools.includes(name))?.tool;
  for (const command of ["cat a.ts", "head -n 5 a", "tail -20 x", "less y"]) expect(of(command)).toBe("read");
  for (const command of ["grep -r foo .", "rg foo", "ag x"]) expect(of(command)).toBe("search");
  for (const command of ["find . -name x", "fd x"]) expect(of(command)).toBe("find");
  for (const command of [
    "sed -i s/a/b/ f",
    "sed -n -i.bak p f",
    "perl -pi -e s/a/b/ f",
    "awk -i inplace 1 f",
    "sed --in-place s/a/b/ f",
  ])
    expect(of(command)).toBe("edit");
  for (const command of ["echo hi > f", "printf x >> f", "cat > f <<EOF\nx\nEOF", "cat <<'EOF' > f\nx\nEOF"])
    expect(of(command)).toBe("write");
  for (const command of [
    "ls",
    "cat a | wc -l",
    "git grep x",
    "echo hi",
    "echo hi >&2",
    "make 2>&1",
    "sed s/a/b/ f",
    "cat a && make",
    "find . -name x | xargs rm",
    "catalog x",
  ])
    expect(of(command)).toBeUndefined();
});

test("a rule that is none is left out and named, the others hold", () => {
  const { rules, problems } = readInterceptRules("read: ^more\\b\nread: (\nnonsense\n");
  expect(rules.map(({ tool }) => tool)).toEqual(["read"]);
  expect(problems).toHaveLength(2);
});

test("a command in the background returns at once and its result waits in the table", async () => {
  const jobs = new Jobs({ clock: systemClock, maxRunning: 1 });
  const jobbed = bash({ ...options, jobs, owner: "main" });
  expect(Object.keys((jobbed.input.json as { properties: object }).properties)).toContain("async");
  const got = await runTool(jobbed, { command: "sleep 0.2; echo done; exit 2", async: true }, call());
  expect(got.text).toStartWith("Started background job bash-1.");
  expect(data(got).job).toBe("bash-1");
  expect((await runTool(jobbed, { command: "true", async: true }, call())).text).toContain("which is the most");
  await jobs.wait(["bash-1"], "first", 5000, new AbortController().signal);
  expect(jobs.get("bash-1")).toMatchObject({
    status: "failed",
    text: "done\n\nCommand exited with code 2",
    owner: "main",
  });
});

test("without jobs a command for the background is refused and the input does not offer it", async () => {
  expect(Object.keys((tool.input.json as { properties: object }).properties)).not.toContain("async");
  expect(await run("true", { async: true })).toMatchObject({ failed: true });
});

test("a command that takes long becomes a job that the end of the turn does not end", async () => {
  const jobs = new Jobs({ clock: systemClock, maxRunning: 5 });
  const jobbed = bash({ ...options, jobs, backgroundMs: 50 });
  const turn = new AbortController();
  const got = await runTool(jobbed, { command: "echo early; sleep 0.3; echo late" }, call(turn.signal));
  expect(got.text).toMatch(/^early\n\nStill running; it goes on as background job bash-1\./);
  turn.abort();
  await jobs.wait(["bash-1"], "all", 5000, new AbortController().signal);
  expect(jobs.get("bash-1")).toMatchObject({ status: "completed", text: "early\nlate" });
  expect((await runTool(jobbed, { command: "echo quick" }, call())).text).toBe("quick");
});

test("every way a command can end has its words", () => {
  const dump = { text: "x\n", totalLines: 1, totalBytes: 2 };
  const ran = { durationMs: 1, cwd, limits: "" };
  const asked = { command: "c", cwd, timeout: 5, limited: true, home: cwd, from: cwd, remarks: [] };
  const of = (more: object) => outcome(asked, { ran: { ...ran, end: "exit", ...more } as ShellResult, dump });
  expect(of({ exitCode: 0 })).toMatchObject({ text: "x" });
  expect(of({}).text).toContain("missing exit status");
  expect(of({ end: "limit", limit: { what: "disk", text: "too full" } })).toMatchObject({
    failed: true,
    text: "x\n\nCommand was ended: too full",
    data: { limit: "disk" },
  });
  expect(of({ exitCode: 1, limit: { what: "memory", text: "memory ran out" } }).meta?.notes).toEqual([
    "During the run memory ran out",
  ]);
  expect(of({ exitCode: 0, silentMs: 5000 }).meta?.notes).toEqual([
    "The command had closed its output 5 s before it ended",
  ]);
  expect(of({ end: "detached" }).text).toContain("goes on by itself");
});

test("a command may name an artifact", async () => {
  await run("seq 1 40000");
  expect((await run("tail -1 artifact://0; echo artifact://99")).text).toBe("40000\nartifact://99");
});
