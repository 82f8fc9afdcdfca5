import type { EntryDraft } from "@pith/agent";
import { type Command, type Ending, show } from "../../command/command.ts";
import type { Moved, Undo } from "./store/undo.ts";

interface UndoSources {
  open(): Promise<Undo>;
  /** Whose turns are moved: another session's are left to it. A handoff makes several of one. */
  sessions(): ReadonlySet<string>;
  /** From where files are named. */
  cwd: string;
  userHome: string;
  record(draft: EntryDraft): void;
}

const words = () => import("./text.ts");
const naming = () => import("./named.ts");

/** `/undo`, `/redo`, `/keep` and `/changes`: what a person does with what turns changed. */
export function undoCommands({ open, sessions, cwd, userHome, record }: UndoSources): Command[] {
  const settled = async () => {
    const undo = await open();
    await undo.settle();
    return undo;
  };
  const named = async (undo: Undo, file: string) =>
    (await naming()).namedChange(undo, file, { cwd, userHome, sessions: sessions() });
  const told = async (way: "undo" | "redo", moved: Moved): Promise<string> => {
    const { movedText, undoneNote } = await words();
    const note = undoneNote(way, moved);
    if (note) record({ type: "custom_message", customType: "pith.undone", content: note, display: false });
    return movedText(way, moved);
  };
  const move = async (way: "undo" | "redo"): Promise<Ending> => {
    const undo = await settled();
    const { othersText } = await words();
    const [turn, newest] = [undo.next(way, sessions()), undo.next(way)];
    const others = newest && newest.id !== turn?.id ? [othersText(way, newest)] : [];
    if (!turn) return show([`There is nothing to ${way}.`, ...others].join("\n"));
    return show([await told(way, undo.move(way, turn, way === "redo" ? "last" : undefined)), ...others].join("\n"));
  };
  const takeBack = async (name: string): Promise<Ending> => {
    const undo = await settled();
    const found = await named(undo, name);
    if (!found.ok) return show(found.message, "failed");
    return show(await told("undo", undo.move("undo", found.value.turn, [found.value.file])));
  };
  const keep = async (name: string): Promise<Ending> => {
    const undo = await settled();
    const found = name === "" ? undefined : await named(undo, name);
    if (found?.ok === false) return show(found.message, "failed");
    const turn = found?.value.turn ?? undo.next("undo", sessions());
    if (!turn) return show("There is nothing to keep.");
    const kept = undo.keep(turn, found && [found.value.file]);
    return show((await words()).keptText(turn, found && kept));
  };
  const complete = async (typed: string) => {
    const { changedFiles } = await naming();
    const files = changedFiles(await open(), { cwd, userHome, sessions: sessions() });
    return files.filter((file) => file.startsWith(typed) && !/\p{Cc}/u.test(file));
  };
  return [
    {
      name: "undo",
      about: "take back what the last turn changed, or a file",
      usage: "[<file>]",
      when: "idle",
      complete,
      run: (file) => (file === "" ? move("undo") : takeBack(file)),
    },
    { name: "redo", about: "make again what was taken back last", when: "idle", run: () => move("redo") },
    {
      name: "keep",
      about: "keep what the last turn changed, or a file: /undo passes it over",
      usage: "[<file>]",
      when: "idle",
      complete,
      run: keep,
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
