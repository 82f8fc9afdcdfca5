import type { Schema, schema as s } from "@pith/agent";
import type { Result } from "@pith/kit";
import { sent } from "../schema.ts";
import type { SessionHost } from "../session-host.ts";

/** One command of a program. */
export interface CommandRow {
  about: string;
  takes: Schema<unknown>;
  gives?: Schema<unknown>;
  /**
   * When it may run: at any time, after the input before it, or in the place of what is open. What ends or answers
   * something runs `now`, whatever waits: others may wait for that very thing.
   */
  order: "any" | "now" | "input" | "swap";
  /** It answers a question of ours under that question's id, and is told only where that did not work. */
  answers?: true;
  ours?: true;
  /** It says something, and is answered once that is on the disk: before anything is told that comes of it. */
  says?: true;
  /** It may make the conversation shorter: what is said meanwhile is taken at once, and heard afterwards. */
  shortens?: true;
  run(args: never, station: SessionHost, id: unknown): Ran | Promise<Ran>;
}
export type Ran<T = unknown> = Result<T, string>;

interface More<T, R> {
  order?: CommandRow["order"];
  answers?: true;
  ours?: true;
  says?: true;
  shortens?: true;
  gives?: Schema<R>;
  run(args: T, station: SessionHost, id: unknown): Ran<NoInfer<R>> | Promise<Ran<NoInfer<R>>>;
}

/** A row of the table. */
export const command = <S extends s.ObjectShape, R = undefined>(
  about: string,
  shape: S,
  { order = "any", gives, ...more }: More<s.ObjectOf<S>, R>,
) => ({
  about,
  takes: sent(shape),
  gives: gives as Schema<R>,
  order,
  ...more,
});
