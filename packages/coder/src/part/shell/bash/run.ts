import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Call, type Outcome, refusal } from "@pith/agent";
import { fail, ok, sleep } from "@pith/kit";
import { runAtTerminal, type TerminalFrontend } from "../../../shell/at-terminal.ts";
import { type ExecuteSources, execute, type LiveCommand } from "../../../shell/execute.ts";
import type { Jobs } from "../../../shell/job/jobs.ts";
import { type BashRun, outcome } from "./outcome.ts";

export interface RunOptions extends ExecuteSources {
  /** Absent: nothing runs in the background. */
  jobs?: Jobs | undefined;
  /** The agent whose jobs these are. */
  owner?: string;
  /** Directory for the output of detached jobs. */
  logs?: string;
}

/** Runs a command at a terminal that a person sees. */
export async function atTerminal(
  options: RunOptions,
  face: TerminalFrontend,
  asked: BashRun,
  env: Readonly<Record<string, string>>,
  call: Call,
): Promise<Outcome> {
  const { command, cwd, timeout } = asked;
  const { signal } = call;
  const done = await runAtTerminal(options, face, {
    command: asked.text ?? command,
    cwd,
    env,
    timeoutMs: timeout * 1000,
    signal,
    side: asked.side,
    writes: asked.writes,
    assigns: asked.assigns,
    grants: asked.grants,
  });
  return done.ok ? outcome(asked, done.value) : refusal(done.message);
}

/** Runs it, here or, from a moment on, in the background. */
export async function carryOut(
  options: RunOptions,
  asked: BashRun,
  env: Readonly<Record<string, string>>,
  aside: "now" | "never" | number,
  call: Call,
): Promise<Outcome> {
  const { command, cwd, lines, timeout } = asked;
  const { jobs } = options;
  const full = aside === "now" ? jobs?.hasRoom() : undefined;
  if (full && !full.ok) return refusal(full.message);
  const started = performance.now();
  let terminal: string | undefined;
  const tell = (text: string) => {
    const durationMs = Math.round(performance.now() - started);
    call.progress({ kind: "run", data: { command, cwd, durationMs, ...(terminal && { terminal }) }, text });
  };
  const stop = new AbortController();
  const onAbort = () => stop.abort(call.signal.reason);
  call.signal.addEventListener("abort", onAbort, { once: true });
  if (call.signal.aborted) onAbort();
  try {
    const live = await execute(options, {
      command: asked.text ?? command,
      cwd,
      env,
      side: asked.side,
      writes: asked.writes,
      leaves: asked.leaves,
      assigns: asked.assigns,
      grants: asked.grants,
      timeoutMs: timeout * 1000,
      signal: stop.signal,
      lines,
      onLive: tell,
    });
    if (!live.ok) return refusal(live.message);
    terminal = live.value.terminal;
    if (terminal !== undefined) tell("");
    const done = await within(live.value, aside);
    if (done) return outcome(asked, done);
    if (!jobs || call.signal.aborted || !jobs.hasRoom().ok) return outcome(asked, await live.value.done);
    return toJob(options, { jobs, asked, live: live.value, stop, aside });
  } finally {
    // From here on the end of the turn is not the end of a command in the background.
    call.signal.removeEventListener("abort", onAbort);
  }
}

/** The result if it comes in time. */
async function within(live: LiveCommand, aside: "now" | "never" | number) {
  if (aside === "never") return live.done;
  if (aside === "now") return undefined;
  const wait = new AbortController();
  const done = await Promise.race([live.done, sleep(aside, wait.signal)]);
  wait.abort();
  return typeof done === "string" ? undefined : done;
}

interface ToJob {
  jobs: Jobs;
  asked: BashRun;
  live: LiveCommand;
  stop: AbortController;
  aside: unknown;
}

function toJob(options: RunOptions, { jobs, asked, live, stop, aside }: ToJob): Outcome<"run"> {
  // A server must not end because nobody thought of a time.
  live.toBackground(asked.limited ? "limited" : "unlimited");
  const job = jobs.add({
    type: "bash",
    label: asked.command,
    owner: options.owner ?? "",
    pid: live.pid,
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
      const folder = options.logs ?? asked.home;
      const log = join(folder, `${crypto.randomUUID().slice(0, 8)}.log`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(log, live.snapshot(), { mode: 0o600 });
      return live.detach(log) === "detached" ? ok(log) : fail("over", "it has ended");
    },
  });
  const said = live.snapshot().replace(/\n+$/, "");
  const begun =
    aside === "now" ? `Started background job ${job.id}.` : `Still running; it goes on as background job ${job.id}.`;
  const hint = "Its result will come by itself when it has ended; the job tool waits for it or cancels it.";
  return {
    kind: "run",
    data: { command: asked.command, cwd: asked.cwd, durationMs: 0, job: job.id },
    text: `${said === "" ? "" : `${said}\n\n`}${begun} ${hint}`,
  };
}
