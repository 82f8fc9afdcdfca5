import type { ScreenContext } from "../context.ts";

/** Something that a person can do here, by a key or by a command. */
export interface Action {
  /** As keybindings.yml names it. */
  name: string;
  about: string;
  /** Its keys, unless somebody wants others. */
  keys: readonly string[];
  /** The command for it, without the slash. */
  command?: string;
  usage?: string;
  aliases?: readonly string[];
  complete?(words: string, context: ScreenContext): readonly string[] | Promise<readonly string[]>;
  run(context: ScreenContext, words: string): unknown;
}
