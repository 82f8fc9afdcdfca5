import type { Event, Schema } from "@pith/agent";
import { messageOf, nearest, type Result } from "@pith/kit";
import { answering } from "./command/answer.ts";
import { compacting } from "./command/compact.ts";
import { modelling } from "./command/model.ts";
import { prompting } from "./command/prompt.ts";
import type { CommandRow } from "./command/row.ts";
import { recording } from "./command/session.ts";
import { shelling } from "./command/shell.ts";
import type { Response } from "./frame.ts";
import type { SessionHost } from "./session-host.ts";

/** Every command of a program: what it takes, what it gives, what is done. The page and the client follow it. */
export const commands: typeof prompting &
  typeof modelling &
  typeof shelling &
  typeof recording &
  typeof compacting &
  typeof answering = {
  ...prompting,
  ...modelling,
  ...shelling,
  ...recording,
  ...compacting,
  ...answering,
};

export type CommandName = keyof typeof commands;
type Row<N extends CommandName> = (typeof commands)[N];
export type Takes<N extends CommandName> = Row<N> extends { takes: Schema<infer T> } ? T : never;
export type Gives<N extends CommandName> = Row<N> extends { gives: Schema<infer T> } ? T : undefined;

/**
 * Carries commands out for one client, whatever way they come. Input and changes of the session go one after another;
 * all else runs at once, so answers come in any order.
 */
export class Dispatcher {
  readonly #station: SessionHost;
  readonly #underway = new Set<unknown>();
  #order: Promise<unknown> = Promise.resolve();
  /** What input waits for: less than another session does. */
  #input: Promise<unknown> = Promise.resolve();
  #swapping: Promise<unknown> | undefined;

  constructor(station: SessionHost) {
    this.#station = station;
  }

  /** What there is to answer; undefined where an answer is not expected, or was given `early`. Never rejects. */
  async take(value: unknown, early?: (answer: Response) => void): Promise<Response | undefined> {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return failed("parse", undefined, "A command is a JSON object.");
    const { type, id, ...written } = value as Record<string, unknown>;
    if (typeof type !== "string") return failed("parse", id, 'A command has a "type".');
    const row = Object.hasOwn(commands, type) ? (commands as Record<string, CommandRow>)[type] : undefined;
    if (!row) return failed(type.slice(0, 100), id, unknown(type));
    // The id of what answers something is that of the question.
    const own = row.answers ? undefined : id;
    // Before anything is done for it: a copy that nobody goes on in is not made.
    if (row.order === "swap" && this.#station.stays !== undefined) return failed(type, id, this.#station.stays);
    if (own !== undefined && this.#underway.has(own))
      return failed(type, id, "This id is in use: its command still runs.");
    this.#underway.add(own);
    try {
      const read = row.takes.safeParse(row.answers ? { ...written, id } : written);
      if (!read.success) return failed(type, own, faults(read.error.issues));
      let isTold = false;
      const done = await this.#turn(row, async () => {
        const hear = (event: Event) => {
          if (isTold || !isSaid(event)) return;
          isTold = true;
          early?.(answered(type, id));
        };
        using _ = row.says && early ? this.#station.hear(hear) : undefined;
        return await row.run(read.data as never, this.#station, own);
      });
      if (isTold) return undefined;
      if (!done.ok) return failed(type, row.answers ? undefined : id, done.message);
      return row.answers
        ? undefined
        : { ...answered(type, id), ...(done.value === undefined ? {} : { data: done.value }) };
    } catch (error) {
      return failed(type, own, messageOf(error));
    } finally {
      this.#underway.delete(own);
    }
  }

  async #turn(row: CommandRow, run: () => ReturnType<CommandRow["run"]>): Promise<Result<unknown, string>> {
    if (row.order === "any") {
      // What is asked of a session that is about to go is asked of the one that comes.
      if (this.#swapping) await this.#swapping;
      return await run();
    }
    if (row.order === "now") return await run();
    const before = row.order === "input" ? this.#input : this.#order;
    const done = before.then(run, run);
    this.#order = Promise.allSettled([this.#order, done]);
    this.#input = row.shortens ? this.#begun(done) : done;
    if (row.order === "swap")
      this.#swapping = done.then(
        () => {},
        () => {},
      );
    const last = this.#order;
    try {
      return await done;
    } finally {
      if (this.#order === last) this.#swapping = undefined;
    }
  }

  /** When the next that is said may be taken: it is over, or the conversation is being made shorter. */
  async #begun(done: Promise<unknown>): Promise<void> {
    const shorter = Promise.withResolvers<void>();
    using _ = this.#station.hear((event) => {
      if (event.type === "turn" && event.state.name === "compacting") shorter.resolve();
    });
    await Promise.race([shorter.promise, done.catch(() => {})]);
  }
}

const isSaid = (event: Event): boolean =>
  event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "user";

const answered = (command: string, id: unknown): Response => ({
  type: "response",
  command,
  success: true,
  ...(id === undefined ? {} : { id }),
});
const failed = (command: string, id: unknown, error: string): Response => ({
  ...answered(command, id),
  success: false,
  error,
});
export const notParsed = (why: string): Response => failed("parse", undefined, why);

const faults = (issues: readonly { path: (string | number)[]; message: string }[]): string =>
  issues.map(({ path, message }) => `${path.join(".") || "command"}: ${message}`).join("; ");

function unknown(type: string): string {
  const near = nearest(type, Object.keys(commands));
  return `There is no command ${JSON.stringify(type.slice(0, 100))}${near ? `; did you mean ${near}?` : ""}.`;
}
