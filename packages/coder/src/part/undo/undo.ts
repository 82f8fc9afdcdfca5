import type { Behaviour, CallView, Changed, Notice } from "@pith/agent";
import { messageOf, plural } from "@pith/kit";
import type { Begun, Undo } from "../undo/undo.ts";

export interface UndoBehaviourParts {
  /** Opens the project's checkpoints when they are first needed. */
  open(): Promise<Undo>;
  session: string;
  /** The entry that the next one attaches to. */
  leaf(): string | undefined;
  tell(notice: Notice): void;
  changed(changed: Changed): void;
}

export interface UndoBehaviour extends Behaviour, AsyncDisposable {
  /**
   * Tells what the last turn changed, unless that was told. A turn that is cut short never settles, so it is asked
   * for.
   */
  report(): Promise<void>;
}

/** Waiting for the model is when the project is read for the first time; a quick answer is not held up by it. */
const prepareAfterMs = 150;

/** Takes a checkpoint around every call that may write, and answers /undo, /redo, /keep and /changes. */
export function undoBehaviour(parts: UndoBehaviourParts): UndoBehaviour {
  const begun = new Map<string, Begun>();
  const turn = { id: "", asked: "", at: undefined as string | undefined };
  const told = new Set<string>();
  /** Paths that were named as not covered. */
  const named = new Set<string>();
  /** A call has ended since changes were last told. */
  let news = false;
  let opened: Promise<Undo> | undefined;
  let preparing: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    opened ??= parts.open();
    return opened;
  };
  /** Undefined as long as it was not needed, and when it could not be opened: that was said then. */
  const reached = async (way = opened) => way?.catch(() => undefined);
  const warn = (text: string) => {
    if (told.has(text)) return;
    told.add(text);
    parts.tell({ level: "warn", text });
  };
  const report = async () => {
    if (!news || begun.size > 0) return;
    news = false;
    const undo = await reached();
    if (!undo) return;
    await undo.settle();
    // The work is done and recorded; that it cannot be shown must not look like its failure.
    try {
      const own = undo.turns().findLast(({ id }) => id === turn.id);
      const changed = own && (await import("../undo/text.ts")).briefly(undo, own);
      if (changed) parts.changed(changed);
    } catch (error) {
      warn(`What this turn changed cannot be shown: ${messageOf(error)}`);
    }
  };
  return {
    name: "undo",
    report,
    async input(input) {
      const command = /^\/(undo|redo|keep|changes)\s*$/.exec(input.text)?.[1];
      if (!command) {
        turn.asked = input.text;
        return input;
      }
      parts.tell({ level: "info", text: await answer(await open(), command) });
      return { handled: true };
    },
    step(view) {
      if (view.step === 0) Object.assign(turn, { id: crypto.randomUUID(), at: parts.leaf() });
      return { do: "go" };
    },
    context(request) {
      preparing ??= setTimeout(() => void reached(open()).then((undo) => undo?.prepare()), prepareAfterMs);
      return request;
    },
    async start(view) {
      if (view.effect === "read") return;
      clearTimeout(preparing);
      // A project that cannot be read must not keep the user from working; what it means is said.
      try {
        begun.set(view.call.id, await (await open()).begin(reachOf(view), view.paths));
      } catch (error) {
        warn(`Undo is not available: ${messageOf(error)}`);
      }
    },
    async result(view, outcome) {
      const own = begun.get(view.call.id);
      if (!own) return outcome;
      begun.delete(view.call.id);
      const note = { turn: turn.id, session: parts.session, asked: turn.asked, at: turn.at };
      (await open()).end(own, { tool: view.tool.name, note });
      news = true;
      return outcome;
    },
    async settle() {
      const undo = await reached();
      if (!undo || begun.size > 0) return { do: "done" };
      await undo.settle();
      if (undo.cover === "own writes")
        warn(
          "Undo covers what the tools write here, but not what commands do: there are too many or too large files, or undo.cover says so.",
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
      await report();
      return { do: "done" };
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(preparing);
      await (await reached())?.close();
    },
  };
}

/** Tools that are known to write where they say and nowhere else. */
const exact = new Set(["write", "edit"]);
const reachOf = (view: CallView): "paths" | "anything" =>
  exact.has(view.tool.name) && view.paths.length > 0 ? "paths" : "anything";

async function answer(undo: Undo, command: string): Promise<string> {
  const { keptText, movedText, turnsText } = await import("../undo/text.ts");
  await undo.settle();
  if (command === "changes") return turnsText(undo, undo.turns()).join("\n") || "Nothing was changed here.";
  const way = command === "redo" ? "redo" : "undo";
  const turn = undo.next(way);
  if (!turn) return `There is nothing to ${command}.`;
  if (command !== "keep") return movedText(way, undo.move(way, turn));
  undo.keep(turn);
  return keptText(turn);
}
