import type { Dialog, ScreenContext } from "../../context.ts";

interface Watching {
  title: string;
  hint: string;
  /** It ends by itself after so many. */
  seconds?: number;
}

/** Stands while pith watches itself; whatever closes it ends the watch, once. */
export function watching(
  context: ScreenContext,
  close: () => void,
  what: Watching,
  ended: () => Promise<void>,
): Dialog {
  const text = `pith watches itself${what.seconds ? ` for ${what.seconds} seconds` : ""}.`;
  let over = false;
  return {
    title: what.title,
    hint: what.hint,
    rows: 1,
    render: () => [text],
    input(event) {
      if (event.type !== "key" || event.combo !== "enter") return "passed";
      close();
      return "used";
    },
    closed() {
      if (over) return;
      over = true;
      void ended().then(() => context.screen.request());
    },
    spoken: () => text,
  };
}
