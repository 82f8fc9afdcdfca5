import { type Command, type Ending, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MoveForce } from "./store/move.ts";
import type { MoveResult, Undo } from "./store/undo.ts";

interface Sources extends Pick<Hall, "undo" | "cwd" | "userHome" | "channel"> {
  sessions(): ReadonlySet<string>;
}

type Way = "undo" | "redo";

const loadText = () => import("./text.ts");
const loadFind = () => import("./find.ts");

/** The commands `/undo`, `/redo`, `/keep` and `/changes`, for the turns of this session and those it goes on from. */
export function undoCommands(hall: Omit<Sources, "sessions">, sessions: Sources["sessions"]): Command[] {
  const { undo, cwd, userHome, channel } = hall;
  const sources = { undo, cwd, userHome, channel, sessions };
  const complete = async (typed: string) => {
    const { changedFiles } = await loadFind();
    const files = changedFiles(await undo(), { ...sources, sessions: sessions() });
    return files.filter((file) => file.startsWith(typed) && !/\p{Cc}/u.test(file));
  };
  return [
    {
      name: "undo",
      about: "undo the last turn's changes, or a file",
      usage: "[--force] [<file>]",
      when: "idle",
      complete,
      run(words) {
        const { force, rest } = forceIn(words);
        return rest === "" ? move(sources, "undo", force) : takeBack(sources, rest, force);
      },
    },
    {
      name: "redo",
      about: "redo the last undo",
      usage: "[--force]",
      when: "idle",
      complete: (words) => ["--force"].filter((word) => word.startsWith(words)),
      run: (words) => move(sources, "redo", forceIn(words).force),
    },
    {
      name: "keep",
      about: "keep what the last turn changed, or a file: /undo skips it",
      usage: "[<file>]",
      when: "idle",
      complete,
      run: (file) => keep(sources, file),
    },
    {
      name: "changes",
      about: "list what each turn changed",
      when: "any time",
      run: () => changes(sources),
    },
  ];
}

/** Reads `--force` before a file. */
function forceIn(words: string): { force: MoveForce; rest: string } {
  const [, forced, rest = ""] = /^(--force(?:\s+|$))?(.*)$/s.exec(words) ?? [];
  return { force: forced === undefined ? "careful" : "forced", rest };
}

async function move(sources: Sources, way: Way, force: MoveForce): Promise<Ending> {
  const undo = await settled(sources);
  const { othersText } = await loadText();
  const [turn, newest] = [undo.next(way, sources.sessions()), undo.next(way)];
  const others = newest && newest.id !== turn?.id ? [othersText(way, newest)] : [];
  const text = turn
    ? await report(sources, way, undo.move(way, turn, way === "redo" ? "last" : undefined, force))
    : `There is nothing to ${way}.`;
  return show([text, ...others].join("\n"));
}

async function takeBack(sources: Sources, name: string, force: MoveForce): Promise<Ending> {
  const undo = await settled(sources);
  const found = await find(sources, undo, name);
  if (!found.ok) return show(found.message, "failed");
  return show(await report(sources, "undo", undo.move("undo", found.value.turn, [found.value.file], force)));
}

async function keep(sources: Sources, name: string): Promise<Ending> {
  const undo = await settled(sources);
  const found = name === "" ? undefined : await find(sources, undo, name);
  if (found?.ok === false) return show(found.message, "failed");
  const turn = found?.value.turn ?? undo.next("undo", sources.sessions());
  if (!turn) return show("There is nothing to keep.");
  const kept = undo.keep(turn, found && [found.value.file]);
  return show((await loadText()).keptText(turn, found && kept));
}

async function changes(sources: Sources): Promise<Ending> {
  const undo = await settled(sources);
  const { turnsText } = await loadText();
  return show(turnsText(undo, undo.turns()).join("\n") || "Nothing was changed here.");
}

async function settled({ undo: open }: Sources): Promise<Undo> {
  const undo = await open();
  await undo.settle();
  return undo;
}

const find = async (sources: Sources, undo: Undo, name: string) =>
  (await loadFind()).findChange(undo, name, { ...sources, sessions: sources.sessions() });

/** Tells the model what was moved, and returns the text for people. */
async function report({ channel }: Sources, way: Way, moved: MoveResult): Promise<string> {
  const { movedText, undoneNote } = await loadText();
  const content = undoneNote(way, moved);
  if (content) channel.record({ type: "custom_message", customType: "pith.undone", content, display: false });
  return movedText(way, moved);
}
