import { join } from "node:path";
import { type Hook, perTurn, type Settled, type TurnView } from "@pith/agent";
import { fill, plural, realPath } from "@pith/kit";
import { type Command, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import { fixesNote } from "../../session/fixes.ts";
import { answerOn, keepAnswer } from "./answer.ts";
import { behind, seal } from "./behind.ts";
import { changedFiles, textAt, writtenFiles } from "./changed.ts";
import commandProse from "./command.md" with { type: "text" };
import { failures } from "./failures.ts";
import { foundCommand } from "./found.ts";
import { type ChangedFile, Checks, type Problem, problemRows } from "./problem.ts";
import problemsProse from "./problems.md" with { type: "text" };
import { type Checked, runCheck } from "./run.ts";
import { syntaxChecker } from "./syntax.ts";

/** How often problems go back to the model, and only while they become fewer. */
const most = 3;
/** How long a person is asked whether a command of the project may check it. */
const patienceMs = 120_000;

declare module "../../hall/hall.ts" {
  interface Hall {
    /** Finds problems in changed files. */
    checks: Checks;
  }
}

type Needs = ("call" | "channel" | "clock" | "cwd" | "files" | "grants") | ("home" | "questions" | "settings" | "undo");

/** When the model stops and has changed files: what does not parse any more, and what a command of the project says. */
export const verify: MakePart<Needs, "checks"> = (hall) => {
  const checks = new Checks();
  checks.add(syntaxChecker);
  const verification = new Verification(hall, checks);
  return { name: "verify", hooks: [verification], commands: [verification.skip], owns: { checks } };
};

/** What is remembered of a turn. */
const memory = () => ({
  /** Something ran that may have changed files. */
  touched: false,
  /** Where undo keeps nothing: what stood in files before. */
  before: new Map<string, string | undefined>(),
  /** The state that was checked last. */
  state: "",
  times: 0,
  last: Number.POSITIVE_INFINITY,
  about: "",
  /** What is wrong, as long as nobody but the model was told. */
  left: "",
});
type Memory = ReturnType<typeof memory>;

const done: Settled = { do: "done" };

class Verification implements Hook {
  readonly name = "verify";
  readonly #hall: Pick<Hall, Needs>;
  readonly #checks: Checks;
  readonly #turn = perTurn(memory);
  #now: Memory | undefined;
  #running: AbortController | undefined;
  /** Commands that cannot check anything here; that was told. */
  readonly #useless = new Set<string>();

  constructor(hall: Pick<Hall, Needs>, checks: Checks) {
    this.#hall = hall;
    this.#checks = checks;
  }

  readonly skip: Command = {
    name: "skip",
    about: "end the check that runs, and with it the turn",
    when: "any time",
    run: () => {
      if (!this.#running) return show("Nothing is being checked.");
      this.#running.abort("skipped");
      return show("The check is skipped.");
    },
  };

  step(turn: TurnView): { do: "go" } {
    this.#now = this.#turn(turn);
    return { do: "go" };
  }

  start: NonNullable<Hook["start"]> = ({ intent }) => {
    const now = this.#now;
    const set = this.#set;
    if (set) seal(this.#hall.grants, this.#hall.cwd, set);
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
      // It is not finished, and whoever interrupted has ended the turn.
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
    if (errors.length > 0) return this.#back(turn, "syntax", errors.length, problemNote(errors));
    const command = await this.#command(signal);
    if (command === undefined || signal.aborted || this.#useless.has(command)) return done;
    channel.announce({ type: "status", key: "verify", text: `checking: ${command} (/skip)` });
    const timeout = this.#hall.settings.get("verify.timeout");
    // A command that the project brings was asked about as it is now.
    const asked = command !== this.#set;
    const checked = await runCheck(this.#hall, command, { timeout, signal, asked });
    // Whoever set a command may want the model to make its program; what a project only names is not its business.
    if (checked.end === "failed" || (checked.end === "no program" && !asked))
      return this.#back(turn, command, failures(checked.text), fill(commandProse, { command }).trim());
    const why = reasons[checked.end];
    if (why !== undefined) {
      this.#useless.add(command);
      const said = checked.text.split("\n").findLast((line) => line.trim() !== "") ?? "";
      channel.notify({ level: "warn", text: `${command} ${why}${why.endsWith(".") ? "" : `: ${said}`}` });
    }
    return done;
  }

  /** Problems go back while they become fewer. */
  #back(turn: TurnView, about: string, count: number, note: string): Settled {
    const now = this.#turn(turn);
    const fewer = about !== now.about || count < now.last;
    const left = about === "syntax" ? `${plural(count, "syntax error")} left` : `${about} still fails`;
    Object.assign(now, { about, last: count, left });
    if (now.times >= most || !fewer) return this.#leave(now);
    now.times++;
    return { do: "go on", note: fixesNote(note) };
  }

  /** The turn ends; what is still wrong is said to people. */
  #leave(now: Memory): Settled {
    const { left, times } = now;
    now.left = "";
    if (left)
      this.#hall.channel.notify({ level: "warn", text: `${left}; the model was told ${plural(times, "time")}.` });
    return done;
  }

  get #set(): string | undefined {
    return this.#hall.settings.get("verify.command")?.trim() || undefined;
  }

  /** The command that somebody set; else one that the project brings, if somebody there has said yes to it. */
  async #command(signal: AbortSignal): Promise<string | undefined> {
    const { cwd, home, questions } = this.#hall;
    if (this.#set) return this.#set;
    if (questions.asks === "nobody") return undefined;
    const project = realPath(cwd);
    const { command, does } = foundCommand(project) ?? {};
    if (command === undefined || this.#useless.has(command)) return undefined;
    const file = join(home, "verify.json");
    const what = behind(project, command);
    const said = answerOn(file, project, command, what);
    if (said !== undefined) return said === "yes" ? command : undefined;
    const answer = await questions.ask(
      {
        about: "verify",
        form: "choose",
        text: `Run \`${command}\` to check the work whenever files were changed here?`,
        ...(does === undefined ? {} : { body: does }),
        options: [
          { id: "yes", label: "yes, always here" },
          { id: "once", label: "not now" },
          { id: "no", label: "no, never here" },
        ],
        recommended: "yes",
        timeoutMs: patienceMs,
      },
      signal,
    );
    const chosen = answer?.say === "yes" ? (answer.option ?? answer.choices?.[0]) : undefined;
    if (chosen === "yes" || chosen === "no")
      keepAnswer(file, project, command, chosen === "yes" ? `yes ${what}` : "no");
    // Who does not want to be asked now is not asked again before the next session.
    if (chosen !== "yes") this.#useless.add(command);
    return chosen === "yes" ? command : undefined;
  }
}

const reasons: Partial<Record<Checked["end"], string>> = {
  "out of time": "took longer than verify.timeout, was ended, and is not run again in this session.",
  "no program": "cannot be run here, and is not tried again in this session",
  "not run": "did not run, and is not tried again in this session",
  "goes on": "goes on in the background; it is not run again in this session.",
};

const problemNote = (problems: readonly Problem[]): string =>
  fill(problemsProse, { list: problemRows(problems).join("\n") }).trim();
