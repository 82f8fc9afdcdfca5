import { join } from "node:path";
import { type Hook, perTurn, type Settled, type TurnView } from "@pith/agent";
import { fill, plural, realPath } from "@pith/kit";
import { type Command, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import { fixesNote } from "../../session/fixes.ts";
import { answerOn, keepAnswer } from "./answer.ts";
import { changedFiles, textAt, writtenFiles } from "./changed.ts";
import commandProse from "./command.md" with { type: "text" };
import { findCheck } from "./find.ts";
import { type ChangedFile, Checks, type Problem, problemRows, syntaxChecker } from "./problem.ts";
import problemsProse from "./problems.md" with { type: "text" };
import { type CheckResult, failures, lastLine, runCheck } from "./run.ts";
import { hashRun, noteAccepted } from "./run-hash.ts";

/** Problems go back to the model at most so often, and only while they become fewer. */
const mostReports = 3;
const questionTimeoutMs = 120_000;

declare module "../../hall/hall.ts" {
  interface Hall {
    /** Finds problems in changed files. */
    checks: Checks;
  }
}

type Needs = ("call" | "channel" | "clock" | "cwd" | "files" | "grants") | ("home" | "questions" | "settings" | "undo");

/** Checks changed files when the model stops: first their syntax, then with a command of the user or the project. */
export const verify: MakePart<Needs, "checks"> = (hall) => {
  const checks = new Checks();
  checks.add(syntaxChecker);
  const verification = new Verification(hall, checks);
  return { name: "verify", hooks: [verification], commands: [verification.skip], owns: { checks } };
};

const newTurn = () => ({
  /** True once something ran that may have changed files. */
  touched: false,
  /** Texts of written files from before, where undo is off. */
  before: new Map<string, string | undefined>(),
  /** The state of the files at the last check. */
  state: "",
  /** Reports of problems to the model. */
  times: 0,
  /** The number of problems at the last report. */
  last: Number.POSITIVE_INFINITY,
  /** The check that reported them. */
  about: "",
  /** The problems that only the model was told of. */
  left: "",
});
type Turn = ReturnType<typeof newTurn>;

const done: Settled = { do: "done" };

class Verification implements Hook {
  readonly name = "verify";
  readonly #hall: Pick<Hall, Needs>;
  readonly #checks: Checks;
  readonly #turn = perTurn(newTurn);
  #now: Turn | undefined;
  #running: AbortController | undefined;
  /** Commands that do not run here, or not now; the user was told. */
  readonly #useless = new Set<string>();

  constructor(hall: Pick<Hall, Needs>, checks: Checks) {
    this.#hall = hall;
    this.#checks = checks;
  }

  readonly skip: Command = {
    name: "skip",
    about: "end the check that runs, and with it the turn",
    run: () => {
      if (!this.#running) return show("Nothing is being checked.");
      this.#running.abort("skipped");
      return show("The check is skipped.");
    },
  };

  step(turn: TurnView): void {
    this.#now = this.#turn(turn);
  }

  start: NonNullable<Hook["start"]> = ({ intent }) => {
    const now = this.#now;
    const { grants, cwd } = this.#hall;
    if (this.#configured) noteAccepted(grants, cwd, this.#configured);
    if (!now || intent.effect === "read" || intent.effect === "net") return;
    now.touched = true;
    if (this.#hall.settings.get("undo.enabled")) return;
    for (const { effect, real } of intent.paths)
      if (effect === "write" && !now.before.has(real)) now.before.set(real, textAt(real));
  };

  settle: NonNullable<Hook["settle"]> = async (turn) => {
    const { settings, channel } = this.#hall;
    const now = this.#turn(turn);
    if (!now.touched || !settings.get("verify.enabled")) return done;
    const { files, state } = await this.#changed(turn, now.before);
    if (state === now.state) return this.#leave(now);
    Object.assign(now, { state, left: "" });
    const skip = new AbortController();
    this.#running = skip;
    try {
      const settled = await this.#check(turn, files, AbortSignal.any([turn.signal, skip.signal]));
      // A person has interrupted: the turn ends, but is not finished.
      return turn.signal.aborted ? { do: "go on", note: "" } : settled;
    } finally {
      this.#running = undefined;
      channel.announce({ type: "status", key: "verify" });
    }
  };

  async #changed(turn: TurnView, before: ReadonlyMap<string, string | undefined>) {
    const { settings, undo, files } = this.#hall;
    const name = (path: string) => files.show(path);
    if (!settings.get("undo.enabled")) return writtenFiles(before, name);
    const opened = await undo().catch(() => undefined);
    return opened ? changedFiles(opened, turn.id, name) : { files: [], state: "" };
  }

  async #check(turn: TurnView, files: readonly ChangedFile[], signal: AbortSignal): Promise<Settled> {
    const { channel } = this.#hall;
    channel.announce({ type: "status", key: "verify", text: "checking what was changed (/skip)" });
    const problems = await this.#checks.problems(files, signal);
    const errors = problems.filter(({ severity }) => severity === "error");
    if (errors.length > 0) return this.#report(turn, "syntax", errors.length, problemNote(errors));
    const command = await this.#command(signal);
    if (command === undefined || signal.aborted || this.#useless.has(command)) return done;
    channel.announce({ type: "status", key: "verify", text: `checking: ${command} (/skip)` });
    const timeout = this.#hall.settings.get("verify.timeout");
    // The user was just asked about a command of the project.
    const asked = command !== this.#configured;
    const checked = await runCheck(this.#hall, command, { timeout, signal, asked });
    // A missing program is reported to the model only if the user configured it: they may want it written.
    if (checked.end === "failed" || (checked.end === "no program" && !asked))
      return this.#report(turn, command, failures(checked.text), fill(commandProse, { command }).trim());
    const why = reasons[checked.end];
    if (why !== undefined) {
      this.#useless.add(command);
      const reason = why.endsWith(".") ? "" : `: ${lastLine(checked.text)}`;
      channel.notify({ level: "warn", text: `${command} ${why}${reason}` });
    }
    return done;
  }

  /** Reports problems to the model while they become fewer. */
  #report(turn: TurnView, about: string, count: number, note: string): Settled {
    const now = this.#turn(turn);
    const fewer = about !== now.about || count < now.last;
    const left = about === "syntax" ? `${plural(count, "syntax error")} left` : `${about} still fails`;
    Object.assign(now, { about, last: count, left });
    if (now.times >= mostReports || !fewer) return this.#leave(now);
    now.times++;
    return { do: "go on", note: fixesNote(note) };
  }

  /** Ends the turn, and tells the user of the problems that are left. */
  #leave(now: Turn): Settled {
    const { left, times } = now;
    now.left = "";
    if (left)
      this.#hall.channel.notify({ level: "warn", text: `${left}; the model was told ${plural(times, "time")}.` });
    return done;
  }

  get #configured(): string | undefined {
    return this.#hall.settings.get("verify.command")?.trim() || undefined;
  }

  /** The configured command; else one of the project, if the user accepts it. */
  async #command(signal: AbortSignal): Promise<string | undefined> {
    const { cwd, home, questions } = this.#hall;
    if (this.#configured) return this.#configured;
    if (questions.asks === "nobody") return undefined;
    const project = realPath(cwd);
    const { command, does } = findCheck(project) ?? {};
    if (command === undefined || this.#useless.has(command)) return undefined;
    const file = join(home, "verify.json");
    const hash = hashRun(project, command);
    const stored = answerOn(file, project, command, hash);
    if (stored !== undefined) return stored === "yes" ? command : undefined;
    const answer = await questions.ask(
      {
        about: "verify",
        form: "choose",
        text: `Run \`${command}\` to check the work whenever files were changed here?`,
        body: does,
        options: [
          { id: "yes", label: "yes, always here" },
          { id: "once", label: "not now" },
          { id: "no", label: "no, never here" },
        ],
        recommended: "yes",
        timeoutMs: questionTimeoutMs,
      },
      signal,
    );
    const chosen = answer?.say === "yes" ? (answer.option ?? answer.choices?.[0]) : undefined;
    if (chosen === "yes" || chosen === "no")
      keepAnswer(file, project, command, chosen === "yes" ? `yes ${hash}` : "no");
    // Any other answer holds for this session.
    if (chosen !== "yes") this.#useless.add(command);
    return chosen === "yes" ? command : undefined;
  }
}

const reasons: Partial<Record<CheckResult["end"], string>> = {
  "out of time": "took longer than verify.timeout, was ended, and is not run again in this session.",
  "no program": "cannot be run here, and is not tried again in this session",
  "not run": "did not run, and is not tried again in this session",
  "goes on": "goes on in the background; it is not run again in this session.",
};

const problemNote = (problems: readonly Problem[]): string =>
  fill(problemsProse, { list: problemRows(problems).join("\n") }).trim();
