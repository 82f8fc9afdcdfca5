import { type Key, type Settings, specOf } from "@pith/coder";
import { createEditor, cursorMark, type Editor, fit, type InputEvent, oneLine } from "@pith/tui";
import type { ScreenContext } from "../../context.ts";

/** Steps along the values of a choice. */
const steps: Readonly<Record<string, number>> = { right: 1, down: 1, tab: 1, left: -1, up: -1, "shift+tab": -1 };

/** The value of a setting while it is changed: one of some values, or a text. */
export class SettingField {
  readonly hint: string;
  readonly #context: ScreenContext;
  readonly #key: Key;
  readonly #write: (text: string) => void;
  readonly #values: readonly string[] | undefined;
  readonly #editor: Editor;
  #picked = 0;

  constructor(context: ScreenContext, key: Key, write: (text: string) => void) {
    const { theme, timers, can, settings } = context;
    const spec = specOf(key);
    this.#context = context;
    this.#key = key;
    this.#write = write;
    this.#values = spec.type === "choice" ? spec.values : undefined;
    this.#picked = Math.max(0, this.#values?.indexOf(String(settings.get(key))) ?? 0);
    const submit = ({ text }: { text: string }) => write(text);
    this.#editor = createEditor({ theme, timers, single: true, frame: "none", maxRows: 1, cursor: can.cursor, submit });
    this.#editor.focused = true;
    if (!this.#values) this.#editor.text = editable(settings, key);
    this.hint = this.#values
      ? "left/right  Enter keeps it  Esc goes back"
      : "Enter keeps it, empty unsets it  Esc goes back";
  }

  input(event: InputEvent): "used" | "passed" {
    const values = this.#values;
    if (!values) return this.#editor.input(event);
    const combo = event.type === "key" ? event.combo : "";
    if (combo === "enter") this.#write(values[this.#picked] ?? "");
    else this.#picked = (this.#picked + values.length + (steps[combo] ?? 0)) % values.length;
    return "used";
  }

  render(columns: number): string {
    const { theme } = this.#context;
    const values = this.#values?.map((value, at) =>
      at === this.#picked ? theme.paint("accent", `[${value}]`) : value,
    );
    const room = Math.max(4, columns - this.#key.length - 1);
    const field = values ? values.join("  ") + cursorMark : (this.#editor.render(room, 1)[0] ?? cursorMark);
    return fit(`${theme.paint("accent", this.#key)} ${field}`, columns);
  }

  spoken(): string | undefined {
    return this.#values && `${this.#key}: ${this.#values[this.#picked]}`;
  }
}

/** A value in a list of settings. */
export function worded(value: unknown): string {
  if (value === undefined) return "not set";
  const text = oneLine(written(value));
  return text === "" ? "(empty)" : text;
}

/** The text to edit for a setting: for a list, only the items of the user's own file. */
function editable(settings: Settings, key: Key): string {
  if (specOf(key).type !== "list") return written(settings.get(key) ?? "");
  const own = settings.lists(key as Parameters<Settings["lists"]>[0]).filter(({ origin }) => origin.layer === "global");
  return written(own.flatMap(({ items }): readonly unknown[] => items));
}

/** Writes a value for `checkText`: a list as words with commas, or as JSON where its items are no words. */
const written = (value: unknown): string =>
  !Array.isArray(value)
    ? String(value)
    : value.every((item) => typeof item === "string" && !item.includes(","))
      ? value.join(", ")
      : JSON.stringify(value);
