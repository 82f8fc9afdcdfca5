import type { Event } from "@pith/agent";
import { type Fail, isDeep, isRecord, messageOf, nearest, tooLong } from "@pith/kit";
import type { CommandRow } from "./command/row.ts";
import { commands } from "./command.ts";
import type { Response } from "./frame.ts";
import type { SessionHost } from "./session-host.ts";

/** Bytes of one line. */
export const maxLine = 32 * 1024 * 1024;

/**
 * Carries out the commands of one client. Input and changes of the session go one after another; all else runs at once,
 * so answers come in any order.
 */
export class Dispatcher {
  readonly #host: SessionHost;
  readonly #table: Readonly<Record<string, CommandRow>>;
  readonly #running = new Set<unknown>();
  #order: Promise<unknown> = Promise.resolve();
  /** Resolves when the next input may be taken, which does not wait for everything that another session waits for. */
  #input: Promise<unknown> = Promise.resolve();
  #swapping: Promise<unknown> | undefined;

  constructor(host: SessionHost, table: Readonly<Record<string, CommandRow>> = commands) {
    this.#host = host;
    this.#table = table;
  }

  /** Gives the response; undefined where none is expected, or where `early` was handed it. Never rejects. */
  async take(value: unknown, early?: (response: Response) => void): Promise<Response | undefined> {
    if (!isRecord(value)) return notParsed("A command is a JSON object.");
    const { type, id, ...fields } = value;
    if (typeof type !== "string") return failed("parse", id, 'A command has a "type".');
    const row = Object.hasOwn(this.#table, type) ? this.#table[type] : undefined;
    if (!row) return failed(type.slice(0, 100), id, this.#unknown(type));
    // The id of a command that answers a question is that of the question.
    const ownId = row.answers ? undefined : id;
    // Checked before anything is done: a copy that nobody goes on in is not made.
    if (row.order === "swap" && this.#host.stays !== undefined) return failed(type, id, this.#host.stays);
    if (ownId !== undefined && this.#running.has(ownId))
      return failed(type, id, "This id is in use: its command still runs.");
    this.#running.add(ownId);
    try {
      const read = row.takes.safeParse(row.answers ? { ...fields, id } : fields);
      if (!read.success) return failed(type, ownId, faults(read.error.issues));
      let isAnswered = false;
      const hear = onUserMessage(() => {
        if (!isAnswered) early?.(succeeded(type, id));
        isAnswered = true;
      });
      const done = await this.#inOrder(row, async () => {
        using _ = row.says && early ? this.#host.hear(hear) : undefined;
        return await row.run(read.data as never, this.#host, ownId);
      });
      if (isAnswered) return undefined;
      if (isFailure(done)) return failed(type, ownId, done.message);
      return row.answers ? undefined : succeeded(type, id, done);
    } catch (error) {
      return failed(type, ownId, messageOf(error));
    } finally {
      this.#running.delete(ownId);
    }
  }

  /** The same for a line of text, which may be no JSON. */
  takeLine(line: string | typeof tooLong, early: (response: Response) => void): Promise<Response | undefined> {
    const wrong = (why: string) => Promise.resolve(notParsed(why));
    if (line === tooLong) return wrong(`A line has at most ${maxLine} bytes.`);
    if (isDeep(line)) return wrong("This nests too deep.");
    try {
      return this.take(JSON.parse(line), early);
    } catch (error) {
      return wrong(`This is not JSON: ${messageOf(error)}`);
    }
  }

  async #inOrder(row: CommandRow, run: () => Promise<unknown>): Promise<unknown> {
    const { order = "any" } = row;
    // A command for a session that is about to go is carried out in the one that comes.
    if (order === "any" && this.#swapping) await this.#swapping;
    if (order === "any" || order === "now") return await run();
    const before = order === "input" ? this.#input : this.#order;
    const done = before.then(run, run);
    this.#order = Promise.allSettled([this.#order, done]);
    this.#input = row.shortens ? this.#doneOrCompacting(done) : done;
    if (order === "swap") this.#swapping = done.catch(() => {});
    const last = this.#order;
    try {
      return await done;
    } finally {
      if (this.#order === last) this.#swapping = undefined;
    }
  }

  async #doneOrCompacting(done: Promise<unknown>): Promise<void> {
    const compacting = Promise.withResolvers<void>();
    using _ = this.#host.hear((event) => {
      if (event.type === "turn" && event.state.name === "compacting") compacting.resolve();
    });
    await Promise.race([compacting.promise, done.catch(() => {})]);
  }

  #unknown(type: string): string {
    const near = nearest(type, Object.keys(this.#table));
    return `There is no command ${JSON.stringify(type.slice(0, 100))}${near ? `; did you mean ${near}?` : ""}.`;
  }
}

const onUserMessage = (call: () => void) => (event: Event) => {
  if (event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "user") call();
};

const isFailure = (done: unknown): done is Fail<string> => isRecord(done) && done.ok === false;

const succeeded = (command: string, id: unknown, data?: unknown): Response => ({
  type: "response",
  command,
  success: true,
  ...(id !== undefined && { id }),
  ...(data !== undefined && { data }),
});
const failed = (command: string, id: unknown, error: string): Response => ({
  ...succeeded(command, id),
  success: false,
  error,
});
const notParsed = (why: string): Response => failed("parse", undefined, why);

const faults = (issues: readonly { path: (string | number)[]; message: string }[]): string =>
  issues.map(({ path, message }) => `${path.join(".") || "command"}: ${message}`).join("; ");
