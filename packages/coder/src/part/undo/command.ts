import type { Draft } from "@pith/agent";
import { type Command, type Ending, show } from "../../command/command.ts";
import type { Undo } from "../../undo/undo.ts";

interface UndoSources {
  open(): Promise<Undo>;
  /** Whose turns are moved: another session's are left to it. A handoff makes several of one. */
  sessions(): ReadonlySet<string>;
  record(draft: Draft): void;
}

const words = () => import("../../undo/text.ts");

/** `/undo`, `/redo`, `/keep` and `/changes`: what a person does with what turns changed. */
export function undoCommands({ open, sessions, record }: UndoSources): Command[] {
  const settled = async () => {
    const undo = await open();
    await undo.settle();
    return undo;
  };
  const move = async (way: "undo" | "redo"): Promise<Ending> => {
    const undo = await settled();
    const { movedText, othersText, undoneNote } = await words();
    const [turn, newest] = [undo.next(way, sessions()), undo.next(way)];
    const others = newest && newest.id !== turn?.id ? [othersText(way, newest)] : [];
    if (!turn) return show([`There is nothing to ${way}.`, ...others].join("\n"));
    const moved = undo.move(way, turn);
    const note = undoneNote(way, moved);
    if (note) record({ type: "custom_message", customType: "pith.undone", content: note, display: false });
    return show([movedText(way, moved), ...others].join("\n"));
  };
  return [
    { name: "undo", about: "take back what the last turn changed", when: "idle", run: () => move("undo") },
    { name: "redo", about: "make again what was taken back last", when: "idle", run: () => move("redo") },
    {
      name: "keep",
      about: "keep what the last turn changed: /undo passes it over",
      when: "idle",
      async run() {
        const undo = await settled();
        const turn = undo.next("undo", sessions());
        if (!turn) return show("There is nothing to keep.");
        undo.keep(turn);
        return show((await words()).keptText(turn));
      },
    },
    {
      name: "changes",
      about: "what the turns of this project have changed",
      when: "any time",
      async run() {
        const undo = await settled();
        return show((await words()).turnsText(undo, undo.turns()).join("\n") || "Nothing was changed here.");
      },
    },
  ];
}
