import type { RunningCommand, ShellCommand, ShellResult } from "@pith/host";
import { fail, messageOf, ok, type Result, sleep } from "@pith/kit";

/** Terminals of somebody else, in which commands run in the place of our shell. */
export interface Terminals {
  /** Runs a program in a new one; rejects where that cannot be. */
  open(wanted: {
    command: string;
    args: readonly string[];
    cwd: string;
    env: Readonly<Record<string, string>>;
    /** Bytes of output that are kept there, the last ones. */
    keeps: number;
  }): Promise<Terminal>;
}

/** Only the end of the program may take as long as it likes; all else rejects when it lasts too long. */
export interface Terminal {
  id: string;
  /** All that was said and is kept. */
  output(): Promise<{ text: string; cut: boolean }>;
  /** Resolves when the program has ended. */
  exited(): Promise<{ exitCode?: number; signal?: string }>;
  kill(): Promise<void>;
  /** Ends what still runs, and gives the terminal back. */
  release(): Promise<void>;
}

export interface ClientShellOptions {
  /** The shell by its name. */
  program: string;
  /** Names of variables that commands must not see. */
  hidden: readonly string[];
  shell: { readonly cwd: string; fullCommand(command: string): string };
}

/** Starts commands: our shell, or a terminal of the client. */
export interface ClientShell {
  start(command: ShellCommand): Promise<Result<RunningCommand & { terminal: string }, "spawn">>;
}

/** All of an output comes with every look at it, so less of it is waited for than in our own shell. */
const mostOutput = 16 * 1024 * 1024;
const [firstLookMs, lastLookMs] = [200, 5000];
const openingMs = 30_000;
/** Longest wait for a program that was killed. */
const dyingMs = 2000;

/** Runs commands in terminals of somebody else, with our times and limits of output. */
export function clientShell(terminals: Terminals, { program, hidden, shell }: ClientShellOptions): ClientShell {
  return {
    async start(command) {
      const keeps = Math.min(command.maxOutput ?? mostOutput, mostOutput);
      const opening = terminals.open({
        command: program,
        args: ["-c", shell.fullCommand(command.command)],
        cwd: command.cwd ?? shell.cwd,
        env: { ...Object.fromEntries(hidden.map((name) => [name, ""])), ...command.env },
        keeps,
      });
      const terminal = await opened(opening, command.signal);
      if (!terminal.ok) return terminal;
      const run = new Run(terminal.value, { ...command, maxOutput: keeps });
      const done = run.done().then((ended): ShellResult => ({ ...ended, cwd: shell.cwd, limits: held }));
      return ok({
        pid: 0,
        terminal: terminal.value.id,
        done,
        toBackground: (time) => run.toBackground(time),
        detach: () => "over",
      });
    },
  };
}

const held = "time and output, in a terminal of the client";

/** A terminal that comes when nobody waits for it any more is given back. */
async function opened(opening: Promise<Terminal>, signal: AbortSignal): Promise<Result<Terminal, "spawn">> {
  const waited = new AbortController();
  try {
    const first = await Promise.race([opening, sleep(openingMs, AbortSignal.any([signal, waited.signal]))]);
    if (typeof first !== "string") return ok(first);
  } catch (thrown) {
    return fail("spawn", `The client opened no terminal: ${messageOf(thrown)}`);
  } finally {
    waited.abort();
  }
  void opening.then((late) => late.release()).catch(() => {});
  return fail("spawn", "The client opened no terminal in time; one that comes later is ended");
}

type End = Pick<ShellResult, "end" | "exitCode" | "signal" | "limit">;

/** A command in a terminal, from its beginning until the terminal is given back. */
class Run {
  readonly #terminal: Terminal;
  readonly #command: ShellCommand & { maxOutput: number };
  readonly #began = performance.now();
  readonly #stopped = Promise.withResolvers<End>();
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Length of the output that was passed on; `cut` once some of it was lost, after which nothing more is. */
  #heard: number | "cut" = 0;

  constructor(terminal: Terminal, command: ShellCommand & { maxOutput: number }) {
    this.#terminal = terminal;
    this.#command = command;
    if (Number.isFinite(command.timeoutMs))
      this.#timer = setTimeout(() => this.#stopped.resolve({ end: "timeout" }), command.timeoutMs);
  }

  toBackground(time: "limited" | "unlimited"): void {
    if (time === "unlimited") clearTimeout(this.#timer);
  }

  async done(): Promise<End & { durationMs: number }> {
    const { signal } = this.#command;
    const onAbort = () => this.#stopped.resolve({ end: "abort" });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const exited = this.#terminal.exited().then(
      (how): End => ({ end: "exit", ...how }),
      // Nobody knows how it went.
      (): End => ({ end: "exit" }),
    );
    const listening = this.#listen();
    try {
      const ended = await Promise.race([exited, this.#stopped.promise]);
      if (ended.end !== "exit") await this.#kill(exited);
      this.#over.abort();
      await listening;
      await this.#hear();
      return { ...ended, durationMs: performance.now() - this.#began };
    } finally {
      clearTimeout(this.#timer);
      signal.removeEventListener("abort", onAbort);
      this.#over.abort();
      await this.#terminal.release().catch(() => {});
    }
  }

  async #kill(exited: Promise<unknown>): Promise<void> {
    await this.#terminal.kill().catch(() => {});
    await Promise.race([exited, sleep(dyingMs, this.#over.signal)]);
  }

  /** Looks now and then, seldom in the end: every look costs all of the output. */
  async #listen(): Promise<void> {
    for (let wait = firstLookMs; (await sleep(wait, this.#over.signal)) === "slept"; wait *= 1.5) {
      await this.#hear();
      wait = Math.min(wait, lastLookMs);
    }
  }

  async #hear(): Promise<void> {
    const said = await this.#terminal.output().catch(() => undefined);
    if (!said || this.#heard === "cut") return;
    const { maxOutput, onData } = this.#command;
    const news = said.cut
      ? `\n[The terminal did not keep all; this is the end.]\n${said.text}`
      : said.text.slice(this.#heard);
    this.#heard = said.cut || said.text.length > maxOutput ? "cut" : said.text.length;
    if (news !== "") onData(Buffer.from(news));
    if (this.#heard === "cut")
      this.#stopped.resolve({ end: "limit", limit: { what: "output", text: "more output than may be kept" } });
  }
}
