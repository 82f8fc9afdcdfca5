import type { ScreenContext } from "../context.ts";

/** An action of the full screen, for a key or a slash command. */
export interface Action {
  /** Its name in keybindings.yml. */
  name: string;
  about: string;
  /** Its keys, unless keybindings.yml has others. */
  keys?: readonly string[];
  /** The command for it, without the slash. */
  command?: string;
  usage?: string;
  aliases?: readonly string[];
  complete?(words: string, context: ScreenContext): readonly string[] | Promise<readonly string[]>;
  run(context: ScreenContext, words: string): unknown;
}
