import type { Seat } from "../context.ts";

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
  complete?(words: string, seat: Seat): readonly string[] | Promise<readonly string[]>;
  run(seat: Seat, words: string): unknown;
}
