import {
  type Completer,
  createEditor,
  type Editor,
  type KeyEvent,
  type Look,
  type Submission,
  type Timers,
} from "@pith/tui";
import type { Keys } from "../action/keys.ts";

export interface ComposerNeeds {
  look: Look;
  timers: Timers;
  keys: Keys;
  vim: boolean;
  cursor: "hardware" | "drawn";
  completer: Completer;
  submit(submission: Submission): void;
  /** Asked before anything is edited. */
  key(event: KeyEvent): "used" | "passed";
  /** Something is to be seen that no key has changed. */
  changed(): void;
  /** The text is another one. */
  edited(editor: Editor): void;
}

/** Where a person types: the engine's editor, with what the first letters mean in its upper rule. */
export function createComposer({ keys, key, edited, ...needs }: ComposerNeeds): Editor {
  const editor: Editor = createEditor({
    ...needs,
    keys: keys.editor,
    before: key,
    edited() {
      const { text } = editor;
      editor.rule = text.startsWith("!") ? "warn" : "border";
      editor.top = text.startsWith("!!") ? "shell, the model does not see it" : text.startsWith("!") ? "shell" : "";
      edited(editor);
    },
  });
  return editor;
}
