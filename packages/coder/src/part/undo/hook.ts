import { type Hook, type Hooks, type Intent, type TurnChanges, textOf } from "@pith/agent";
import { isInside, messageOf, plural } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import type { StateBefore, Undo } from "./store/undo.ts";
import type { FileDiffs } from "./text.ts";

type Needs = "channel" | "header" | "inside" | "tree" | "undo";

/** The project is first looked at in the background, soon after a session has opened. */
const prepareAfterMs = 300;

/** Changes are looked up while the model is waited for; by then the request has gone out. */
const reportAfterMs = 30;

/** Keeps the state of the project around every call that may change it, and reports the changes of a turn. */
export class UndoHook implements Hook, Disposable {
  readonly name = "undo";
  /** The sessions in which this conversation has changed something. */
  readonly sessions = new Set<string>();
  readonly #hall: Pick<Hall, Needs>;
  readonly #begun = new Map<string, StateBefore>();
  #turn = { id: "", asked: "", at: undefined as string | undefined };
  readonly #warned = new Set<string>();
  /** Paths that the user was told are not covered. */
  readonly #named = new Set<string>();
  /** True when a call has ended since changes were last looked up. */
  #isStale = false;
  /** The changes of the turn so far, until the last report of it. */
  #latest: TurnChanges | undefined;
  #compared: FileDiffs = new Map();
  #reporting: Promise<void> = Promise.resolve();
  #opened: Promise<Undo> | undefined;
  readonly #prepareTimer: ReturnType<typeof setTimeout>;
  #reportTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(hall: Pick<Hall, Needs>) {
    this.#hall = hall;
    this.#prepareTimer = setTimeout(() => void this.#prepare(), prepareAfterMs);
    this.#prepareTimer.unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#prepareTimer);
    clearTimeout(this.#reportTimer);
  }

  /** The files that the running turn has changed so far. */
  async soFar(): Promise<readonly string[]> {
    await this.#report("so far");
    return this.#latest?.files.map(({ path }) => path) ?? [];
  }

  step: Hooks["step"] = ({ id }) => {
    // Later input steers the turn, but did not begin it.
    if (id === this.#turn.id) return { do: "go" };
    const { tree } = this.#hall;
    const input = tree.last("user");
    const asked = input?.type === "message" && input.message.role === "user" ? textOf(input.message.content) : "";
    this.#turn = { id, at: tree.leaf ?? undefined, asked };
    return { do: "go" };
  };

  context: Hooks["context"] = (request) => {
    if (this.#isStale) this.#reportTimer ??= setTimeout(() => void this.#report("so far"), reportAfterMs);
    return request;
  };

  start: Hooks["start"] = async ({ intent, call }) => {
    if (intent.effect === "read" || intent.effect === "net") return;
    // The kernel keeps such a command from writing anything that stays.
    if (intent.confined && intent.held) return;
    const paths = writtenPaths(intent).filter((path) => !this.#isOwn(path));
    if (intent.exact && paths.length === 0) return;
    clearTimeout(this.#prepareTimer);
    // Work goes on without undo where the project cannot be read.
    try {
      this.#begun.set(call.id, await (await this.#open()).begin(intent.exact ? "paths" : "anything", paths));
    } catch (error) {
      this.#warn(`Undo is not available: ${messageOf(error)}`);
    }
  };

  result: Hooks["result"] = async ({ call, tool }, outcome) => {
    const begun = this.#begun.get(call.id);
    if (!begun) return outcome;
    this.#begun.delete(call.id);
    const { id: turn, asked, at } = this.#turn;
    const session = this.#hall.header.id;
    this.sessions.add(session);
    const note = { turn, session, asked, at };
    (await this.#open()).end(begun, { tool: tool.name, note });
    this.#isStale = true;
    return outcome;
  };

  settle: Hooks["settle"] = async () => {
    const undo = await this.#reached();
    if (!undo || this.#begun.size > 0) return { do: "done" };
    await undo.settle();
    if (undo.cover === "own writes") this.#warn(onlyOwnWrites);
    if (undo.fault) this.#warn(`What this turn changed could not be recorded for undo: ${undo.fault}`);
    const left = undo.uncovered.filter(({ path }) => !this.#named.has(path));
    for (const { path } of left) this.#named.add(path);
    const shown = left.slice(0, 5).map(({ path, why }) => `${path} (${why})`);
    const more = left.length > 5 ? ` and ${plural(left.length - 5, "more path")}` : "";
    if (left.length > 0) this.#warn(`Not covered by undo: ${shown.join(", ")}${more}`);
    await this.#report("all");
    return { do: "done" };
  };

  /** Reports the end of a turn that was cut short, which never settles. */
  idle: Hooks["idle"] = () => this.#report("all");

  /** True for a real path among pith's own files. */
  #isOwn = (path: string): boolean => this.#hall.inside.scratch.some((folder) => isInside(folder, path));

  #open(): Promise<Undo> {
    this.#opened ??= this.#hall.undo();
    return this.#opened;
  }

  /** The store; undefined if it was not needed so far or could not be opened, which `start` has reported. */
  #reached = async (opened = this.#opened): Promise<Undo | undefined> => opened?.catch(() => undefined);

  async #prepare(): Promise<void> {
    try {
      (await this.#reached(this.#open()))?.prepare();
    } catch {
      // An error of the store is reported when a call needs it.
    }
  }

  #warn(text: string): void {
    if (!this.#warned.has(text)) this.#hall.channel.notify({ level: "warn", text });
    this.#warned.add(text);
  }

  /** Reports one after the other, so that the report at the end of a turn is its last. */
  #report(how: "so far" | "all"): Promise<void> {
    clearTimeout(this.#reportTimer);
    this.#reportTimer = undefined;
    this.#reporting = this.#reporting.then(async () => {
      const isNew = await this.#lookUp();
      const { channel } = this.#hall;
      const latest = this.#latest;
      if (how === "so far") {
        if (latest && isNew) channel.announce({ type: "changed", ...latest });
        return;
      }
      // Only the final report of a turn is recorded.
      if (latest) {
        const data = { ...latest, final: true } as const;
        channel.record({ type: "custom", customType: "pith.changed", data });
        channel.announce({ type: "changed", ...data });
      }
      this.#latest = undefined;
      this.#compared = new Map();
    });
    return this.#reporting;
  }

  /** Looks up the changes of the turn; true if there are any since the last time. */
  async #lookUp(): Promise<boolean> {
    if (!this.#isStale || this.#begun.size > 0) return false;
    this.#isStale = false;
    const undo = await this.#reached();
    await undo?.settle();
    // The work is done and recorded: changes that cannot be shown must not look like its failure.
    try {
      const turn = undo?.turn(this.#turn.id);
      this.#latest = undo && turn && (await import("./text.ts")).turnChanges(undo, turn, this.#compared);
      return this.#latest !== undefined;
    } catch (error) {
      this.#warn(`What this turn changed cannot be shown: ${messageOf(error)}`);
      return false;
    }
  }
}

const onlyOwnWrites =
  "Undo covers what the tools write here, but not what commands do: this is a home directory or /, there are too many or too large files, or undo.cover says so.";

const writtenPaths = ({ paths }: Intent): string[] =>
  paths.flatMap(({ effect, real }) => (effect === "read" ? [] : [real]));
