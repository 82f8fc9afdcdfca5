import { cursorMark } from "../../screen/frame.ts";
import { oneLine } from "../../text/clean.ts";
import { fit, pad, width } from "../../text/width.ts";
import type { StyleName, Theme } from "../../theme/theme.ts";
import { selection, step, type TextBuffer } from "./buffer.ts";
import type { Completions } from "./complete.ts";
import { type LayoutLine, visibleText } from "./layout.ts";

export interface EditorPicture {
  theme: Theme;
  buffer: TextBuffer;
  lines: readonly LayoutLine[];
  at: { row: number; column: number };
  atoms: readonly (readonly [number, number])[];
  width: number;
  scroll: number;
  rows: number;
  focused: boolean;
  cursor: "hardware" | "drawn";
  placeholder: string;
  frame: "rules" | "none";
  top: string;
  rule: StyleName;
  completions?: Completions;
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

function rule({ theme, width: columns, rule: token }: EditorPicture, left: string, right: string): string {
  const { h } = theme.glyph.box;
  const start = left === "" ? "" : `${h}${h} ${left} `;
  const end = right === "" ? "" : ` ${right} ${h}${h}`;
  const gap = columns - width(start) - width(end);
  return gap < 0 ? theme.paint(token, h.repeat(columns)) : theme.paint(token, start + h.repeat(gap) + end);
}

function textRow(picture: EditorPicture, line: LayoutLine, row: number): string {
  const { theme, buffer, at, focused, cursor, placeholder } = picture;
  const prompt = row === 0 ? theme.paint(picture.rule, `${theme.glyph.pointer} `) : "  ";
  const here = focused && row === at.row;
  if (buffer.text === "" && placeholder !== "")
    return prompt + (here ? mark(cursor, "") : "") + theme.paint("dim", fit(oneLine(placeholder), picture.width - 3));
  if (!here) return prompt + styled(picture, line.from, line.to);
  const next = buffer.cursor >= line.to ? buffer.cursor : step(buffer.text, buffer.cursor, 1);
  const under = buffer.text.slice(buffer.cursor, next);
  if (cursor === "hardware")
    return prompt + styled(picture, line.from, buffer.cursor) + cursorMark + styled(picture, buffer.cursor, line.to);
  return prompt + styled(picture, line.from, buffer.cursor) + mark("drawn", under) + styled(picture, next, line.to);
}

const mark = (cursor: "hardware" | "drawn", under: string) =>
  cursor === "hardware"
    ? cursorMark
    : `${cursorMark}\x1b[7m${under === "" || under === "\n" ? " " : visibleText(under)}\x1b[27m`;

// Selection and folded pieces are the two things that colour the text.
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
