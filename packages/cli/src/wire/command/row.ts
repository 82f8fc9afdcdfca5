import type { Schema, schema as s } from "@pith/agent";
import type { Configuration } from "@pith/coder";
import type { Fail } from "@pith/kit";
import { sent } from "../schema.ts";
import type { SessionHost } from "../session-host.ts";

/** The answer to a command, or why there is none. */
export type Answered<R = unknown> = R | Fail<string>;

interface Options<R> {
  about: string;
  gives?: Schema<R>;
  /**
   * Runs at any time, after the input before it, or in the place of the open session. A command that ends or answers
   * something runs `now`, whatever waits: others may wait for that very thing.
   */
  order?: "any" | "now" | "input" | "swap";
  /** True for an answer to a question: its id is that of the question, and a response is sent only if it fails. */
  answers?: true;
  /** True where pi has no such command. */
  ours?: true;
  /** True for input: the response is sent once it is on the disk, before anything is told that comes of it. */
  says?: true;
  /** True where it may shorten the conversation: input that comes meanwhile is taken at once, and heard afterwards. */
  shortens?: true;
}

/** A row of the table of commands. */
export interface CommandRow extends Options<unknown> {
  takes: Schema<unknown>;
  run(args: never, host: SessionHost, id: unknown): unknown;
}

export const command = <S extends s.ObjectShape, R = void>({
  takes,
  ...row
}: Options<R> & {
  takes: S;
  run(args: s.ObjectOf<S>, host: SessionHost, id: unknown): Answered<NoInfer<R>> | Promise<Answered<NoInfer<R>>>;
}) => ({ ...row, takes: sent(takes), gives: row.gives as Schema<R> });

/** A command that changes how the conversation is held. */
export const configures = <S extends s.ObjectShape>(
  about: string,
  takes: S,
  wanted: (args: s.ObjectOf<S>) => Configuration,
) => command({ about, takes, run: (args, { coder }) => coder.configure(wanted(args)) });
