import { createEditor, type EditorDraft, type KeyEvent, oneLine } from "@pith/tui";
import type { ComposerEditor, ScreenContext } from "../context.ts";
import { inputOf } from "../submit.ts";
import { Drafts } from "./draft.ts";
import { droppedPicture, takeDropped } from "./paste.ts";

export interface Composer {
  editor: ComposerEditor;
  /** What is odd about what was left behind. */
  warnings: readonly string[];
  /** What is typed is on the disk. */
  flush(): void;
}

/** Where a person types: the engine's editor, with what the first letters mean in its upper rule. */
export function createComposer(context: ScreenContext, key: (event: KeyEvent) => "used" | "passed"): Composer {
  const { io, cwd, theme, timers, settings, can } = context;
  const told = (warning: string) => context.say("warn", warning);
  const drafts = new Drafts({ home: io.home, cwd, pid: process.pid, isAlive, timers, warn: told });
  /** What suggests is loaded with the first letter that wants it. */
  let completer: Promise<ReturnType<typeof import("./complete.ts").completerFor>> | undefined;
  /** With the first letter of each draft, and behind its frame: it will be sent. */
  let warmed: unknown;
  const warm = () => {
    const coder = editor.isEmpty ? undefined : context.coder;
    const begins = coder !== undefined && warmed !== coder;
    warmed = coder;
    if (begins) timers.after(1, () => coder.draft.warm());
  };
  const editor: ComposerEditor = createEditor({
    theme,
    timers,
    vim: settings.get("editor.vim"),
    cursor: can.cursor,
    keys: context.keys.editor,
    before: key,
    changed: () => context.screen.request(),
    async completer(...at) {
      if (!/[@#]|^\//.test(at[0])) return [];
      completer ??= import("./complete.ts").then(({ completerFor }) => completerFor(context));
      const items = await (await completer)(...at);
      const [first] = items;
      // Enter takes it, so who listens hears of it before.
      if (first && !at[2].aborted)
        context.screen.announce?.(`suggested: ${oneLine(first.label)}, 1 of ${items.length}`);
      return items;
    },
    pasted(text) {
      const path = droppedPicture(text, context);
      if (path !== undefined) void takeDropped(context, path, text);
      return path === undefined ? "passed" : "used";
    },
    submit({ text, attachments }) {
      editor.clear();
      context.submitter.enter({ ...inputOf(text, attachments), when: "now" });
    },
    edited() {
      const { text } = editor;
      editor.rule = text.startsWith("!") ? "warn" : "border";
      editor.top = text.startsWith("!!") ? "shell, the model does not see it" : text.startsWith("!") ? "shell" : "";
      drafts.keep(() => joined(editor.setAside, editor.draft));
      warm();
    },
  });
  if (drafts.left) editor.draft = drafts.left;
  // A signal that comes before there is a conversation ends the process at once.
  process.once("exit", () => drafts.flush());
  return { editor, warnings: drafts.warnings, flush: () => drafts.flush() };
}

const joined = (aside: EditorDraft | undefined, { text, folds }: EditorDraft): EditorDraft =>
  aside === undefined || aside.text === ""
    ? { text, folds }
    : { text: [aside.text, ...(text === "" ? [] : [text])].join("\n\n"), folds: [...aside.folds, ...folds] };

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
