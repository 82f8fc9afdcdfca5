import { accessSync, closeSync, constants, openSync } from "node:fs";
import {
  type Artifacts,
  type Call,
  type CommandAccess,
  type Intent,
  type Outcome,
  type PrepareOptions,
  type RunData,
  refusal,
  touch,
} from "@pith/agent";
import { sameDefinitions } from "@pith/host";
import { tryOr } from "@pith/kit";
import { type Parsed, scriptReader } from "../../../bash/parse.ts";
import type { Files } from "../../../files/files.ts";
import { assignedIn } from "./assigned.ts";
import { type BashInput, type BashOptions, levels, maxTimeout } from "./input.ts";
import { intercept } from "./intercept.ts";
import type { BashRun } from "./outcome.ts";
import { preparePatch } from "./patch.ts";
import { placeOf, placeText } from "./place.ts";
import { atTerminal, carryOut } from "./run.ts";
import { type Tidied, tidy } from "./tidy.ts";
import { leavesShellUnchanged } from "./unchanged.ts";

/** The command as it will be read, and the directory it is read in; a patch is a write of its files. */
export async function prepare(
  options: BashOptions,
  wanted: BashInput & { usual: number },
  { without }: PrepareOptions,
): Promise<Intent | Outcome> {
  const { files, shell, patch, sandbox, judge } = options;
  await sandbox?.ready();
  // The aliases of the user's own files count from the first command on.
  if (judge) await shell.waitForStartup(startupMs);
  if (wanted.async && !options.jobs) return refusal("Async execution is disabled; run the command without `async`.");
  const from = shell.cwd;
  if (wanted.command.includes("\0")) return refusal("The command holds a NUL character, which no shell can take.");
  const read = scriptReader();
  const { command, cwd, lines, bare = command } = meant(options, wanted, from, read);
  const full = shell.fullCommand(command);
  const instead =
    blocked(options, { command: bare, cwd, read }, wanted.command) ??
    (patch && (await preparePatch(wanted.command, directoryFor(files, wanted.cwd, from), { files, patch, without }))) ??
    (await unattended(options, wanted.pty, full));
  if (instead) return instead;
  const wrong = badVariable(wanted.env) ?? badDirectory(files, cwd);
  if (wrong !== undefined) return refusal(wrong);
  const timeout = Math.min(maxTimeout, Math.max(1, wanted.timeout ?? wanted.usual));
  const alone = wanted.pty && !options.face ? [noTerminal] : [];
  const confined = sandbox?.on() && wanted.needs !== "outside" ? true : undefined;
  const judged = await judge?.({ command: full, cwd, env: wanted.env, confined }, read(full));
  const place = await placeOf(options, { judged, confined, wanted });
  if (typeof place === "string") return refusal(place);
  const { side, writes, held, outside } = place;
  const memory = shell.definitions(side);
  let began = 0;
  const asked: BashRun = {
    command,
    cwd,
    timeout,
    limited: wanted.timeout !== undefined,
    lines,
    home: files.cwd,
    from,
    remarks: alone,
    side,
    writes,
    assigns: side === "reading" || side === "networked" ? assignedIn(read(full)) : undefined,
    text: side === "plain" ? judged?.judgement.plain : undefined,
    leaves: leavesShellUnchanged(read(full), memory) ? "nothing" : undefined,
    escalation: escalations(options, side),
    asked: options.asks?.() !== false,
    blocked(output, { side: ranIn, grants }) {
      const network = ranIn === "networked" ? "host" : "own";
      return sandbox?.blocked(output, began, { writes: writes ?? "project", network, also: grants?.writes }) ?? [];
    },
  };
  return {
    effect: "exec",
    paths: [touch("exec", cwd)],
    command: full,
    cwd,
    env: wanted.env,
    confined,
    place: placeText(place, sandbox?.on() ? "sandbox" : "none"),
    judged,
    held,
    outside,
    // What was judged by one state of the shell is not run in another.
    stale: () => (wanted.cwd === undefined && shell.cwd !== from) || !sameDefinitions(memory, shell.definitions(side)),
    async run(call) {
      began = performance.now();
      return runPrepared(options, wanted, withAccess(asked, call.access, read(full)), call);
    },
  };
}

/** Refuses a program that would only wait for a person. */
async function unattended({ face }: BashOptions, pty: boolean | undefined, command: string) {
  if (pty && face) return undefined;
  const { waitsForPerson } = await import("../../../shell/interactive.ts");
  const found = waitsForPerson(command);
  if (!found) return undefined;
  const { program, instead } = found;
  return refusal(`${program} waits for somebody who types, and here is nobody; nothing was run. Instead ${instead}.`);
}

/** The command as it runs with the rights that an answer gave it. */
function withAccess(asked: BashRun, access: CommandAccess | undefined, tree: Parsed): BashRun {
  if (!access) return asked;
  const { leaves } = access;
  const change: Partial<BashRun> =
    leaves === "sandbox"
      ? { side: "outside", writes: undefined, assigns: undefined, leaves: undefined, remarks: [...asked.remarks, left] }
      : leaves === "network"
        ? { side: "networked", writes: undefined, assigns: assignedIn(tree), grants: access }
        : { grants: access };
  return { ...asked, ...change };
}

const left = "It ran outside of the sandbox, as the user allowed: /tmp was that of this machine";

/** Lists what a command may be sent again with. */
function escalations({ looks, asks, approval }: BashOptions, side: BashRun["side"]): readonly string[] {
  const mode = approval?.();
  if (looks) return [];
  // With nobody to ask a command may still write, which takes no yes.
  if (asks?.() === false) return side === "reading" && mode !== "plan" && mode !== "ask" ? ["write"] : [];
  return mode === "plan" ? levels.filter((level) => level !== "write") : levels;
}

/** Runs a command at the terminal, in the background or before it, unless the shell has left its directory. */
async function runPrepared(
  options: BashOptions,
  { cwd, pty, async: isAsync, env = {} }: BashInput,
  asked: BashRun,
  call: Call,
): Promise<Outcome> {
  const { from, timeout } = asked;
  if (cwd === undefined && options.shell.cwd !== from)
    return refusal(
      `The shell is no longer in ${from}, for which this command was meant; nothing was run. Send it again.`,
    );
  for (const path of asked.grants?.writes ?? []) makeGiven(options, path);
  if (pty && options.face) return atTerminal(options, options.face, asked, env, call);
  const { backgroundMs } = options;
  const late =
    backgroundMs === undefined || asked.writes === "layers" ? "never" : Math.min(backgroundMs, timeout * 1000 - 1000);
  return carryOut(options, asked, env, isAsync ? "now" : late, call);
}

/** Makes a file of the machine's `/tmp` that the person named, so that it can be mounted to be written. */
function makeGiven({ sandbox }: BashOptions, path: string): void {
  // What is there already stays, and a link that somebody put there is not followed.
  if (sandbox?.isGiven(path)) tryOr(() => closeSync(openSync(path, "wx")));
}

/** Start-up files that take longer are waited for by the command itself. */
const startupMs = 2000;
const noTerminal = "There is no terminal here with a person at it; the command ran without one";

/** The command without what only says where it runs or what to show of it. */
function meant(
  options: BashOptions,
  { command, cwd }: BashInput,
  from: string,
  read: (command: string) => Parsed,
): Tidied & { cwd: string } {
  const { files, shell, artifacts, pipes = "strip" } = options;
  const tidied = tidy({ cwd: from, userHome: files.userHome }, named(artifacts, command), {
    isDirectory: (path) => canEnter(files, path),
    // A prefix takes a program, and no shell of its own.
    pipes: shell.fullCommand("") === "" ? pipes : "keep",
    cwd,
    read,
  });
  return { ...tidied, cwd: tidied.cwd ?? directoryFor(files, cwd, from) };
}

const directoryFor = (files: Files, cwd: string | undefined, from: string): string =>
  cwd === undefined ? from : files.resolve(cwd);

/** Not tried around the first look: a directory that is not judged yet is one where the command would run all the same. */
function canEnter(files: Files, path: string): boolean {
  if (!files.stat(path)?.isDirectory()) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** An artifact is a file: a command may use it by the name the model knows. */
const named = (artifacts: Artifacts, command: string): string =>
  command.replace(/\bartifact:\/\/(\d+)\b/g, (whole, id: string) => {
    const file = artifacts.resolve(id);
    return file.ok && /^[\w./@%+,:=-]+$/.test(file.value) ? file.value : whole;
  });

function badDirectory(files: Files, cwd: string): string | undefined {
  const there = files.stat(cwd);
  if (!there) return `cwd: there is no directory ${cwd}`;
  return there.isDirectory() ? undefined : `cwd: ${cwd} is a file`;
}

function badVariable(env: BashInput["env"]): string | undefined {
  for (const [name, value] of Object.entries(env ?? {})) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return `Not a valid environment variable name: ${JSON.stringify(name)}`;
    if (value.includes("\0")) return `The value of ${name} holds a NUL character, which no environment can take`;
  }
  return undefined;
}

/** Refuses a command that a rule speaks against, and shows it as it was written. */
function blocked(
  { rules = [], has = () => false }: BashOptions,
  { command, cwd, read }: { command: string; cwd: string; read(command: string): Parsed },
  original: string,
): Outcome<"run"> | undefined {
  const rule = intercept(command, read, rules, has);
  if (!rule) return undefined;
  const data: RunData = { command: original, cwd, durationMs: 0, suggestedTool: rule.tool };
  return { kind: "run", data, text: `Blocked: ${rule.message}.\n\nOriginal command: ${original}`, failed: true };
}
