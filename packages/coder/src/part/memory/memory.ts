import { type Command, show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import edited from "./edited.md" with { type: "text" };
import type { SessionMemory } from "./session.ts";

const usage = "[add <note> | edit <number> <text> | rm <number>]";

declare module "../../hall/hall.ts" {
  interface Hall {
    /** The memory of the session; loaded on first use. */
    memory(): Promise<SessionMemory>;
  }
}

export const sessionMemory: MakePart<"tree" | "channel", "memory"> = ({ tree, channel }) => {
  let session: SessionMemory | undefined;
  return {
    name: "session memory",
    owns: {
      async memory() {
        const { SessionMemory } = await import("./session.ts");
        session ??= new SessionMemory(tree, (draft) => void channel.record(draft));
        return session;
      },
    },
  };
};

/** The memory of a session: it outlives every compaction, and a person can change it. */
export const memory: MakePart<"memory" | "channel"> = ({ memory: open, channel }) => {
  /** The changed memory, until the model is told of it at its next step. */
  let untold: string | undefined;
  const tell = () => {
    if (untold === undefined) return;
    const content = `${edited.trim()}\n\n${untold || "(nothing)"}`;
    untold = undefined;
    channel.record({ type: "custom_message", customType: "pith.memory-edited", content, display: false });
  };
  const command: Command = {
    name: "memory",
    about: "show or change what this session remembers",
    usage,
    complete: (words) => ["add", "edit", "rm"].filter((verb) => verb.startsWith(words)),
    async run(words) {
      const known = await open();
      const { editMemory, listMemory } = await import("./edit.ts");
      if (words === "") return show(listMemory(known.current));
      const changed = editMemory(known.current, words);
      if (!changed) return show(`Usage: /memory ${usage}`, "failed");
      if (!changed.ok) return show(changed.message, "failed");
      known.save(changed.value);
      untold = known.text;
      if (!channel.running) tell();
      return show(listMemory(known.current));
    },
  };
  return {
    name: "memory",
    commands: [command],
    step: tell,
    idle: tell,
    keeps: {
      state: ["pith.memory"],
      async words() {
        const known = await open();
        known.save();
        return known.text === "" ? [] : [{ title: "Session memory", text: known.text }];
      },
    },
  };
};
