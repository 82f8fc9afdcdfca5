import type { Schema } from "@pith/agent";
import { answerCommands } from "./command/answer.ts";
import { compactionCommands } from "./command/compact.ts";
import { modelCommands } from "./command/model.ts";
import { promptCommands } from "./command/prompt.ts";
import { sessionCommands } from "./command/session.ts";
import { shellCommands } from "./command/shell.ts";

/** Every command of a program, in the order of the page: docs/rpc.md, the dispatcher and the client follow from it. */
export const commands: typeof promptCommands &
  typeof modelCommands &
  typeof shellCommands &
  typeof sessionCommands &
  typeof compactionCommands &
  typeof answerCommands = {
  ...promptCommands,
  ...modelCommands,
  ...shellCommands,
  ...sessionCommands,
  ...compactionCommands,
  ...answerCommands,
};

export type CommandName = keyof typeof commands;
type Row<N extends CommandName> = (typeof commands)[N];
export type Takes<N extends CommandName> = Row<N> extends { takes: Schema<infer T> } ? T : never;
export type Gives<N extends CommandName> = Row<N> extends { gives: Schema<infer T> } ? T : undefined;
