import { accessSync, constants } from "node:fs";
import {
  type Artifacts,
  type Intent,
  type Outcome,
  type Preparing,
  type RunData,
  refusal,
  schema as s,
  type Tool,
  touch,
} from "@pith/agent";
import { remembers } from "@pith/host";
import { fill } from "@pith/kit";
import { shellPatch } from "../../edit/apply-patch/shell.ts";
import type { Files } from "../../files/files.ts";
import type { Attend } from "../../job/attend.ts";
import type { Confinement } from "../../job/confine.ts";
import about from "./bash.md" with { type: "text" };
import brief from "./bash.short.md" with { type: "text" };
import { type Tidied, tidy } from "./command.ts";
import anew from "./elsewhere.md" with { type: "text" };
import { intercept, type Rule } from "./intercept.ts";
import kept from "./kept.md" with { type: "text" };
import type { Asked } from "./outcome.ts";
import { type PatchOptions, preparePatch } from "./patch.ts";
import { atTerminal, carryOut, type RunOptions } from "./run.ts";

const maxTimeout = 3600;

const base = {
  command: s.string(),
  cwd: s.string().optional().describe("Directory to run in"),
  timeout: s.number().optional().describe("Seconds"),
  env: s.record(s.string()).optional().describe("Additional environment variables"),
  pty: s.boolean().optional().describe("At a terminal, with the user at it"),
};
const async = s.boolean().optional().describe("Run in the background; the result comes later");
const outside = s.string().optional().describe("Why it must run outside of the sandbox; the user is asked");
const whole = s.object({ ...base, async, outside });
type Input = s.Infer<typeof whole>;
/** What is not offered is read all the same: `async` is refused then, and `outside` is where everything runs. */
const offered = (jobs: boolean, walls: boolean): s.Schema<Input> =>
  new s.Schema(s.object({ ...base, ...(jobs && { async }), ...(walls && { outside }) }).json, whole.read);

export interface BashOptions extends RunOptions {
  files: Files;
  /** Seconds a command may run when the call does not say. */
  timeout?: number;
  /** What to do with a trailing `| tail`. */
  pipes?: "strip" | "keep";
  /** A command that runs longer becomes a job. */
  backgroundMs?: number | undefined;
  rules?: readonly Rule[];
  /** Whether a tool is there that a blocked command may be sent to. */
  has?(tool: string): boolean;
  /** A terminal with a person at it; absent where there is none. */
  face?: Attend | undefined;
  /** For a command that only applies a patch; absent, the shell runs that too. */
  patch?: PatchOptions;
  /** Where commands may run behind a wall. */
  confinement?: Confinement | undefined;
}

export function bash(options: BashOptions): Tool<Input> {
  const usual = options.timeout ?? 300;
  const background = options.jobs ? "; with `async: true` it goes on as a background job, for as long as it takes" : "";
  const state = (options.elsewhere ? anew : kept).trimEnd();
  return {
    name: "bash",
    about: fill(about, { state, timeout: usual, max: maxTimeout, background }),
    brief: fill(brief, { state, timeout: usual }),
    input: offered(options.jobs !== undefined, options.confinement !== undefined),
    // A patch is a write, wherever it was meant to run.
    beside: ({ async, command }) => async === true && !(options.patch && shellPatch(command, options.shell.cwd)),
    prepare: (wanted, how) => prepare(options, { usual, ...wanted }, how),
  };
}

/** The command as it will be read, and the directory it is read in; a patch is a write of its files. */
async function prepare(
  options: BashOptions,
  wanted: Input & { usual: number },
  { without }: Preparing,
): Promise<Intent | Outcome> {
  const { files, shell, patch, confinement } = options;
  await confinement?.ready();
  const side = confinement?.on() && wanted.outside === undefined ? "walled" : "open";
  if (wanted.async && !options.jobs) return refusal("Async execution is disabled; run the command without `async`.");
  const [from, memory] = [shell.cwd, shell.memory(side)];
  if (wanted.command.includes("\0")) return refusal("The command holds a NUL character, which no shell can take.");
  const { command, cwd, lines, bare = command } = meant(options, wanted);
  const instead =
    blocked(options, { command: bare, cwd }, wanted.command) ??
    (patch && (await preparePatch(wanted.command, directoryFor(options, wanted.cwd), { files, patch, without })));
  if (instead) return instead;
  const wrong = badVariable(wanted.env) ?? badDirectory(files, cwd);
  if (wrong !== undefined) return refusal(wrong);
  const timeout = Math.min(maxTimeout, Math.max(1, wanted.timeout ?? wanted.usual));
  const env = wanted.env ?? {};
  const unattended = wanted.pty && !options.face ? [noTerminal] : [];
  const limited = wanted.timeout !== undefined;
  let began = 0;
  const asked: Asked = {
    command,
    cwd,
    timeout,
    limited,
    lines,
    home: files.cwd,
    from,
    remarks: unattended,
    side,
    leaves: (await leaving()).leavesShell(shell.wording(command), memory) ? "nothing" : undefined,
    blocked: (output) => confinement?.blocked(output, began) ?? [],
  };
  return {
    effect: "exec",
    paths: [touch("exec", cwd)],
    command: shell.wording(command),
    cwd,
    env: wanted.env,
    ...(side === "walled" ? { confined: true as const } : {}),
    // What was judged by one state of the shell is not run in another.
    stale: () => (wanted.cwd === undefined && shell.cwd !== from) || !remembers(memory, shell.memory(side)),
    async run(call) {
      began = performance.now();
      // Nor what was meant for one directory.
      if (wanted.cwd === undefined && shell.cwd !== from)
        return refusal(
          `The shell is no longer in ${from}, for which this command was meant; nothing was run. Send it again.`,
        );
      if (wanted.pty && options.face) return atTerminal(options, options.face, asked, env, call);
      const { backgroundMs } = options;
      const late = backgroundMs === undefined ? "never" : Math.min(backgroundMs, timeout * 1000 - 1000);
      return carryOut(options, asked, env, wanted.async ? "now" : late, call);
    },
  };
}

let loading: Promise<typeof import("./leaves.ts")> | undefined;
const leaving = () => {
  loading ??= import("./leaves.ts");
  return loading;
};

const noTerminal = "There is no terminal here with a person at it; the command ran without one";

/** The command without what only says where it runs or what to show of it. */
function meant(options: BashOptions, { command, cwd }: Input): Tidied & { cwd: string } {
  const { files, shell, artifacts, pipes = "strip" } = options;
  const tidied = tidy({ cwd: shell.cwd, userHome: files.userHome }, named(artifacts, command), {
    isDirectory: (path) => canEnter(files, path),
    // A prefix takes a program, and no shell of its own.
    pipes: shell.wording("") === "" ? pipes : "keep",
    cwd,
  });
  return { ...tidied, cwd: tidied.cwd ?? directoryFor(options, cwd) };
}

const directoryFor = ({ files, shell }: BashOptions, cwd: string | undefined): string =>
  cwd === undefined ? shell.cwd : files.resolve(cwd);

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
  if (!there) return `Working directory does not exist: ${cwd}`;
  return there.isDirectory() ? undefined : `Working directory is not a directory: ${cwd}`;
}

function badVariable(env: Input["env"]): string | undefined {
  for (const [name, value] of Object.entries(env ?? {})) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return `Not a valid environment variable name: ${JSON.stringify(name)}`;
    if (value.includes("\0")) return `The value of ${name} holds a NUL character, which no environment can take`;
  }
  return undefined;
}

/** What a rule says against a command, which is told as it was written. */
function blocked(
  { rules = [], has = () => false }: BashOptions,
  { command, cwd }: { command: string; cwd: string },
  original: string,
): Outcome<"run"> | undefined {
  const rule = intercept(command, rules, has);
  if (!rule) return undefined;
  const data: RunData = { command: original, cwd, durationMs: 0, suggestedTool: rule.tool };
  return { kind: "run", data, text: `Blocked: ${rule.message}.\n\nOriginal command: ${original}`, failed: true };
}
