import type { MakePart } from "../../hall/part.ts";

/**
 * Shows calls the unsaved text of an editor. Before a call changes such a file the editor saves it, so that undo can go
 * back to what was typed.
 */
export const editor: MakePart<"unsaved"> = ({ unsaved }) =>
  unsaved && {
    name: "editor",
    async call({ intent }) {
      for (const { effect, real } of intent.paths) if (effect === "read") await unsaved.look(real);
      return { do: "allow" };
    },
    async start({ intent }) {
      for (const { effect, real } of intent.paths) if (effect === "write") await unsaved.settle(real);
    },
  };
