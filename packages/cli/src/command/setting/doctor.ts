import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadCapabilities, openToolbox } from "@pith/coder";
import { findShell, rgPath, type WayName, wayHere } from "@pith/host";
import { messageOf, plainText, plural, succeeds, tryOr } from "@pith/kit";
import { loadAdmin } from "@pith/llm";
import { detectCapabilities } from "@pith/tui/theme";
import { version } from "../../../../../package.json";
import { exit } from "../../io/interrupt.ts";
import { type Io, jsonLine } from "../../io/io.ts";
import { settingsIn } from "../../open/setting.ts";
import { inRows, inWindow, printList } from "../list.ts";
import { subcommand } from "../subcommand.ts";
import { type CheckOutcome, homeToTry, note, ok, wrong } from "./finding.ts";
import { machineCheck, sandboxCheck, temporaryCheck } from "./machine.ts";

interface CheckResult extends CheckOutcome {
  name: string;
}
type Check = (io: Io) => Promise<CheckOutcome> | CheckOutcome;

const onWindows = process.platform === "win32";

const checks: Readonly<Record<string, Check>> = {
  version: () => ok(version),
  runtime: () => ok(`Bun ${Bun.version}, ${process.platform} ${process.arch}, ${process.execPath}`),
  home: ({ home }) => {
    const there = nearestFolder(home);
    const instead = "nothing would be recorded; PITH_HOME names another place";
    if (!statSync(there).isDirectory()) return wrong(`${there} is a file, not a folder: ${instead}`);
    if (!succeeds(() => accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)))
      return wrong(`${home} cannot be read and written: ${instead}`);
    if (there !== home) return ok(`${home}, to be made by the first session`);
    const open = !onWindows && (statSync(home).mode & 0o022) !== 0;
    return open ? note(`${home} can be written by others: chmod 700 ${home}`) : ok(home);
  },
  settings: async (io) => {
    const opened = await settingsIn(io, { cwd: io.cwd, wrong: "is ignored" });
    if (!opened.ok) return wrong(opened.message);
    const { problems, remedies, warnings, file } = opened.value;
    if (problems.length > 0) return wrong([...problems, ...remedies].join("; "));
    if (warnings.length > 0) return note(warnings.join("; "));
    return ok(existsSync(file) ? file : `the defaults; ${file} would change them`);
  },
  sources: async (io) => {
    const report = await sourcesIn(io);
    const found = report.sources.filter(({ items }) => items > 0).map(({ title, items }) => `${title} ${items}`);
    const waiting = report.items.filter(({ state }) => state === "untrusted").length;
    const idle = (await loadCapabilities()).unusedText(report);
    const text = [
      found.length > 0 ? found.join(", ") : "nothing in any configuration",
      ...(waiting > 0 ? [`${waiting} wait for pith trust`] : []),
      ...(idle === undefined ? [] : [idle]),
      ...report.warnings,
    ].join("; ");
    return report.warnings.length > 0 ? note(text) : ok(text);
  },
  models: async ({ env, home }) => {
    const surveyed = await (await loadAdmin()).survey({ env, home });
    if (!surveyed.ok) return wrong(surveyed.message);
    const usable = surveyed.value.vendors.filter((vendor) => vendor.usable);
    if (usable.length === 0) return note("none is connected; pith help models tells how");
    const names = usable.map(({ id, models }) => `${id} (${plural(models.length, "model")})`);
    return ok([...names, ...surveyed.value.warnings].join(", "));
  },
  files: () => {
    const { way, why } = wayHere();
    const text = [`${way.name}: ${promises[way.name]}`, ...(why === undefined ? [] : [`not ${why}`])].join("; ");
    return way.name === "path" ? note(text) : ok(text);
  },
  ripgrep: async ({ home, env }) => {
    using tried = homeToTry(home);
    const found = await rgPath({ cacheDir: join(tried.path, "cache"), path: env.PATH });
    if (!found.ok) return wrong(`${found.message}; search and find need it`);
    const line = firstLine([found.value, "--version"]);
    if (!line) return wrong(`${found.value} does not run; search and find need it`);
    const own = tried.path !== home && found.value.startsWith(tried.path);
    return ok(`${line}, ${own ? `to be unpacked into ${join(home, "cache")}` : found.value}`);
  },
  bash: ({ env }) =>
    onWindows ? gitBash(env) : present(env, "bash", "commands of the model run in sh, or in what bash.path names"),
  git: ({ env }) => present(env, "git", "pith does not need it; undo keeps states of the project by itself"),
  bubblewrap: ({ env }) =>
    process.platform === "linux"
      ? present(env, "bwrap", "commands cannot be shut in on this machine")
      : ok("only Linux has it"),
  sandbox: (io) =>
    onWindows ? note("Windows has none for commands: they follow the rules; WSL 2 has one") : sandboxCheck(io),
  temporary: temporaryCheck,
  machine: machineCheck,
  terminal: async (io) => {
    const { id, colours, unicode } = detectCapabilities(io.env, process.platform);
    const there = (await io.isTerminal("in")) && (await io.isTerminal("out"));
    const size = there ? `${process.stdout.columns}×${process.stdout.rows}` : "standard input or output is none";
    const look = `colours: ${colours}, ${unicode ? "Unicode" : "ASCII only"}`;
    return there ? ok(`${id}, ${size}, ${look}`) : note(`${size} (${id}, ${look})`);
  },
};

const promises: Readonly<Record<WayName, string>> = {
  proc: "folders are held open and reached by /proc",
  at: "folders are held open and reached by calls of the C library",
  path:
    "folders are compared before and after each change; whoever swaps one for a link at that very moment can lead a " +
    "change elsewhere",
};

/** Checks that all that pith needs is there. Nothing is sent to anybody but servers on this machine. */
export const doctor = subcommand({
  usage: "",
  about: "whether all that pith needs is there",
  help: "setup",
  options: { json: { takes: "nothing", about: "one JSON object" } },
  maxWords: 0,
  async run({ flags }, io) {
    const findings: CheckResult[] = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => ({ name, ...(await outcome(check, io)) })),
    );
    const fit = findings.every(({ state }) => state !== "wrong");
    if (flags.json) io.out.write(jsonLine({ ok: fit, checks: findings, sources: await sourcesIn(io) }, io));
    else
      await printList(
        findings.flatMap((finding) => rowsOf(finding, io)),
        io,
      );
    return fit ? exit.finished : exit.unfinished;
  },
});

/** A check that throws is wrong itself, and stops no other. */
async function outcome(check: Check, io: Io): Promise<CheckOutcome> {
  try {
    return await check(io);
  } catch (error) {
    return wrong(messageOf(error));
  }
}

/** All that a start in this directory finds in configuration. */
async function sourcesIn(io: Io) {
  const settings = await settingsIn(io, { cwd: io.cwd, wrong: "is ignored" });
  if (!settings.ok) return { sources: [], items: [], warnings: [settings.message], unused: [] };
  const { cwd, home, userHome, env, clock } = io;
  await using box = openToolbox({ cwd, home, userHome, env, clock, settings: settings.value });
  return box.sources();
}

const marks = { ok: "ok   ", note: "note ", wrong: "WRONG" } as const;

/** A fault is shown whole; other rows are cut at the window. */
function rowsOf({ name, state, text }: CheckResult, io: Io): string[] {
  const line = plainText(text).replaceAll("\n", "; ");
  const head = `${marks[state]}  ${name.padEnd(12)}`;
  return state === "ok" ? [inWindow(head + line, io)] : inRows(line, io, head, "       ");
}

function present({ PATH }: Io["env"], program: string, without: string): CheckOutcome {
  const path = Bun.which(program, { PATH: PATH ?? "" });
  return path ? ok(path) : note(`not found: ${without}`);
}

function gitBash(env: Io["env"]): CheckOutcome {
  const shell = findShell({ platform: process.platform, env, exists: existsSync });
  return shell
    ? ok(shell.path)
    : note("not found: commands of the model need Git for Windows, or what bash.path names");
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** The first line that a program prints; undefined when it does not run. */
const firstLine = (command: string[]): string | undefined =>
  tryOr(() => {
    const { exitCode, stdout } = Bun.spawnSync(command, { stdin: "ignore", stderr: "ignore", timeout: 5000, env: {} });
    return exitCode === 0 ? stdout.toString().split("\n", 1)[0] : undefined;
  });
