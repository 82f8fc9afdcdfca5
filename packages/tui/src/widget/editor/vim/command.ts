import { lineEnd, lineStart } from "../buffer.ts";
import { forward, joinLines, pasteText, replaceChars, replaceRange, switchCase } from "./change.ts";
import { firstLetter } from "./motion.ts";
import type { VimState } from "./state.ts";

// Commands by their keys; operators, motions and text objects have tables of their own.

type VimCommand = (vim: VimState) => void;

/** Keys that stand for an operator and a motion. */
export const operatorAliases: Record<string, readonly [operator: string, motion: string]> = {
  x: ["d", "l"], delete: ["d", "l"], X: ["d", "h"], D: ["d", "$"], C: ["c", "$"], s: ["c", "l"], S: ["c", "line"],
  Y: ["y", "line"],
}; // biome-ignore format: a table

/** Keys that stand for an operator in visual mode. */
export const visualAliases: Record<string, string> = { x: "d", delete: "d", s: "c", "~": "g~", u: "gu", U: "gU" };

/** The same, for whole lines, wherever the selection ends. */
export const visualLineAliases: Record<string, string> = { X: "d", D: "d", C: "c", S: "c", R: "c", Y: "y" };

export const normalCommands: Record<string, VimCommand> = {
  i: (vim) => vim.insertAt(({ cursor }) => cursor),
  a: (vim) => vim.insertAt((buffer) => forward(buffer, 1)),
  I: (vim) => vim.insertAt(({ text, cursor }) => firstLetter(text, cursor)),
  A: (vim) => vim.insertAt(({ text, cursor }) => lineEnd(text, cursor)),
  o: (vim) => vim.insertAt(({ text, cursor }) => lineEnd(text, cursor), "\n"),
  O: (vim) =>
    vim.apply(({ text, cursor }) => {
      const at = lineStart(text, cursor);
      vim.mode = "insert";
      return { text: `${text.slice(0, at)}\n${text.slice(at)}`, cursor: at };
    }),
  p: paste("after"),
  P: paste("before"),
  J: (vim) => vim.apply((buffer, input) => joinLines(buffer, input, " ")),
  gJ: (vim) => vim.apply((buffer, input) => joinLines(buffer, input, "")),
  "~": (vim) => vim.apply((buffer, { times }) => switchCase(buffer, times)),
  u: ({ input, editor }) => {
    for (let left = input.times; left > 0; left--) editor.undo();
  },
  "ctrl+r": ({ input, editor }) => {
    for (let left = input.times; left > 0; left--) editor.redo();
  },
  ".": ({ input, repeater }) => repeater.repeat(input.count),
};

/** Commands that enter visual mode, change its kind or leave it. */
export const modeCommands: Record<string, VimCommand> = {
  v: (vim) => vim.enterVisual("visual"),
  V: (vim) => vim.enterVisual("visual-line"),
};

export const visualCommands: Record<string, VimCommand> = {
  o: ({ editor }) => {
    const { text, cursor, anchor = cursor } = editor.buffer;
    editor.change({ text, cursor: anchor, anchor: cursor });
  },
  J(vim) {
    const { from, lineCount } = vim.leaveVisual();
    vim.editor.move(from);
    vim.apply((buffer, input) => joinLines(buffer, input, " "), { times: lineCount, count: lineCount });
  },
  p(vim) {
    const held = vim.registers.read(vim.pending.register);
    const range = vim.leaveVisual();
    const { from, to, lines } = range;
    vim.apply(({ text }) => {
      vim.registers.keep(undefined, { text: text.slice(from, to), lines }, "delete");
      return replaceRange(text, range, held);
    });
  },
};

/** `r` and a character. */
export function replaceBy(vim: VimState, char: string): void {
  const range = vim.isVisual ? vim.leaveVisual() : undefined;
  vim.apply((buffer, { times }) => {
    if (!range) return replaceChars(buffer, char, times);
    const replaced = buffer.text.slice(range.from, range.to).replace(/[^\n]/gu, char);
    return { text: buffer.text.slice(0, range.from) + replaced + buffer.text.slice(range.to), cursor: range.from };
  });
}

function paste(side: "before" | "after"): VimCommand {
  return (vim) =>
    vim.apply((buffer, { times }) => pasteText(buffer, vim.registers.read(vim.pending.register), side, times));
}
