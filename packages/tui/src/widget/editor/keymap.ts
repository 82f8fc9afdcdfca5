import type { Motion } from "./state.ts";

// Which keys do what. An application hands in its own table over this one.

export type EditorAction =
  | { readonly move: Motion | "up" | "down" | "pageUp" | "pageDown"; readonly select?: true }
  | { readonly cut: Motion; readonly keep: "ring" | "drop" }
  | {
      readonly do:
        | "submit"
        | "newline"
        | "yank"
        | "yankOlder"
        | "undo"
        | "redo"
        | "complete"
        | "selectAll"
        | "transpose";
    };

export type Keymap = Readonly<Record<string, EditorAction | "none">>;

const moves: readonly (readonly [string, Extract<EditorAction, { move: unknown }>["move"]])[] = [
  ["left", "left"], ["ctrl+b", "left"], ["right", "right"], ["ctrl+f", "right"], ["up", "up"], ["down", "down"],
  ["home", "lineStart"], ["ctrl+a", "lineStart"], ["end", "lineEnd"], ["ctrl+e", "lineEnd"], ["alt+b", "wordLeft"],
  ["alt+left", "wordLeft"], ["ctrl+left", "wordLeft"], ["alt+f", "wordRight"], ["alt+right", "wordRight"],
  ["ctrl+right", "wordRight"], ["ctrl+home", "textStart"], ["alt+<", "textStart"], ["ctrl+end", "textEnd"],
  ["alt+>", "textEnd"], ["pageup", "pageUp"], ["pagedown", "pageDown"],
]; // biome-ignore format: a table

const selecting = [
  "left",
  "right",
  "up",
  "down",
  "home",
  "end",
  "ctrl+left",
  "ctrl+right",
  "alt+left",
  "alt+right",
  "ctrl+home",
  "ctrl+end",
];
const shifted = (combo: string) => (combo.includes("+") ? combo.replace(/\+([^+]+)$/, "+shift+$1") : `shift+${combo}`);

export const defaultKeymap: Keymap = {
  ...Object.fromEntries(moves.map(([combo, move]) => [combo, { move }])),
  ...Object.fromEntries(
    moves
      .filter(([combo]) => selecting.includes(combo))
      .map(([combo, move]) => [shifted(combo), { move, select: true as const }]),
  ),
  backspace: { cut: "left", keep: "drop" },
  "shift+backspace": { cut: "left", keep: "drop" },
  "ctrl+h": { cut: "left", keep: "drop" },
  delete: { cut: "right", keep: "drop" },
  "ctrl+d": { cut: "right", keep: "drop" },
  "ctrl+w": { cut: "wordLeft", keep: "ring" },
  "alt+backspace": { cut: "wordLeft", keep: "ring" },
  "ctrl+backspace": { cut: "wordLeft", keep: "ring" },
  "alt+d": { cut: "wordRight", keep: "ring" },
  "alt+delete": { cut: "wordRight", keep: "ring" },
  "ctrl+delete": { cut: "wordRight", keep: "ring" },
  "ctrl+k": { cut: "lineEnd", keep: "ring" },
  "ctrl+u": { cut: "lineStart", keep: "ring" },
  "ctrl+y": { do: "yank" },
  "alt+y": { do: "yankOlder" },
  "ctrl+_": { do: "undo" },
  "ctrl+-": { do: "undo" },
  "alt+_": { do: "redo" },
  "ctrl+shift+z": { do: "redo" },
  "ctrl+t": "none",
  "alt+t": { do: "transpose" },
  "alt+a": { do: "selectAll" },
  enter: { do: "submit" },
  "shift+enter": { do: "newline" },
  "alt+enter": { do: "newline" },
  "ctrl+enter": { do: "newline" },
  "ctrl+j": { do: "newline" },
  tab: { do: "complete" },
};
