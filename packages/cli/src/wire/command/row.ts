import { type Schema, schema as s } from "@pith/agent";
import type { Result } from "@pith/kit";
import type { Station } from "../station.ts";

/** One command of a program. */
export interface CommandRow {
  about: string;
  takes: Schema<unknown>;
  gives?: Schema<unknown>;
  /** When it may run: at any time, after the input before it, or in the place of what is open. */
  order: "any" | "input" | "swap";
  /** It answers a question of ours under that question's id, and is told only where that did not work. */
  answers?: true;
  ours?: true;
  /** Whether a field is one of its own; others are passed over, as clients of later versions may send more. */
  has(field: readonly [string, unknown]): boolean;
  run(args: never, station: Station, id: unknown): Ran | Promise<Ran>;
}
export type Ran<T = unknown> = Result<T, string>;

interface More<T, R> {
  order?: CommandRow["order"];
  answers?: true;
  ours?: true;
  gives?: Schema<R>;
  run(args: T, station: Station, id: unknown): Ran<NoInfer<R>> | Promise<Ran<NoInfer<R>>>;
}

/** A row of the table. */
export const command = <S extends s.Shape, R = undefined>(
  about: string,
  shape: S,
  { order = "any", gives, ...more }: More<s.ObjectOf<S>, R>,
) => ({
  about,
  takes: s.object(shape),
  gives: gives as Schema<R>,
  order,
  has: ([name]: readonly [string, unknown]) => Object.hasOwn(shape, name),
  ...more,
});
