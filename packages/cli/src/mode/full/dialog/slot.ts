import { fit, type OverlayHandle, pad, rowsOf, type View, width } from "@pith/tui";
import type { ScreenEvent } from "../../../view/throttle.ts";
import type { Dialog, MakeDialog, ScreenContext } from "../context.ts";

/** The place of the open dialog, over the last rows of the screen. */
export interface Slot {
  open(make: MakeDialog): Promise<void>;
  close(): void;
  readonly current: Dialog | undefined;
  hear(event: ScreenEvent): void;
}

export function createSlot(context: ScreenContext, covers: () => number): Slot {
  let current: Dialog | undefined;
  let handle: OverlayHandle | undefined;
  /** The number of the last request; its dialog gets the place, however long others take. */
  let asked = 0;
  function close() {
    const was = current;
    current = undefined;
    handle?.close();
    handle = undefined;
    was?.closed?.();
  }
  return {
    async open(make) {
      const mine = ++asked;
      const shut = () => {
        if (asked === mine) close();
      };
      try {
        const dialog = await make(context, shut);
        if (dialog === "") return;
        if (typeof dialog === "string") return context.say("info", dialog);
        if (mine !== asked) return dialog.closed?.();
        close();
        current = dialog;
        const view = framed(dialog, context, { close: shut, covers });
        handle = context.screen.overlay(view, { anchor: "end", columns: 1, covers });
      } catch (thrown) {
        context.say("error", thrown instanceof Error ? thrown.message : String(thrown));
      }
    },
    close,
    get current() {
      return current;
    },
    hear: (event) => current?.hear?.(event),
  };
}

interface Frame {
  close(): void;
  covers(): number;
}

/**
 * A dialog between two rules: its name above, its keys below. What it does not use closes it or is dropped. It becomes
 * taller and never less tall, so that nothing jumps while a list is narrowed down; in another window it begins anew.
 */
function framed(dialog: Dialog, context: ScreenContext, { close, covers }: Frame): View {
  const { theme } = context;
  let tallest = { rows: 0, columns: 0 };
  const asked = () => (context.coder?.scene.questions ?? []).map(({ id }) => id);
  const known = new Set(asked());
  /** A mark for questions that have come since the dialog was opened, which it covers. */
  const news = () => (asked().some((id) => !known.has(id)) ? [theme.paint("warn", "a question waits")] : []);
  const view: View = {
    input(event) {
      if ((dialog.input?.(event) ?? "passed") === "used") return "used";
      if (event.type !== "key") return "used";
      if (event.combo === "escape" || event.combo === "ctrl+c") close();
      // Suspending works from everywhere; the dialog is still open afterwards.
      else if (context.keys.actions.get(event.combo) === "app.suspend") context.act("app.suspend");
      return "used";
    },
    render(columns, height) {
      dialog.focused = view.focused ?? false;
      const room = Math.max(1, Math.min(dialog.rows ?? Math.floor(height * 0.7), height - 2));
      const rows = rowsOf(() => dialog.render(columns, room), columns).slice(0, room);
      // A small dialog covers the composer too.
      const before = tallest.columns === columns ? tallest.rows : 0;
      tallest = { rows: Math.max(before, rows.length, covers() - 2), columns };
      while (rows.length < Math.min(room, tallest.rows)) rows.push("");
      const title = fit(dialog.title, Math.max(1, columns - 6), theme.glyph.ellipsis);
      return [
        rule([theme.paint("accent", title), ...news()], columns),
        ...rows.map((row) => pad(row, columns)),
        rule(hints(dialog.hint ?? "Esc closes", columns - 4), columns),
      ];
    },
    ...(dialog.spoken && { spoken: () => dialog.spoken?.() ?? "" }),
  };
  const rule = (words: readonly string[], columns: number) => {
    const { h } = theme.glyph.box;
    // A screen reader reads the comma as a pause.
    const begun = ` ${words.join(context.can.reader ? ", " : ` ${theme.paint("border", h)} `)} `;
    const rest = Math.max(0, columns - 2 - width(begun));
    return fit(theme.paint("border", h.repeat(2)) + begun + theme.paint("border", h.repeat(rest)), columns);
  };
  /** Paints the keys of a hint; where there is no room for all, the first ones and the last. */
  const hints = (text: string, columns: number): string[] => {
    const words = text.split(/ {2,}/);
    while (words.length > 1 && width(words.join("   ")) > columns) words.splice(-2, 1);
    return words.map((word) => {
      const [key = ""] = /^(?:page )?\S+/.exec(word) ?? [];
      return key + theme.paint("dim", fit(word.slice(key.length), columns, theme.glyph.ellipsis));
    });
  };
  return view;
}
