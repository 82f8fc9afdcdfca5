// `npm test`: installs what is missing, then holds the tree to all its rules. The last line is `N passed, N failed`.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { install, root } from "./runtime.mjs";

const minute = 60_000;
const began = Date.now();
const bun = await install({ workspace: true });
const scratch = mkdtempSync(join(tmpdir(), "pith-test-"));
const env = cleanEnv();

// Static checks share the machine; tests then have it alone, so that load does not fail a timing.
const script = (name) => [bun, `scripts/${name}.ts`];
const lanes = [
  [
    ["types", [bun, "node_modules/typescript/bin/tsc", "-p", "."]],
    ["dead code", [bun, "node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"]],
  ],
  [
    ["lint", [bun, "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "--max-diagnostics=50"]],
    ["walls", script("walls")],
    ["sizes", script("size")],
    ["prose", script("prose")],
    ["build", script("build")],
  ],
];
const workers = Math.min(availableParallelism(), 4);
const tests = [bun, "test", `--parallel=${workers}`, "--timeout=30000", "--no-orphans", "./packages", "./test", "./scripts", "./bench"];

let failed = 0;
try {
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [name, command] of lane) if (!(await step(name, command)).ok) failed++;
    }),
  );
  const run = await step("tests", tests, 10 * minute);
  const count = countTests(run.output);
  for (const reason of new Set(run.output.match(/^skip: .*$/gm))) say(reason);
  // A runner that fails without a failed test (a crash, a time-out, a file that does not load) is a failure of its own.
  failed += count.failed || (run.ok ? 0 : 1);
  if (run.ok && count.passed === 0) failed++;
  say(`all       ${seconds(Date.now() - began)}`);
  say(`${count.passed} passed, ${failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ""}`);
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}
process.exitCode = failed > 0 ? 1 : 0;

/** Runs one step; its output is shown only when it fails, and its last line when it does not. */
async function step(name, [command, ...args], limit = 3 * minute) {
  const start = Date.now();
  const { code, output } = await run(command, args, limit);
  const ok = code === 0;
  const note = ok && !name.startsWith("tests") ? (output.trim().split("\n").at(-1) ?? "") : "";
  say(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(10)}${seconds(Date.now() - start)}${note ? `  ${note}` : ""}`);
  if (!ok) say(output.trimEnd().replace(/^/gm, "      "));
  return { ok, output };
}

function run(command, args, limit) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    const timer = setTimeout(() => {
      output += `\nno end after ${limit / 1000} s\n`;
      child.kill("SIGKILL");
    }, limit);
    child.on("error", (error) => done({ code: 1, output: error.message }));
    child.on("close", (code) => {
      clearTimeout(timer);
      done({ code: code ?? 1, output });
    });
  });
}

/** The figures of the runner's last summary. */
function countTests(output) {
  const end = output.lastIndexOf("\nRan ");
  const summary = end === -1 ? "" : output.slice(Math.max(0, end - 300), end);
  const figure = (word) => Number([...summary.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: figure("pass"), failed: figure("fail"), skipped: figure("skip") + figure("todo") };
}

/** Nothing of the caller's: no keys, no settings, a home that is thrown away. */
function cleanEnv() {
  const dirs = { HOME: join(scratch, "home"), PITH_HOME: join(scratch, "home", ".pith"), TMPDIR: join(scratch, "tmp") };
  for (const dir of [dirs.HOME, dirs.TMPDIR]) mkdirSync(dir);
  const kept = ["PATH", "LANG", "TERM", "CI", "PITH_CI", "SystemRoot"].filter((name) => process.env[name] !== undefined);
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), ...dirs, TZ: "UTC", NO_COLOR: "1", PITH_GATE: "1" };
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
function say(text) {
  process.stdout.write(`${text}\n`);
}
