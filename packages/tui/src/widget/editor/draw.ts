import { cursorMark } from "../../screen/frame.ts";
import { oneLine } from "../../text/clean.ts";
import { fit, pad, width } from "../../text/width.ts";
import type { StyleName, Theme } from "../../theme/theme.ts";
import { selection, step, type TextBuffer } from "./buffer.ts";
import type { Completions } from "./complete.ts";
import { type LayoutLine, visibleText } from "./layout.ts";
import type { EditorRows } from "./viewport.ts";

export interface EditorPicture extends EditorRows {
  editor: { readonly focused: boolean; readonly placeholder: string; readonly rule: StyleName };
  theme: Theme;
  buffer: TextBuffer;
  atoms: readonly (readonly [number, number])[];
  width: number;
  cursor: "hardware" | "drawn";
  frame: "rules" | "none";
  top: string;
  completions: Completions | undefined;
}

export function drawEditor(picture: EditorPicture): string[] {
  const { theme, lines, scroll, rows, frame } = picture;
  const body = lines.slice(scroll, scroll + rows).map((line, at) => textRow(picture, line, scroll + at));
  const hidden = lines.length - scroll - rows;
  const out =
    frame === "none"
      ? body
      : [
          rule(picture, oneLine(picture.top), scroll > 0 ? `${scroll} above` : ""),
          ...body,
          rule(picture, "", hidden > 0 ? `${hidden} below` : ""),
        ];
  return picture.completions ? [...out, ...suggestions(theme, picture.completions, picture.width)] : out;
}

function rule({ theme, width: columns, editor }: EditorPicture, left: string, right: string): string {
  const { h } = theme.glyph.box;
  const start = left === "" ? "" : `${h}${h} ${left} `;
  const end = right === "" ? "" : ` ${right} ${h}${h}`;
  const gap = columns - width(start) - width(end);
  return theme.paint(editor.rule, gap < 0 ? h.repeat(columns) : start + h.repeat(gap) + end);
}

function textRow(picture: EditorPicture, line: LayoutLine, row: number): string {
  const { theme, buffer, at, cursor, width: columns } = picture;
  const { focused, placeholder, rule } = picture.editor;
  const prompt = row === 0 ? theme.paint(rule, `${theme.glyph.pointer} `) : "  ";
  const here = focused && row === at.row;
  if (buffer.text === "" && placeholder !== "")
    return prompt + (here ? mark(cursor, "") : "") + theme.paint("dim", fit(oneLine(placeholder), columns - 3));
  if (!here) return prompt + styled(picture, line.from, line.to);
  const next = buffer.cursor >= line.to ? buffer.cursor : step(buffer.text, buffer.cursor, 1);
  const rest = styled(picture, cursor === "hardware" ? buffer.cursor : next, line.to);
  return (
    prompt + styled(picture, line.from, buffer.cursor) + mark(cursor, buffer.text.slice(buffer.cursor, next)) + rest
  );
}

const mark = (cursor: "hardware" | "drawn", under: string) =>
  cursor === "hardware"
    ? cursorMark
    : `${cursorMark}\x1b[7m${under === "" || under === "\n" ? " " : visibleText(under)}\x1b[27m`;

/** Part of the text, with the selection and the marks of folds in their colours. */
function styled({ theme, buffer, atoms }: EditorPicture, from: number, to: number): string {
  const chosen = selection(buffer);
  const edges = [
    ...new Set([from, to, ...[...(chosen ?? []), ...atoms.flat()].filter((edge) => edge > from && edge < to)]),
  ].sort((a, b) => a - b);
  let out = "";
  for (let at = 0; at + 1 < edges.length; at++) {
    const [start = 0, end = 0] = [edges[at], edges[at + 1]];
    const text = visibleText(buffer.text.slice(start, end));
    if (chosen && start >= chosen[0] && end <= chosen[1]) out += theme.paint("selected", text);
    else out += atoms.some(([low, high]) => start >= low && end <= high) ? theme.paint("accent", text) : text;
  }
  return out;
}

const shownItems = 8;
function suggestions(theme: Theme, completions: Completions, columns: number): string[] {
  const { items, chosen } = completions;
  const first = Math.max(0, Math.min(chosen - (shownItems >> 1), items.length - shownItems));
  const visible = items.slice(first, first + shownItems);
  const wide = Math.min(Math.max(...visible.map((item) => width(oneLine(item.label)))), Math.floor(columns * 0.6));
  const rows = visible.map((item, at) => {
    const current = first + at === chosen;
    const pointer = current ? theme.glyph.pointer : " ";
    const text = `${pointer} ${pad(oneLine(item.label), wide)}  ${oneLine(item.detail ?? "")}`;
    return theme.paint(current ? "accent" : "dim", fit(text.trimEnd(), columns));
  });
  return items.length > shownItems
    ? [...rows, theme.paint("dim", fit(`  ${chosen + 1}/${items.length}`, columns))]
    : rows;
}
