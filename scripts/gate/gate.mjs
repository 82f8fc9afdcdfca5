// `npm test`: installs what is missing, then runs all checks and tests. The last line is `N passed, N failed`. With
// `--bare` it does so in a fresh clone on a machine where nothing is installed but Node and npm (see bare.mjs).
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { explain, install, root } from "../boot/runtime.mjs";
import { runBare } from "./bare.mjs";
import { failedFiles, testFiles, verdict } from "./summary.mjs";

if (process.argv.includes("--bare")) process.exit(runBare({ quick: false }));

const minute = 60_000;
const began = Date.now();
const bun = await install({ workspace: true }).catch((error) => {
  explain(error);
  say("0 passed, 1 failed");
  process.exit(1);
});
const scratch = mkdtempSync(join(tmpdir(), "pith-test-"));
// Some tests run as another user, who needs access to folders below this one.
chmodSync(scratch, 0o711);
const env = cleanEnv();

// Static checks run in parallel; tests run after them, because load would fail tests that measure time.
const rule = (name) => [bun, `scripts/gate/${name}.ts`];
const lanes = [
  [
    ["types", [bun, "node_modules/typescript/bin/tsc", "-p", "."]],
    ["dead code", [bun, "node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"]],
  ],
  [
    ["lint", [bun, "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "--max-diagnostics=50"]],
    ["walls", rule("walls")],
    ["sizes", rule("size")],
    ["style", rule("style")],
    ["prose", rule("prose")],
    ["words", rule("words")],
    ["shape", rule("shape")],
    ["map", rule("map")],
    ["assertions", rule("assertion")],
    ["build", [bun, "scripts/gen/build.ts"]],
  ],
];
// The timeout only ends a test that hangs: a busy machine takes many times as long as a quiet one.
const workers = Math.min(availableParallelism(), 4);
const folders = ["packages", "test", "scripts", "bench"];
const tests = [
  bun,
  "test",
  `--parallel=${workers}`,
  "--timeout=120000",
  "--no-orphans",
  "--reporter=junit",
  `--reporter-outfile=${join(scratch, "tests.xml")}`,
  ...folders.map((folder) => `./${folder}`),
];

// A test that was killed may still change its folder: what is left then is left, and the verdict stands.
const hasGroups = process.platform !== "win32";
const running = new Set();
const cleanUp = () => {
  for (const child of running) end(child);
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    say(`not removed: ${scratch} (${error.message})`);
  }
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
process.once("exit", cleanUp);

let failed = 0;
await Promise.all(
  lanes.map(async (lane) => {
    for (const [name, command] of lane) {
      const { ok } = await step(name, command);
      if (!ok) failed++;
      // Tests of the whole program run the build, or the sources if the build failed.
      else if (name === "build") env.PITH_BUILT = join(root, "dist", "pith");
    }
  }),
);
const files = testFiles(folders.map((folder) => join(root, folder)));
// The timeout only ends a run that hangs: a busy machine takes several times as long.
const run = await step("tests", tests, 25 * minute);
const unsteady = run.ok ? [] : failedFiles(run.output);
const alone = [bun, "test", "--timeout=120000", "--no-orphans", ...unsteady.map((file) => `./${file}`)];
const steady = unsteady.length > 0 && (await step("once more", alone, 10 * minute)).ok;
if (steady) for (const file of unsteady) say(`unsteady: ${file} failed, and passed by itself`);
for (const skipped of new Set(run.output.match(/^(?:skip: |\(skip\) |\(todo\) ).*$/gm))) say(skipped);
if (existsSync(join(scratch, "tests.xml"))) {
  const { ok, output } = await step("reached", [...rule("reached"), join(scratch, "tests.xml")]);
  if (!ok) failed++;
  else for (const row of output.split("\n").filter((row) => /^(?:slow|unreached) /.test(row))) say(row);
}
const counted = join(root, "scripts", "gate", "tests.json");
const known = JSON.parse(readFileSync(counted, "utf8"));
const exact = process.env.PITH_CI === "1";
const { notes, line, code, grown } = verdict(run, files.length, failed, { known, steady, exact });
for (const note of notes) say(note);
// The author of new tests commits the new count with them; CI only compares.
if (grown && process.env.CI === undefined) {
  writeFileSync(counted, `${JSON.stringify(grown, null, 2)}\n`);
  say(`scripts/gate/tests.json now says ${grown.tests} tests in ${grown.files} files; commit it`);
}
say(`all         ${seconds(Date.now() - began)}`);
say(line);
process.exitCode = code;

/** Runs one step; prints its whole output if it fails, else only the last line. */
async function step(name, [command, ...args], limit = 3 * minute) {
  const start = Date.now();
  const { code, output } = await execute(command, args, limit);
  const ok = code === 0;
  const note = ok && name !== "tests" && name !== "once more" ? (output.trim().split("\n").at(-1) ?? "") : "";
  say(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(10)}${seconds(Date.now() - start)}${note ? `  ${note}` : ""}`);
  // Leaves out tests that passed, and names of files in which all passed.
  const shown = output.replace(/^\(pass\) .*\n/gm, "").replace(/^\S+\.test\.ts:\n\n/gm, "");
  if (!ok) say(shown.trim().replace(/^/gm, "      "));
  return { ok, output };
}

function execute(command, args, limit) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: hasGroups });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        output += chunk;
      });
    }
    const timer = setTimeout(() => {
      output += `\nno end after ${limit / 1000} s\n`;
      end(child);
    }, limit);
    child.on("error", (error) => done({ code: 1, output: error.message }));
    child.on("close", (code) => {
      running.delete(child);
      clearTimeout(timer);
      done({ code: code ?? 1, output });
    });
  });
}

/** Ends a step with all that it started: workers of a test run outlive it otherwise. */
function end(child) {
  try {
    process.kill(hasGroups ? -child.pid : child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Environment of all steps: no keys and no settings of the caller, a temporary home, and the paths of peers. */
function cleanEnv() {
  const dirs = { HOME: join(scratch, "home"), PITH_HOME: join(scratch, "home", ".pith"), TMPDIR: join(scratch, "tmp") };
  for (const dir of [dirs.HOME, dirs.TMPDIR]) mkdirSync(dir);
  const machine = ["PATH", "LANG", "TERM", "CI", "PITH_CI", "PITH_BUILD_CACHE", "SystemRoot"];
  const kept = Object.keys(process.env).filter((name) => machine.includes(name) || name.startsWith("PITH_PEER_"));
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    ...dirs,
    TZ: "UTC",
    NO_COLOR: "1",
    PITH_GATE: "1",
  };
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
function say(text) {
  process.stdout.write(`${text}\n`);
}
