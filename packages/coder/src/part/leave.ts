import type { MakePart } from "../hall/part.ts";

/** The way out: only a face can go. */
export const leave: MakePart<never> = () => ({
  name: "leave",
  commands: [
    {
      name: "quit",
      about: "leave",
      aliases: ["exit"],
      when: "any time",
      run: () => ({ do: "wish", wish: { name: "quit" } }),
    },
  ],
});
