import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Call, type Outcome, type RunData, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { fail, fill, formatBytes, ok, sleep } from "@pith/kit";
import { type Place, resolvePath, statOf } from "../../files/path.ts";
import { type Attend, attend } from "../../job/attend.ts";
import { type ExecuteParts, execute, type Live, maxBytes } from "../../job/execute.ts";
import type { Jobs } from "../../job/table.ts";
import about from "./bash.md" with { type: "text" };
import { type Tidied, tidy } from "./command.ts";
import { intercept, type Rule } from "./intercept.ts";
import { type Asked, outcome } from "./outcome.ts";
import { Patches, type PatchHow } from "./patch.ts";

const maxTimeout = 3600;

const base = {
  command: s.string(),
  cwd: s.string().optional().describe("Directory to run in"),
  timeout: s.number().optional().describe("Seconds"),
  env: s.record(s.string()).optional().describe("Additional environment variables"),
  pty: s.boolean().optional().describe("At a terminal, with the user at it"),
};
const input = s.object(base);
const withAsync = s.object({
  ...base,
  async: s.boolean().optional().describe("Run in the background; the result comes later"),
});
type Input = s.Infer<typeof withAsync>;

export interface BashParts extends Place, ExecuteParts {
  /** Seconds a command may run when the call does not say. */
  timeout?: number;
  /** What to do with a trailing `| head` or `| tail`. */
  pipes?: "strip" | "keep";
  /** Absent: nothing runs in the background. */
  jobs?: Jobs | undefined;
  /** The agent whose jobs these are. */
  owner?: string;
  /** A command that runs longer becomes a job. */
  backgroundMs?: number | undefined;
  /** Where a detached job's output goes. */
  logs?: string;
  rules?: readonly Rule[];
  /** Tools that a blocked command may be sent to. */
  tools?: readonly string[];
  /** A terminal with a person at it; absent where there is none. */
  face?: Attend | undefined;
  /** For a command that only applies a patch; absent, the shell runs that too. */
  patch?: PatchHow;
}

export function bash(parts: BashParts): Tool<Input> {
  const usual = parts.timeout ?? 300;
  const background = parts.jobs ? "; with `async: true` it goes on as a background job" : "";
  const patches =
    parts.patch && new Patches<Input>({ ...parts.patch, root: parts.cwd, cwd: (given) => placeFor(parts, given.cwd) });
  return tool<Input>({
    name: "bash",
    about: fill(about, { size: formatBytes(maxBytes), timeout: usual, max: maxTimeout, background }),
    input: parts.jobs ? withAsync : input,
    effect: (given) => (patches?.paths(given) ? "write" : "exec"),
    paths: (given) => patches?.paths(given) ?? [prepare(parts, given).cwd],
    async run(given, call) {
      if (given.async && !parts.jobs) return refusal("Async execution is disabled; run the command without `async`.");
      const { command, cwd, stripped } = prepare(parts, given);
      const instead = blocked(parts, { command, cwd }, given.command) ?? (await patches?.run(given, call));
      if (instead) return instead;
      const wrong = badVariable(given.env) ?? badPlace(cwd);
      if (wrong !== undefined) return refusal(wrong);
      const timeout = Math.min(maxTimeout, Math.max(1, given.timeout ?? usual));
      const env = given.env ?? {};
      const asked: Asked = {
        ...{ command, cwd, timeout, stripped, home: parts.cwd, from: parts.shell.cwd },
        remarks:
          given.pty && !parts.face
            ? ["There is no terminal here with a person at it; the command ran without one"]
            : [],
      };
      if (given.pty && parts.face) return await atTerminal(parts, parts.face, asked, env, call);
      const late = parts.backgroundMs === undefined ? "never" : Math.min(parts.backgroundMs, timeout * 1000 - 1000);
      return await carryOut(parts, asked, env, given.async ? "now" : late, call);
    },
  });
}

async function atTerminal(
  parts: BashParts,
  face: Attend,
  asked: Asked,
  env: Readonly<Record<string, string>>,
  call: Call,
): Promise<Outcome> {
  const { command, cwd, timeout } = asked;
  const done = await attend(parts, face, { command, cwd, env, timeoutMs: timeout * 1000, signal: call.signal });
  return done.ok ? outcome(asked, done.value) : refusal(done.message);
}

/** Runs it, here or, from a moment on, in the background. */
async function carryOut(
  parts: BashParts,
  asked: Asked,
  env: Readonly<Record<string, string>>,
  aside: "now" | "never" | number,
  call: Call,
): Promise<Outcome> {
  const { command, cwd, stripped, timeout } = asked;
  const { jobs } = parts;
  const full = aside === "now" ? jobs?.room() : undefined;
  if (full && !full.ok) return refusal(full.message);
  const started = performance.now();
  const stop = new AbortController();
  const onAbort = () => stop.abort(call.signal.reason);
  call.signal.addEventListener("abort", onAbort, { once: true });
  if (call.signal.aborted) onAbort();
  try {
    const live = await execute(parts, {
      ...{ command, cwd, env, timeoutMs: timeout * 1000, signal: stop.signal, show: stripped?.keep ?? "tail" },
      onLive: (text) =>
        call.progress({
          kind: "run",
          data: { command, cwd, durationMs: Math.round(performance.now() - started) },
          text,
        }),
    });
    if (!live.ok) return refusal(live.message);
    const done = await within(live.value, aside);
    if (done) return outcome(asked, done);
    if (!jobs || call.signal.aborted || !jobs.room().ok) return outcome(asked, await live.value.done);
    return toJob(parts, jobs, asked, live.value, stop, aside);
  } finally {
    // From here on the end of the turn is not the end of a command in the background.
    call.signal.removeEventListener("abort", onAbort);
  }
}

/** The result if it comes in time. */
async function within(live: Live, aside: "now" | "never" | number) {
  if (aside === "never") return live.done;
  if (aside === "now") return undefined;
  const wait = new AbortController();
  const done = await Promise.race([live.done, sleep(aside, wait.signal)]);
  wait.abort();
  return typeof done === "string" ? undefined : done;
}

function toJob(
  parts: BashParts,
  jobs: Jobs,
  asked: Asked,
  live: Live,
  stop: AbortController,
  aside: unknown,
): Outcome<"run"> {
  const job = jobs.add({
    ...{ type: "bash", label: asked.command, owner: parts.owner ?? "", pid: live.pid },
    snapshot: live.snapshot,
    stop: () => stop.abort("cancelled"),
    done: live.done.then((done) => {
      const { text, failed, meta } = outcome(asked, done);
      const artifact = meta?.truncation?.artifactId;
      return {
        text: artifact === undefined ? text : `${text}\n[Full: artifact://${artifact}]`,
        failed: failed === true,
      };
    }),
    detach() {
      const folder = parts.logs ?? asked.home;
      const log = join(folder, `${crypto.randomUUID().slice(0, 8)}.log`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(log, live.snapshot(), { mode: 0o600 });
      return live.detach(log) === "detached" ? ok(log) : fail("over", "it has ended");
    },
  });
  const said = live.snapshot().replace(/\n+$/, "");
  const text =
    aside === "now" ? `Started background job ${job.id}.` : `Still running; it goes on as background job ${job.id}.`;
  return {
    kind: "run",
    data: { command: asked.command, cwd: asked.cwd, durationMs: 0, job: job.id },
    text: `${said === "" ? "" : `${said}\n\n`}${text} Its result will come by itself when it has ended; the job tool waits for it or cancels it.`,
  };
}

function prepare(parts: BashParts, { command, cwd }: Input): Tidied & { cwd: string } {
  const here = parts.shell.cwd;
  const tidied = tidy({ ...parts, cwd: here }, named(parts, command), {
    isDirectory: canEnter,
    pipes: parts.pipes ?? "strip",
    cwd,
  });
  return { ...tidied, cwd: tidied.cwd ?? placeFor(parts, cwd) };
}

const placeFor = (parts: BashParts, cwd: string | undefined): string =>
  cwd === undefined ? parts.shell.cwd : resolvePath(parts, cwd);

function canEnter(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statOf(path)?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** An artifact is a file: a command may use it by the name the model knows. */
const named = ({ artifacts }: BashParts, command: string): string =>
  command.replace(/\bartifact:\/\/(\d+)\b/g, (whole, id: string) => {
    const file = artifacts.resolve(id);
    return file.ok && /^[\w./@%+,:=-]+$/.test(file.value) ? file.value : whole;
  });

function badPlace(cwd: string): string | undefined {
  const place = statOf(cwd);
  if (!place) return `Working directory does not exist: ${cwd}`;
  return place.isDirectory() ? undefined : `Working directory is not a directory: ${cwd}`;
}

function badVariable(env: Input["env"]): string | undefined {
  for (const [name, value] of Object.entries(env ?? {})) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return `Not a valid environment variable name: ${JSON.stringify(name)}`;
    if (value.includes("\0")) return `The value of ${name} holds a NUL character, which no environment can take`;
  }
  return undefined;
}

/** What a rule says against a command, which is told as it was given. */
function blocked(
  { rules = [], tools = [] }: BashParts,
  { command, cwd }: { command: string; cwd: string },
  given: string,
): Outcome<"run"> | undefined {
  const rule = intercept(command, rules, tools);
  if (!rule) return undefined;
  const data: RunData = { command: given, cwd, durationMs: 0, suggestedTool: rule.tool };
  return { kind: "run", data, text: `Blocked: ${rule.message}.\n\nOriginal command: ${given}`, failed: true };
}
