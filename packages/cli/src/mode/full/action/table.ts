import type { Command } from "@pith/coder";
import type { ScreenContext } from "../context.ts";
import type { Action } from "./action.ts";
import { coreActions } from "./core.ts";
import { cycleActions } from "./cycle.ts";
import { dialogActions } from "./dialogs.ts";

/** All actions of the full screen. */
export const actions: readonly Action[] = [...coreActions, ...cycleActions, ...dialogActions];

/**
 * Rows of the command table for actions that can be typed. An action with the name of a command in `rows` covers it:
 * alone it acts on the screen, with words it is the command.
 */
export const actionCommands = (context: ScreenContext, rows: readonly Command[]): Command[] =>
  actions.flatMap((action): Command[] => {
    const { name, command, usage, complete } = action;
    if (command === undefined) return [];
    const covered = rows.find((row) => row.name === command);
    return [
      {
        name: command,
        about: covered?.about ?? action.about,
        usage: usage ?? covered?.usage,
        aliases: covered?.aliases ?? action.aliases,
        when: "any time",
        complete: complete ? (words) => complete(words, context) : covered?.complete,
        run: (words, signal) =>
          covered && words !== "" && usage === undefined
            ? covered.run(words, signal)
            : { do: "wish", wish: { name: "act", action: name, words } },
      },
    ];
  });
