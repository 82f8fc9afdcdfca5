import type { MakePart } from "../../hall/part.ts";
import { sessionsBefore } from "../../session/before.ts";
import { undoCommands } from "./command.ts";
import { UndoHook } from "./hook.ts";

/** Undo: changes of files by tools and commands can be taken back, turn by turn. */
export const undo: MakePart<"settings" | "undo" | "header" | "tree" | "channel" | "inside" | "cwd" | "userHome"> = (
  hall,
) => {
  if (!hall.settings.get("undo.enabled")) return undefined;
  const hook = new UndoHook(hall);
  return {
    name: "undo",
    hooks: [hook],
    keeps: { state: ["pith.before"], changed: () => hook.soFar() },
    commands: undoCommands(hall, () => new Set([...hook.sessions, ...sessionsBefore(hall.tree), hall.header.id])),
    [Symbol.asyncDispose]: async () => hook[Symbol.dispose](),
  };
};
