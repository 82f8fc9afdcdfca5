import { createScrollPane, fit, type InputEvent, type List, type ListItem, oneLine, type Theme } from "@pith/tui";

export interface SplitOptions<T extends ListItem> {
  theme: Theme;
  list: List<T>;
  /** Rows of the list at most; it has at least so many, and a third of the dialog. */
  listRows: { least: number; most: number };
  /** The end of its text that a new item is shown from. */
  from: "top" | "end";
  draw(item: T | undefined, columns: number): readonly string[];
}

export interface SplitMessage {
  text: string;
  failed: boolean;
}

/** A list, and below it a pane with the text of the chosen item. */
export class SplitView<T extends ListItem> {
  /** The result of the last action. */
  message: SplitMessage | undefined;
  readonly #options: SplitOptions<T>;
  readonly #pane: ReturnType<typeof createScrollPane>;
  #room = 1;
  #shown: string | undefined;

  constructor(options: SplitOptions<T>) {
    const { theme, list, from, draw } = options;
    this.#options = options;
    const rows = (columns: number) => {
      const { current } = list;
      if (current?.id !== this.#shown) Object.assign(this.#pane, { top: 0, end: from === "end" });
      this.#shown = current?.id;
      return draw(current, columns);
    };
    this.#pane = createScrollPane(theme, rows, () => Math.max(1, this.#room - 1));
  }

  input(event: InputEvent): "used" | "passed" {
    if (event.type === "key" && event.combo.startsWith("page")) return this.#pane.input?.(event) ?? "passed";
    this.message = undefined;
    return this.#options.list.input(event);
  }

  render(columns: number, height: number): readonly string[] {
    const { theme, list, listRows } = this.#options;
    list.focused = true;
    const top = list.render(columns, Math.min(listRows.most, Math.max(listRows.least, Math.floor(height / 3))));
    const { text = "", failed } = this.message ?? {};
    const message = text === "" ? [] : [`  ${theme.paint(failed ? "warn" : "ok", fit(oneLine(text), columns - 2))}`];
    this.#room = Math.max(1, height - top.length - message.length - 1);
    return [...top, "", ...indented(columns, (wide) => this.#pane.render(wide, this.#room)), ...message];
  }
}

/** Draws below a list, in line with its words. */
export const indented = (columns: number, draw: (columns: number) => readonly string[]): string[] =>
  draw(Math.max(1, columns - 2)).map((row) => (columns > 2 ? `  ${row}` : row));
