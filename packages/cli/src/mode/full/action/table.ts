import type { Command } from "@pith/coder";
import type { Seat } from "../seat.ts";
import type { Action } from "./action.ts";
import { coreActions } from "./core.ts";
import { cycleActions } from "./cycle.ts";
import { dialogActions } from "./dialogs.ts";

/** All of them: the one place that says what can be done and how. */
export const actions: readonly Action[] = [...coreActions, ...cycleActions, ...dialogActions];

/** Those with a command, as rows of the table that help and completion are made of. */
export const actionCommands = (seat: Seat): Command[] =>
  actions.flatMap(({ name, about, command, usage, aliases, complete }) =>
    command === undefined
      ? []
      : [
          {
            name: command,
            about,
            when: "any time" as const,
            run: (words: string) => ({ do: "wish" as const, wish: { name: "act" as const, action: name, words } }),
            ...(usage !== undefined && { usage }),
            ...(aliases && { aliases }),
            ...(complete && { complete: (words: string) => complete(words, seat) }),
          },
        ],
  );
