import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import type { Timers } from "../screen/scheduler.ts";
import { oneLine } from "../text/clean.ts";
import { fit, pad, width } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";
import { createEditor, type Editor } from "./editor/editor.ts";

export type FormField =
  | {
      readonly kind: "text";
      readonly name: string;
      readonly label: string;
      readonly value?: string;
      readonly check?: (value: string) => string | undefined;
    }
  | { readonly kind: "toggle"; readonly name: string; readonly label: string; readonly value?: boolean }
  | {
      readonly kind: "choice";
      readonly name: string;
      readonly label: string;
      readonly choices: readonly string[];
      readonly value?: string;
    };

export type FormValues = Readonly<Record<string, string | boolean>>;

export interface FormOptions {
  theme: Theme;
  timers: Timers;
  fields: readonly FormField[];
  submit(values: FormValues): void;
  cancel?: () => void;
  cursor?: "hardware" | "drawn";
}

/** Questions below each other. Tab and the arrows go from one to the next; Enter sends when every answer is good. */
export function createForm(options: FormOptions): View {
  const { theme, fields } = options;
  const values: Record<string, string | boolean> = {};
  const editors = new Map<FormField, Editor>();
  for (const field of fields) {
    if (field.kind === "toggle") values[field.name] = field.value ?? false;
    else if (field.kind === "choice") values[field.name] = field.value ?? field.choices[0] ?? "";
    else {
      const editor = createEditor({
        theme,
        timers: options.timers,
        submit: next,
        single: true,
        frame: "none",
        maxRows: 1,
        cursor: options.cursor,
      });
      editor.text = field.value ?? "";
      editors.set(field, editor);
    }
  }
  let at = 0;
  const complaint = (field: FormField) =>
    field.kind === "text" ? field.check?.(editors.get(field)?.text ?? "") : undefined;
  let told = false;

  function next() {
    if (at < fields.length - 1) {
      at++;
      return;
    }
    const bad = fields.findIndex((field) => complaint(field) !== undefined);
    told = true;
    if (bad !== -1) {
      at = bad;
      return;
    }
    for (const [field, editor] of editors) values[field.name] = editor.text;
    options.submit({ ...values });
  }
  function change(field: FormField, by: number) {
    if (field.kind === "toggle") values[field.name] = !values[field.name];
    else if (field.kind === "choice") {
      const index = field.choices.indexOf(String(values[field.name]));
      values[field.name] = field.choices[(index + by + field.choices.length) % field.choices.length] ?? "";
    }
  }
  const keys: Record<string, () => void> = {
    tab: () => {
      at = (at + 1) % fields.length;
    },
    "shift+tab": () => {
      at = (at + fields.length - 1) % fields.length;
    },
    up: () => {
      at = Math.max(0, at - 1);
    },
    down: () => {
      at = Math.min(fields.length - 1, at + 1);
    },
    escape: () => options.cancel?.(),
    enter: next,
  };

  const view: View = {
    input(event: InputEvent) {
      const field = fields[at];
      if (!field) return "passed";
      if (event.type === "key" && keys[event.combo]) {
        keys[event.combo]?.();
        return "used";
      }
      const editor = editors.get(field);
      if (editor) return editor.input?.(event) ?? "passed";
      if (event.type !== "key" || !["left", "right", "space"].includes(event.combo)) return "passed";
      change(field, event.combo === "left" ? -1 : 1);
      return "used";
    },
    render(columns, height) {
      const wide = Math.min(
        Math.max(0, ...fields.map((field) => width(oneLine(field.label)))),
        Math.floor(columns / 2),
      );
      return fields.flatMap((field, index) => {
        const current = index === at;
        const label = theme.paint(
          current ? "accent" : "text",
          `${current ? theme.glyph.pointer : " "} ${pad(oneLine(field.label), wide)}  `,
        );
        const wrong = told ? complaint(field) : undefined;
        const row = fit(label + answer(field, current, columns - wide - 4, height), columns);
        return wrong ? [row, theme.paint("error", fit(`${" ".repeat(wide + 4)}${oneLine(wrong)}`, columns))] : [row];
      });
    },
  };
  function answer(field: FormField, current: boolean, room: number, height: number): string {
    const editor = editors.get(field);
    if (editor) {
      editor.focused = current && (view.focused ?? false);
      return editor.render(Math.max(4, room), height)[0] ?? "";
    }
    const value = values[field.name];
    if (field.kind === "toggle") return value ? `${theme.glyph.checked} yes` : `${theme.glyph.unchecked} no`;
    return fit(current ? `< ${oneLine(String(value))} >` : `  ${oneLine(String(value))}`, room);
  }
  return view;
}
