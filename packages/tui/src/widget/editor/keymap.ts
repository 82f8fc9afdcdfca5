import type { Motion } from "./state.ts";

// The keys of the editor; an application may pass its own table over this one.

export type EditorAction =
  | { readonly move: Motion | "up" | "down" | "pageUp" | "pageDown"; readonly select?: true }
  | { readonly cut: Motion; readonly keep: "ring" | "drop" }
  | { readonly do: EditorCommand };

export type EditorCommand =
  | "submit"
  | "newline"
  | "yank"
  | "yankOlder"
  | "undo"
  | "redo"
  | "complete"
  | "selectAll"
  | "transpose";

export type Keymap = Readonly<Record<string, EditorAction | "none">>;

const moves: readonly (readonly [string, Extract<EditorAction, { move: unknown }>["move"]])[] = [
  ["left", "left"], ["ctrl+b", "left"], ["right", "right"], ["ctrl+f", "right"], ["up", "up"], ["down", "down"],
  ["home", "lineStart"], ["ctrl+a", "lineStart"], ["end", "lineEnd"], ["ctrl+e", "lineEnd"], ["alt+b", "wordLeft"],
  ["alt+left", "wordLeft"], ["ctrl+left", "wordLeft"], ["alt+f", "wordRight"], ["alt+right", "wordRight"],
  ["ctrl+right", "wordRight"], ["ctrl+home", "textStart"], ["alt+<", "textStart"], ["ctrl+end", "textEnd"],
  ["alt+>", "textEnd"], ["pageup", "pageUp"], ["pagedown", "pageDown"],
]; // biome-ignore format: a table

const cuts: readonly (readonly [string, Motion, "ring" | "drop"])[] = [
  ["backspace", "left", "drop"], ["shift+backspace", "left", "drop"], ["ctrl+h", "left", "drop"],
  ["delete", "right", "drop"], ["ctrl+d", "right", "drop"], ["ctrl+w", "wordLeft", "ring"],
  ["alt+backspace", "wordLeft", "ring"], ["ctrl+backspace", "wordLeft", "ring"], ["alt+d", "wordRight", "ring"],
  ["alt+delete", "wordRight", "ring"], ["ctrl+delete", "wordRight", "ring"], ["ctrl+k", "lineEnd", "ring"],
  ["ctrl+u", "lineStart", "ring"],
]; // biome-ignore format: a table

const commands: readonly (readonly [string, EditorCommand])[] = [
  ["ctrl+y", "yank"], ["alt+y", "yankOlder"], ["ctrl+_", "undo"], ["ctrl+-", "undo"], ["alt+_", "redo"],
  ["ctrl+shift+z", "redo"], ["alt+t", "transpose"], ["alt+a", "selectAll"], ["enter", "submit"],
  ["shift+enter", "newline"], ["alt+enter", "newline"], ["ctrl+enter", "newline"], ["ctrl+j", "newline"],
  ["tab", "complete"],
]; // biome-ignore format: a table

/** Keys that select where they are held down with Shift. */
const selecting = /^(?:(?:(?:ctrl|alt)\+)?(?:left|right)|up|down|(?:ctrl\+)?(?:home|end))$/;
const shifted = (combo: string) => (combo.includes("+") ? combo.replace(/\+([^+]+)$/, "+shift+$1") : `shift+${combo}`);

export const defaultKeymap: Keymap = {
  ...Object.fromEntries(moves.map(([combo, move]) => [combo, { move }])),
  ...Object.fromEntries(
    moves
      .filter(([combo]) => selecting.test(combo))
      .map(([combo, move]) => [shifted(combo), { move, select: true as const }]),
  ),
  ...Object.fromEntries(cuts.map(([combo, cut, keep]) => [combo, { cut, keep }])),
  ...Object.fromEntries(commands.map(([combo, command]) => [combo, { do: command }])),
  "ctrl+t": "none",
};
