import { textOf } from "@pith/agent";
import { isInside } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import { sessionsBefore } from "../../session/before.ts";
import { undoCommands } from "./command.ts";
import { undoHook } from "./hook.ts";

/** What a turn did to the files can be taken back, by whatever it was done. */
export const undo: MakePart<
  "settings" | "undo" | "header" | "tree" | "channel" | "inside" | "keeping" | "cwd" | "userHome"
> = (hall) => {
  const { settings, tree, channel, inside } = hall;
  if (!settings.get("undo.enabled")) return undefined;
  const sessions = new Set<string>();
  hall.keeping.add({ state: ["pith.before"] });
  const session = () => {
    sessions.add(hall.header.id);
    return hall.header.id;
  };
  const hook = undoHook({
    open: hall.undo,
    session,
    isOwn: (path) => inside.scratch.some((folder) => isInside(folder, path)),
    leaf: () => tree.leaf ?? undefined,
    asked: () => {
      const said = tree.last("user");
      return said?.type === "message" && said.message.role === "user" ? textOf(said.message.content) : "";
    },
    tell: (notice) => channel.notify(notice),
    changed: (changed) => {
      // Append, then announce: all of it is in the record, and what stood on the way is not.
      if (changed.final) channel.record({ type: "custom", customType: "pith.changed", data: changed });
      channel.announce({ type: "changed", ...changed });
    },
  });
  return {
    name: "undo",
    hooks: [hook],
    keeps: { state: ["pith.before"], changed: () => hook.soFar() },
    commands: undoCommands({
      open: hall.undo,
      sessions: () => new Set([...sessions, ...sessionsBefore(tree), session()]),
      cwd: hall.cwd,
      userHome: hall.userHome,
      record: (draft) => void channel.record(draft),
    }),
    [Symbol.asyncDispose]: async () => hook[Symbol.dispose](),
  };
};
