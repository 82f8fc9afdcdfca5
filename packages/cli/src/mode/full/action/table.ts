import type { Command } from "@pith/coder";
import type { Seat } from "../seat.ts";
import { coreActions } from "./core.ts";

/** Something that a person can do here, by a key or by a command. */
export interface Action {
  /** As keybindings.yml names it. */
  name: string;
  about: string;
  /** Its keys, unless somebody wants others. */
  keys: readonly string[];
  /** What can be typed for it, without the slash. */
  command?: string;
  usage?: string;
  aliases?: readonly string[];
  complete?: Command["complete"];
  run(seat: Seat, words: string): void;
}

/** All of them: the one place that says what can be done and how. */
export const actions: readonly Action[] = [...coreActions];

/** Those with a command, as rows of the table that help and completion are made of. */
export const actionCommands = (): Command[] =>
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
            ...(complete && { complete }),
          },
        ],
  );
