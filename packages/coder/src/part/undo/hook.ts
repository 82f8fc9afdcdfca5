import type { Hook, Intent, Notice, TurnChanges } from "@pith/agent";
import { messageOf, plural } from "@pith/kit";
import type { Begun, Undo } from "./store/undo.ts";
import type { Compared } from "./text.ts";

interface UndoSources {
  /** Opens the kept states of the project when they are first needed. */
  open(): Promise<Undo>;
  session(): string;
  /** Whether a real path is among pith's own files. */
  isOwn(path: string): boolean;
  /** The entry that the next one attaches to. */
  leaf(): string | undefined;
  /** What was said last. */
  asked(): string;
  tell(notice: Notice): void;
  changed(changed: TurnChanges): void;
}

/** Waiting for the model is when the project is read for the first time; a quick answer is not held up by it. */
const prepareAfterMs = 300;

/** While the model is waited for, what changed is looked up and told: the request has gone out by then. */
const tellAfterMs = 30;

/** Keeps the state of the project around every call that may change it, and tells what a turn changed. */
export function undoHook(sources: UndoSources): Hook & Disposable & { soFar(): Promise<readonly string[]> } {
  const begun = new Map<string, Begun>();
  const turn = { id: "", asked: "", at: undefined as string | undefined };
  const told = new Set<string>();
  /** Paths that were named as not covered. */
  const named = new Set<string>();
  /** A call has ended since changes were last looked at. */
  let news = false;
  /** What the turn has changed so far, until all of it is told. */
  let latest: TurnChanges | undefined;
  let compared: Compared = new Map();
  let telling: Promise<void> = Promise.resolve();
  let opened: Promise<Undo> | undefined;
  let preparing: ReturnType<typeof setTimeout> | undefined;
  let looking: typeof preparing;
  const open = () => {
    opened ??= sources.open();
    return opened;
  };
  /** Undefined as long as it was not needed, and when it could not be opened: that was said then. */
  const reached = async (way = opened) => way?.catch(() => undefined);
  const warn = (text: string) => {
    if (told.has(text)) return;
    told.add(text);
    sources.tell({ level: "warn", text });
  };
  const look = async (): Promise<"new" | "same"> => {
    if (!news || begun.size > 0) return "same";
    news = false;
    const undo = await reached();
    if (!undo) return "same";
    await undo.settle();
    // The work is done and recorded; that it cannot be shown must not look like its failure.
    try {
      const last = undo.turn(turn.id);
      latest = last && (await import("./text.ts")).briefly(undo, last, compared);
      return latest ? "new" : "same";
    } catch (error) {
      warn(`What this turn changed cannot be shown: ${messageOf(error)}`);
      return "same";
    }
  };
  /** One after the other: what is told at the end of a turn is the last word on it. */
  const report = (how: "so far" | "all") => {
    clearTimeout(looking);
    looking = undefined;
    telling = telling.then(async () => {
      const fresh = await look();
      if (latest && (how === "all" || fresh === "new"))
        sources.changed({ ...latest, ...(how === "all" ? { final: true as const } : {}) });
      if (how !== "all") return;
      latest = undefined;
      compared = new Map();
    });
    return telling;
  };
  const prepare = async () => {
    try {
      (await reached(open()))?.prepare();
    } catch {
      // A home that cannot be written is told when a call needs it.
    }
  };
  return {
    name: "undo",
    /** The files that the running turn has changed until now, whatever changed them. */
    async soFar() {
      await report("so far");
      return latest?.files.map(({ path }) => path) ?? [];
    },
    step({ id }) {
      // What is said later steers the turn; it is not what began it.
      if (id !== turn.id) Object.assign(turn, { id, at: sources.leaf(), asked: sources.asked() });
      return { do: "go" };
    },
    context(request) {
      if (news) looking ??= setTimeout(() => void report("so far"), tellAfterMs);
      preparing ??= setTimeout(() => void prepare(), prepareAfterMs);
      return request;
    },
    async start(view) {
      const { intent, call } = view;
      if (intent.effect === "read" || intent.effect === "net") return;
      const paths = written(intent).filter((path) => !sources.isOwn(path));
      // What pith keeps for the model is not the project's.
      if (intent.exact && paths.length === 0) return;
      clearTimeout(preparing);
      // A project that cannot be read must not keep the user from working; what it means is said.
      try {
        begun.set(call.id, await (await open()).begin(reachOf(intent), paths));
      } catch (error) {
        warn(`Undo is not available: ${messageOf(error)}`);
      }
    },
    async result(view, outcome) {
      const kept = begun.get(view.call.id);
      if (!kept) return outcome;
      begun.delete(view.call.id);
      const note = { turn: turn.id, session: sources.session(), asked: turn.asked, at: turn.at };
      (await open()).end(kept, { tool: view.tool.name, note });
      news = true;
      return outcome;
    },
    async settle() {
      const undo = await reached();
      if (!undo || begun.size > 0) return { do: "done" };
      await undo.settle();
      if (undo.cover === "own writes")
        warn(
          "Undo covers what the tools write here, but not what commands do: this is a home directory or /, there are too many or too large files, or undo.cover says so.",
        );
      if (undo.fault) warn(`What this turn changed could not be recorded for undo: ${undo.fault}`);
      const left = undo.uncovered.filter(({ path }) => !named.has(path));
      for (const { path } of left) named.add(path);
      if (left.length > 0)
        warn(
          `Not covered by undo: ${left
            .slice(0, 5)
            .map(({ path, why }) => `${path} (${why})`)
            .join(", ")}${left.length > 5 ? ` and ${plural(left.length - 5, "more path")}` : ""}`,
        );
      await report("all");
      return { do: "done" };
    },
    // A turn that was cut short never settles.
    idle: () => report("all"),
    [Symbol.dispose]() {
      clearTimeout(preparing);
      clearTimeout(looking);
    },
  };
}

/** An intent that says so changes the paths it writes and nothing else; any other may change anything. */
const reachOf = (intent: Intent): "paths" | "anything" => (intent.exact ? "paths" : "anything");

const written = ({ paths }: Intent): string[] => paths.flatMap(({ effect, real }) => (effect === "read" ? [] : [real]));
