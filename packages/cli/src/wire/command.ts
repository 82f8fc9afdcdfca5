import type { Schema } from "@pith/agent";
import { answering } from "./command/answer.ts";
import { compacting } from "./command/compact.ts";
import { modelling } from "./command/model.ts";
import { prompting } from "./command/prompt.ts";
import { recording } from "./command/session.ts";
import { shelling } from "./command/shell.ts";

/** Every command of a program, in the order of the page: docs/rpc.md, the dispatcher and the client follow from it. */
export const commands: typeof prompting &
  typeof modelling &
  typeof shelling &
  typeof recording &
  typeof compacting &
  typeof answering = { ...prompting, ...modelling, ...shelling, ...recording, ...compacting, ...answering };

export type CommandName = keyof typeof commands;
type Row<N extends CommandName> = (typeof commands)[N];
export type Takes<N extends CommandName> = Row<N> extends { takes: Schema<infer T> } ? T : never;
export type Gives<N extends CommandName> = Row<N> extends { gives: Schema<infer T> } ? T : undefined;
