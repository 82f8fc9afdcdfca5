import type { MakePart } from "../../hall/part.ts";

/** The command `/quit`, which the interface carries out. */
export const leave: MakePart<"shell" | "channel"> = ({ shell, channel }) => ({
  name: "leave",
  commands: [
    {
      name: "quit",
      about: "leave; background jobs end with the session",
      aliases: ["exit"],
      run() {
        const running = (shell.jobs?.running() ?? []).map(({ id, label }) => `${id} (${label.split("\n", 1)[0]})`);
        if (running.length > 0)
          channel.notify({ level: "info", text: `Ends with the session: ${running.join(", ")}.` });
        return { do: "wish", wish: { name: "quit" } };
      },
    },
  ],
});
