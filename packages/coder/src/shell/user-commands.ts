import type { Channel, EntryDraft, Meta } from "@pith/agent";
import { ok, type Result } from "@pith/kit";
import type { TerminalFrontend } from "./at-terminal.ts";
import type { Executed, ExecuteSources } from "./execute.ts";

/** A command that a person ran, as pi and omp record it too. */
export interface UserRun {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode?: number;
  /** The signal that ended it, when it did not end itself. */
  signal?: string;
  limit?: string;
  cancelled: boolean;
  truncated: boolean;
  timedOut?: true;
  /** Lines of the whole output, when this is not all of it. */
  totalLines?: number;
  /** `artifact://<id>` of the whole output. */
  artifactId?: string;
  /** The model does not see it. */
  excludeFromContext?: true;
  timestamp: number;
}

interface TypedSources {
  commands: ExecuteSources;
  channel: Channel;
  /** Milliseconds that a command may take. */
  timeoutMs: number;
  now(): number;
  /** Tells where the output of a command comes from, when that is not the project. */
  origin?(command: string): Promise<Meta["origin"] | undefined>;
  /** Variables that the shell of the session is without: what people run has them, and leaves none behind. */
  keys?: Readonly<Record<string, string>>;
  /** Pictures in SIXEL are for the eyes of who typed the command: no model and no record gets them. */
  pictures?: "show" | "drop";
  /** The terminal that programs are given which nobody could use without one, and the person's own variables. */
  seen?: { face: TerminalFrontend; env: Readonly<Record<string, string | undefined>> } | undefined;
}

/** Timeout for programs at a terminal: the person in front ends them, not a clock. */
const aDay = 86_400_000;

/**
 * Runs what people type in the session's shell. Nothing is rewritten or intercepted, and nobody is asked: so a face
 * must know that a person typed it, and a prompt that begins with `!` is only a prompt.
 */
export class UserCommands {
  readonly #sources: TypedSources;
  readonly #running = new Map<AbortController, Promise<void>>();
  /** Runs that ended during a turn: there is no place for an entry before its next step. */
  readonly #waiting: { message: UserRun; origin?: Meta["origin"] }[] = [];
  #count = 0;

  constructor(sources: TypedSources) {
    this.#sources = sources;
  }

  /** Runs a command, tells what it says while it does, and records it; undefined when it could not be run. */
  async run(command: string, context: "in" | "out", hear?: (bytes: Uint8Array) => void): Promise<UserRun | undefined> {
    const { channel, now } = this.#sources;
    const stop = new AbortController();
    const id = String(++this.#count);
    const over = Promise.withResolvers<void>();
    this.#running.set(stop, over.promise);
    let run: UserRun | undefined;
    // It is judged where it begins.
    const from = context === "in" ? this.#sources.origin?.(command) : undefined;
    try {
      const done =
        (await this.#atTerminal(command, stop.signal)) ?? (await this.#heard(id, command, stop.signal, hear));
      if (!done.ok) {
        channel.notify({ level: "warn", text: done.message });
        return undefined;
      }
      run = recorded(command, context, done.value, now());
      const origin = await from;
      this.#waiting.push({ message: run, ...(origin && { origin }) });
      return run;
    } finally {
      this.#running.delete(stop);
      // During a turn there is no place for it yet, and a person waits to see how it ended.
      channel.announce({ type: "output", id, command, ...(run && { run }) });
      if (!channel.running) this.flush();
      over.resolve();
    }
  }

  /** At the person's own terminal; undefined where it needs none, or there is none. */
  async #atTerminal(command: string, signal: AbortSignal): Promise<Result<Executed, string> | undefined> {
    const { commands, keys, seen } = this.#sources;
    if (!seen) return undefined;
    const { interactiveEnv, isInteractive } = await import("./interactive.ts");
    if (!isInteractive(command)) return undefined;
    const env = { ...keys, ...interactiveEnv(seen.env) };
    const { runAtTerminal } = await import("./at-terminal.ts");
    return runAtTerminal(commands, seen.face, { command, timeoutMs: aDay, env, signal });
  }

  /** With what it says told while it runs. */
  async #heard(
    id: string,
    command: string,
    signal: AbortSignal,
    hear?: (bytes: Uint8Array) => void,
  ): Promise<Result<Executed, string>> {
    const { commands, channel, timeoutMs, keys, pictures } = this.#sources;
    // What says nothing is seen to run all the same, and can be stopped.
    channel.announce({ type: "output", id, command, text: "", lines: 0 });
    const { execute } = await import("./execute.ts");
    const live = await execute(commands, {
      command,
      timeoutMs,
      ...(keys && { env: keys }),
      signal,
      onSaid: hear,
      onLive: (text, lines) => channel.announce({ type: "output", id, command, text, lines }),
      ...(pictures === "show" && {
        onPicture: (sixel: string) => channel.announce({ type: "picture", id, sixel }),
      }),
    });
    if (!live.ok) return live;
    const done = await live.value.done;
    const said = live.value.end();
    const text = said === "" || said.endsWith("\n") ? said : `${said}\n`;
    channel.announce({ type: "output", id, command, text, lines: done.dump.totalLines });
    return ok(done);
  }

  /** Ends what people run; resolves when it has ended and is noted. */
  async stop(): Promise<void> {
    const ends = [...this.#running.values()];
    for (const running of this.#running.keys()) running.abort("interrupted");
    await Promise.all(ends);
  }

  /** Records what waits for a place. */
  flush(): void {
    for (const run of this.#waiting.splice(0))
      this.#sources.channel.record({ type: "message", ...run } as unknown as EntryDraft);
  }
}

function recorded(command: string, context: "in" | "out", { ran, dump, raw }: Executed, timestamp: number): UserRun {
  const artifactId = raw ?? dump.truncation?.artifactId;
  return {
    role: "bashExecution",
    command,
    output: dump.text,
    cancelled: ran.end === "abort",
    truncated: dump.truncation !== undefined,
    timestamp,
    ...(ran.exitCode === undefined ? {} : { exitCode: ran.exitCode }),
    ...(ran.signal === undefined ? {} : { signal: ran.signal }),
    ...(ran.end === "limit" && ran.limit ? { limit: ran.limit.text } : {}),
    ...(ran.end === "timeout" ? { timedOut: true as const } : {}),
    ...(dump.truncation ? { totalLines: dump.truncation.totalLines } : {}),
    ...(artifactId === undefined ? {} : { artifactId }),
    ...(context === "out" ? { excludeFromContext: true as const } : {}),
  };
}
