import { type Artifacts, type Meta, type Outcome, type RunData, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { commandEnv, type Dump, type Env, type Ran, runShell, Sink, throttle } from "@pith/host";
import { fill, formatBytes } from "@pith/kit";
import { type Place, resolvePath, statOf } from "../place.ts";
import about from "./bash.md" with { type: "text" };
import { type Tidied, tidy } from "./command.ts";

const maxBytes = 50 * 1024;
const maxColumns = 4096;
const maxTimeout = 3600;
const liveMs = 100;

const input = s.object({
  command: s.string(),
  cwd: s.string().optional().describe("Directory to run in"),
  timeout: s.number().optional().describe("Seconds"),
  env: s.record(s.string()).optional().describe("Additional environment variables"),
});
type Input = s.Infer<typeof input>;

export interface BashParts extends Place {
  artifacts: Artifacts;
  env: Env;
  /** Seconds a command may run when the call does not say. */
  timeout?: number;
  /** What to do with a trailing `| head` or `| tail`. */
  pipes?: "strip" | "keep";
}

export function bash(parts: BashParts): Tool<Input> {
  const usual = parts.timeout ?? 300;
  return tool({
    name: "bash",
    about: fill(about, { size: formatBytes(maxBytes), timeout: usual, max: maxTimeout }),
    input,
    effect: "exec",
    paths: (given) => [prepare(parts, given).cwd],
    async run(given, { signal, progress }) {
      const badName = Object.keys(given.env ?? {}).find((name) => !/^[A-Za-z_]\w*$/.test(name));
      if (badName !== undefined) return refusal(`Not a valid environment variable name: ${JSON.stringify(badName)}`);
      const { command, cwd, stripped } = prepare(parts, given);
      const place = statOf(cwd);
      if (!place) return refusal(`Working directory does not exist: ${cwd}`);
      if (!place.isDirectory()) return refusal(`Working directory is not a directory: ${cwd}`);
      const timeout = Math.min(maxTimeout, Math.max(1, given.timeout ?? usual));

      const started = performance.now();
      const live = throttle(liveMs, () =>
        progress({ kind: "run", data: { command, cwd, durationMs: Math.round(performance.now() - started) }, text: sink.snapshot() }),
      );
      const sink = new Sink({
        maxBytes,
        maxColumns,
        // Who asked for the head gets the head: of a whole output that is too long, the beginning stays too.
        headBytes: stripped?.keep === "head" ? maxBytes / 2 : 0,
        keep: () => parts.artifacts.allocate("bash"),
        onChunk: live.poke,
      });
      const ran = await runShell({
        command,
        cwd,
        env: commandEnv(parts.env, given.env),
        timeoutMs: timeout * 1000,
        signal,
        onData: (chunk) => sink.push(chunk),
      });
      live.stop();
      const dump = sink.dump();
      return ran.ok ? outcome({ command, cwd, timeout, stripped }, ran.value, dump) : refusal(ran.message);
    },
  });
}

function prepare(parts: BashParts, { command, cwd }: Input): Tidied & { cwd: string } {
  const isDirectory = (path: string) => statOf(path)?.isDirectory() === true;
  const tidied = tidy(parts, command, { isDirectory, pipes: parts.pipes ?? "strip", cwd });
  return { ...tidied, cwd: tidied.cwd ?? (cwd === undefined ? parts.cwd : resolvePath(parts, cwd)) };
}

interface Asked {
  command: string;
  cwd: string;
  timeout: number;
  stripped?: Tidied["stripped"];
}

function outcome(asked: Asked, ran: Ran, dump: Dump): Outcome<"run"> {
  const verdict = verdictOf(asked, ran);
  const output = dump.text.replace(/\n+$/, "") || "(no output)";
  const data: RunData = {
    command: asked.command,
    cwd: asked.cwd,
    ...(ran.exitCode !== undefined && { exitCode: ran.exitCode }),
    ...(ran.signal !== undefined && { signal: ran.signal }),
    ...(ran.end === "timeout" && { timedOut: true as const }),
    ...(ran.end === "abort" && { cancelled: true as const }),
    durationMs: Math.round(ran.durationMs),
  };
  const notes = notesOf(asked, ran, dump);
  const meta: Meta = { ...(dump.truncation && { truncation: dump.truncation }), ...(notes.length > 0 && { notes }) };
  return {
    kind: "run",
    data,
    text: verdict === undefined ? output : `${output}\n\n${verdict}`,
    ...(verdict !== undefined && { failed: true as const }),
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

/** What went wrong, or nothing. */
function verdictOf({ timeout }: Asked, { end, exitCode, signal }: Ran): string | undefined {
  if (end === "timeout") return `Command timed out after ${timeout} seconds and was ended`;
  if (end === "abort") return "Command was interrupted";
  if (signal !== undefined) return `Command was ended by ${signal}`;
  if (exitCode === undefined) return "Command ended with a missing exit status";
  return exitCode === 0 ? undefined : `Command exited with code ${exitCode}`;
}

function notesOf({ stripped }: Asked, ran: Ran, dump: Dump): string[] {
  const notes: string[] = [];
  if (stripped && dump.truncation) notes.push(`Ran without \`${stripped.pipe}\``);
  if (ran.leftovers) notes.push("Processes left in the background were stopped");
  return notes;
}
