import { readFileSync, statSync, writeFileSync } from "node:fs";
import type { Artifacts } from "@pith/agent";
import {
  type CollectedOutput,
  OutputSink,
  type RunningCommand,
  type Shell,
  type ShellCommand,
  type ShellResult,
  SixelStream,
  throttle,
} from "@pith/host";
import { ok, type Result } from "@pith/kit";
import type { ClientShell } from "./client-terminal.ts";
import { minimize } from "./output/minimize.ts";

const maxColumns = 4096;
const liveMs = 100;
const lf = 10;

export interface ExecuteSources {
  shell: Shell;
  /** Starts commands in the place of the shell. */
  clientShell?: ClientShell | undefined;
  artifacts: Artifacts;
  /** Bytes of output after which a command is ended, and of the file that keeps it. */
  maxOutput: number;
  noise: "minimize" | "keep";
  /** Bytes of an output that are shown. */
  maxShown(): number;
  /** Masks an output before anything of it is kept or shown. */
  masking?(): { push(chunk: Uint8Array): Uint8Array; end(): Uint8Array };
}

export interface Execution extends Omit<ShellCommand, "onData" | "maxOutput"> {
  /** The number of last lines that are wanted, and no others. */
  lines?: number | undefined;
  /** Called now and then while something new comes, with the end of all and how many lines that has. */
  onLive?(text: string, lines: number): void;
  /** Called with everything it says, as it comes. */
  onSaid?: ((bytes: Uint8Array) => void) | undefined;
  /** Called with every picture in SIXEL, which is no part of the output. */
  onPicture?(picture: string): void;
}

export interface Executed {
  ran: ShellResult;
  dump: CollectedOutput;
  /** The artifact with the whole output, when noise was taken out of what is shown. */
  raw?: string;
}

/** A command that runs, with its output so far. */
export interface LiveCommand {
  pid: number;
  /** The terminal of a client that shows it, where it is not our shell that runs it. */
  terminal?: string | undefined;
  done: Promise<Executed>;
  /** Its beginning and end, as they would be shown. */
  snapshot(): string;
  /** Its end as it came, for whoever is told of it live. */
  end(): string;
  /** From now on it is a matter of its own: what it leaves is not the session's. */
  toBackground(time: "limited" | "unlimited"): void;
  detach(log: string): "detached" | "over";
}

/** Starts a command whose output goes into a sink: for the tool, for background jobs and for what people type alike. */
export async function execute(
  sources: ExecuteSources,
  execution: Execution,
): Promise<Result<LiveCommand, "command" | "spawn">> {
  let lines = 0;
  const live = throttle(liveMs, () => execution.onLive?.(sink.tail(), lines));
  const maxBytes = sources.maxShown();
  const sink = new OutputSink({
    ...limits(maxBytes),
    // Who asked for the last lines gets them as they are.
    ...(execution.lines !== undefined && { headBytes: 0, repeats: "keep" as const }),
    ...(execution.onLive && { endBytes: maxBytes }),
    maxFileBytes: sources.maxOutput,
    openFile: () => sources.artifacts.allocate("bash"),
    spareFile: () => sources.shell.spareFile(),
    onChunk(chunk) {
      if (!execution.onLive) return;
      for (let at = chunk.indexOf(lf); at !== -1; at = chunk.indexOf(lf, at + 1)) lines++;
      live.poke();
    },
  });
  const mask = sources.masking?.();
  const hear = (bytes: Uint8Array) => {
    sink.push(bytes);
    execution.onSaid?.(bytes);
  };
  const pictures = execution.onPicture ? new SixelStream() : undefined;
  const started: Result<RunningCommand & { terminal?: string }, "command" | "spawn"> = await (
    sources.clientShell ?? sources.shell
  ).start({
    ...execution,
    maxOutput: sources.maxOutput,
    onData(chunk) {
      hear(mask ? mask.push(chunk) : chunk);
      for (const picture of pictures?.push(chunk) ?? []) {
        execution.onLive?.(sink.tail(), lines);
        execution.onPicture?.(picture);
      }
    },
  });
  if (!started.ok) {
    live.stop();
    return started;
  }
  const { done, ...begun } = started.value;
  const finish = async (): Promise<Executed> => {
    const ran = await done;
    if (mask) hear(mask.end());
    live.stop();
    const dump = sink.finish();
    if (execution.lines !== undefined) return { ran, dump: lastLines(sources, dump, execution.lines) };
    return {
      ran,
      ...((sources.noise === "minimize" && quieter(sources, execution.command, dump, maxBytes)) || { dump }),
    };
  };
  return ok({ ...begun, done: finish(), snapshot: () => sink.snapshot(), end: () => sink.tail() });
}

/** The beginning and the end of an output, more of the end: there stands how it went. */
const limits = (maxBytes: number) => ({
  maxBytes,
  headBytes: Math.floor(maxBytes / 4),
  maxColumns: Math.min(maxColumns, Math.floor(maxBytes / 4)),
  repeats: "fold" as const,
});

/** The last lines only, when all of them are kept. */
function lastLines({ artifacts, maxShown }: ExecuteSources, dump: CollectedOutput, count: number): CollectedOutput {
  const rows = dump.text.replace(/\n$/, "").split("\n");
  if (rows.length <= count) return dump;
  const cut = dump.truncation ?? { artifactId: keepRaw(artifacts, dump.text), maxBytes: maxShown() };
  if (cut.artifactId === undefined && !dump.truncation) return dump;
  const text = `${rows.slice(-count).join("\n")}\n`;
  const { totalLines, totalBytes } = dump;
  return {
    ...dump,
    text,
    truncation: {
      ...cut,
      direction: "tail",
      truncatedBy: "lines",
      totalLines,
      totalBytes,
      outputLines: count,
      outputBytes: Buffer.byteLength(text),
      shownRange: { start: totalLines - count + 1, end: totalLines },
    },
  };
}

/** The output without its noise, when there is enough of that and the whole is kept. */
function quieter(
  { artifacts }: ExecuteSources,
  command: string,
  dump: CollectedOutput,
  maxBytes: number,
): Pick<Executed, "dump" | "raw"> | undefined {
  const whole = wholeOf(artifacts, dump);
  const shorter = whole && minimize(command, whole.text);
  if (!shorter) return undefined;
  // In the file every state of a line that was written over is a line; then the other is the shorter one.
  if (dump.truncation?.truncatedBy === "repeats" && shorter.text.length >= dump.text.length) return undefined;
  const raw = whole.id ?? keepRaw(artifacts, whole.text);
  if (raw === undefined) return undefined;
  const sink = new OutputSink(limits(maxBytes));
  sink.push(Buffer.from(shorter.text));
  const { text, truncation } = sink.finish();
  // What is beyond the limit here is in the file of the whole output, whose lines are counted otherwise.
  const { lost: _, leftOut: __, ...cut } = truncation ?? {};
  return {
    raw,
    dump: { ...dump, text, truncation: truncation && ({ ...cut, artifactId: raw } as CollectedOutput["truncation"]) },
  };
}

/** All of the output, from memory or from its file if that is complete and not huge. */
function wholeOf(
  artifacts: Artifacts,
  { text, whole = text, truncation }: CollectedOutput,
): { text: string; id?: string } | undefined {
  if (!truncation) return { text: whole };
  const id = truncation.lost ? undefined : truncation.artifactId;
  const file = id === undefined ? undefined : artifacts.resolve(id);
  if (id === undefined || !file?.ok) return undefined;
  try {
    return statSync(file.value).size > largest ? undefined : { text: readFileSync(file.value, "utf8"), id };
  } catch {
    return undefined;
  }
}

const largest = 8 * 1024 * 1024;

function keepRaw(artifacts: Artifacts, text: string): string | undefined {
  const file = artifacts.allocate("bash-original");
  try {
    if (file) writeFileSync(file.path, text, { flag: "wx", mode: 0o600 });
    return file?.id;
  } catch {
    return undefined;
  }
}
