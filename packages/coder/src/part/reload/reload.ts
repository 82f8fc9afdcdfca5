import type { MakePart } from "../../hall/part.ts";

/** Reads changed files of settings before each turn. */
export const reload: MakePart<"choice" | "channel" | "store"> = (hall) => {
  const { choice, channel, store } = hall;
  const effects = store.onChange({
    steeringMode: (steeringMode) => choice.configure({ steeringMode }),
    followUpMode: (followUpMode) => choice.configure({ followUpMode }),
    thinking: (thinking) => thinking && choice.configure({ thinking }),
  });
  return {
    name: "reload",
    async input(input) {
      const { changed, problems } = await store.refresh();
      for (const text of problems) channel.notify({ level: "warn", text: `${text}; the old settings stay in use` });
      const now = changed.filter((key) => store.table.specOf(key).applies !== undefined);
      const later = changed.filter((key) => store.table.specOf(key).applies === undefined);
      const said = [
        ...(now.length > 0 ? [`${now.join(", ")} from now on`] : []),
        ...(later.length > 0 ? [`${later.join(", ")} from the next session on`] : []),
      ];
      if (said.length > 0) channel.notify({ level: "info", text: `Settings have changed: ${said.join("; ")}.` });
      return input;
    },
    // The settings outlive the conversation.
    async [Symbol.asyncDispose]() {
      effects[Symbol.dispose]();
    },
  };
};
