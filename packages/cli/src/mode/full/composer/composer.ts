import { createEditor, type EditorDraft, type KeyEvent, oneLine } from "@pith/tui";
import type { ComposerEditor, ScreenContext } from "../context.ts";
import { inputOf } from "../submit.ts";
import { Drafts } from "./draft.ts";
import { droppedPicture, takeDropped } from "./paste.ts";

export interface Composer {
  editor: ComposerEditor;
  /** Faults of drafts that were left behind. */
  warnings: readonly string[];
  /** Writes the draft to the disk now. */
  flush(): void;
}

/** Makes the editor in which a person types, with drafts, completion and dropped pictures. */
export function createComposer(context: ScreenContext, key: (event: KeyEvent) => "used" | "passed"): Composer {
  const { io, cwd, theme, timers, settings, can } = context;
  const told = (warning: string) => context.say("warn", warning);
  const drafts = new Drafts({ home: io.home, cwd, pid: process.pid, isAlive, timers, warn: told });
  /** Loaded with the first letter that can be completed. */
  let completer: Promise<ReturnType<typeof import("./complete.ts").completerFor>> | undefined;
  /** The conversation that was warmed up for this draft: once, behind the frame of its first letter. */
  let warmed: unknown;
  const warm = () => {
    const coder = editor.isEmpty ? undefined : context.coder;
    const begins = coder !== undefined && warmed !== coder;
    warmed = coder;
    if (begins) timers.after(1, () => coder.draft.warm());
  };
  /** Texts that were entered and are not in the record yet. */
  const held = new Set<EditorDraft>();
  const keep = () => drafts.keep(() => joined([...held, editor.setAside], editor.draft));
  const editor: ComposerEditor = createEditor({
    theme,
    timers,
    vim: settings.get("editor.vim"),
    cursor: can.cursor,
    // Programs that type into the line prompt end their lines with a line feed.
    keys:
      context.flags.line || can.id === "dumb"
        ? { ...context.keys.editor, "ctrl+j": { do: "submit" } }
        : context.keys.editor,
    frame: context.flags.line ? "none" : "rules",
    before: key,
    changed: () => context.screen.request(),
    async completer(...at) {
      if (!/[@#]|^\//.test(at[0])) return [];
      completer ??= import("./complete.ts").then(({ completerFor }) => completerFor(context));
      const items = await (await completer)(...at);
      const [first] = items;
      // Enter takes the suggestion, so a screen reader says it before.
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
      keep();
      warm();
    },
  });
  editor.hold = (text) => {
    const entered = { text, folds: [] };
    held.add(entered);
    keep();
    drafts.flush();
    return () => {
      if (held.delete(entered)) keep();
    };
  };
  if (drafts.left) editor.draft = drafts.left;
  // A signal that comes before there is a conversation ends the process at once.
  process.once("exit", () => drafts.flush());
  return { editor, warnings: drafts.warnings, flush: () => drafts.flush() };
}

const joined = (before: readonly (EditorDraft | undefined)[], { text, folds }: EditorDraft): EditorDraft => {
  const all = [...before, { text, folds }].filter((draft) => draft !== undefined && draft.text !== "");
  return { text: all.map((draft) => draft?.text).join("\n\n"), folds: all.flatMap((draft) => draft?.folds ?? []) };
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
