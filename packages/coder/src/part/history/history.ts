import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";

const most = 20;

/** Shows prompts that were typed before, in all sessions. */
export const history: MakePart<"home" | "clock"> = ({ home, clock }) => ({
  name: "history",
  commands: [
    {
      name: "history",
      about: "show earlier prompts of all sessions",
      usage: "[words]",
      async run(words) {
        const { historyFile, openHistory } = await import("./store.ts");
        const kept = await openHistory(historyFile(home), clock);
        try {
          const prompts = words === "" ? kept.recent(most) : kept.search(words, most);
          const rows = prompts.map(({ prompt }) => prompt.replace(/\s+/g, " ")).reverse();
          return show(rows.join("\n") || "No prompt matches.");
        } finally {
          await kept.close();
        }
      },
    },
  ],
});
