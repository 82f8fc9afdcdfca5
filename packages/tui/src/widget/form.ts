import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import type { Timers } from "../screen/scheduler.ts";
import { oneLine } from "../text/clean.ts";
import { fit, pad, width } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";
import { createEditor } from "./editor/editor.ts";
import { pressKey } from "./row-cursor.ts";

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
  let at = 0;
  let isTold = false;
  const move = (to: number) => {
    at = to;
  };
  function next() {
    if (at < fields.length - 1) return move(at + 1);
    const bad = inputs.findIndex(({ problem }) => problem?.() !== undefined);
    isTold = true;
    if (bad !== -1) return move(bad);
    options.submit(Object.fromEntries(fields.map(({ name }, index) => [name, inputs[index]?.value() ?? ""])));
  }
  const inputs = fields.map((field) =>
    field.kind === "text" ? textInput(field, options, next) : choiceInput(field, theme),
  );
  const keys: Record<string, () => void> = {
    tab: () => move((at + 1) % fields.length),
    "shift+tab": () => move((at + fields.length - 1) % fields.length),
    up: () => move(Math.max(0, at - 1)),
    down: () => move(Math.min(fields.length - 1, at + 1)),
    escape: () => options.cancel?.(),
    enter: next,
  };
  const view: View = {
    input(event) {
      const current = inputs[at];
      return current && pressKey(keys, event) === "passed" ? current.input(event) : current ? "used" : "passed";
    },
    render(columns, height) {
      const labels = fields.map(({ label }) => oneLine(label));
      const wide = Math.min(Math.max(0, ...labels.map(width)), Math.floor(columns / 2));
      return inputs.flatMap((input, index) => {
        const isCurrent = index === at;
        const pointer = isCurrent ? theme.glyph.pointer : " ";
        const label = theme.paint(isCurrent ? "accent" : "text", `${pointer} ${pad(labels[index] ?? "", wide)}  `);
        const focus = !isCurrent ? "elsewhere" : view.focused ? "here" : "in another view";
        const row = fit(label + input.render(focus, columns - wide - 4, height), columns);
        const problem = isTold ? input.problem?.() : undefined;
        return problem
          ? [row, theme.paint("error", fit(`${" ".repeat(wide + 4)}${oneLine(problem)}`, columns))]
          : [row];
      });
    },
  };
  return view;
}

interface FormInput {
  value(): string | boolean;
  problem?(): string | undefined;
  input(event: InputEvent): "used" | "passed";
  render(focus: "here" | "in another view" | "elsewhere", columns: number, height: number): string;
}

function textInput(
  { value = "", check }: Extract<FormField, { kind: "text" }>,
  { theme, timers, cursor }: FormOptions,
  submit: () => void,
): FormInput {
  const editor = createEditor({ theme, timers, submit, single: true, frame: "none", maxRows: 1, cursor });
  editor.text = value;
  return {
    value: () => editor.text,
    problem: () => check?.(editor.text),
    input: (event) => editor.input(event),
    render(focus, columns, height) {
      editor.focused = focus === "here";
      return editor.render(Math.max(4, columns), height)[0] ?? "";
    },
  };
}

function choiceInput(field: Exclude<FormField, { kind: "text" }>, { glyph }: Theme): FormInput {
  const isToggle = field.kind === "toggle";
  const choices: readonly (string | boolean)[] = isToggle ? [false, true] : field.choices;
  let value = field.value ?? choices[0] ?? "";
  return {
    value: () => value,
    input(event) {
      if (event.type !== "key" || !["left", "right", "space"].includes(event.combo)) return "passed";
      const next = choices.indexOf(value) + (event.combo === "left" ? -1 : 1) + choices.length;
      value = choices[next % choices.length] ?? "";
      return "used";
    },
    render(focus, columns) {
      if (isToggle) return value ? `${glyph.checked} yes` : `${glyph.unchecked} no`;
      return fit(focus === "elsewhere" ? `  ${oneLine(String(value))}` : `< ${oneLine(String(value))} >`, columns);
    },
  };
}
