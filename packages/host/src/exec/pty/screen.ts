import type { IBufferCell, Terminal } from "@xterm/headless";

/** The screen as a person sees it: rows of text with colours of our own making, and the cursor. */
export interface Screen {
  rows: string[];
  cursor: { column: number; row: number };
  /** The form in which arrow keys are sent. */
  arrows: "normal" | "application";
}

/**
 * The screen of a virtual terminal. Only characters and colours of its cells get out, so no sequence of a program
 * reaches another terminal. @internal
 */
export function terminalScreen(terminal: Terminal): Screen {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => rowOf(terminal, active.viewportY + row));
  return {
    rows,
    cursor: { column: active.cursorX, row: active.cursorY },
    arrows: terminal.modes.applicationCursorKeysMode ? "application" : "normal",
  };
}

/** All text that the terminal still has, with wrapped lines joined again. @internal */
export function terminalText(terminal: Terminal): string {
  const { normal, active } = terminal.buffer;
  const lines: string[] = [];
  for (let y = 0; y < normal.length; y++) {
    const line = normal.getLine(y);
    const text = line?.translateToString(true) ?? "";
    if (line?.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  // A program that was ended in full screen leaves its last screen there.
  if (active.type === "alternate")
    for (let y = 0; y < active.length; y++) lines.push(active.getLine(y)?.translateToString(true) ?? "");
  return lines.join("\n").trimEnd();
}

function rowOf(terminal: Terminal, y: number): string {
  const line = terminal.buffer.active.getLine(y);
  if (!line) return "";
  let out = "";
  let style = "";
  for (let x = 0; x < terminal.cols; x++) {
    const cell = line.getCell(x);
    if (!cell || cell.getWidth() === 0) continue;
    const next = styleOf(cell);
    if (next !== style) out += `\x1b[0${next}m`;
    style = next;
    out += cell.getChars() || " ";
  }
  return style === "" ? out.trimEnd() : `${out}\x1b[0m`;
}

function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return "";
  const on = [
    [cell.isBold(), 1],
    [cell.isDim(), 2],
    [cell.isItalic(), 3],
    [cell.isUnderline(), 4],
    [cell.isInverse(), 7],
    [cell.isStrikethrough(), 9],
  ] as const;
  const fore = cell.isFgDefault() ? "" : colour(38, cell.isFgRGB(), cell.getFgColor());
  const back = cell.isBgDefault() ? "" : colour(48, cell.isBgRGB(), cell.getBgColor());
  return `${on.flatMap(([set, code]) => (set ? [`;${code}`] : [])).join("")}${fore}${back}`;
}

const colour = (base: 38 | 48, rgb: boolean, value: number): string =>
  rgb ? `;${base};2;${(value >> 16) & 255};${(value >> 8) & 255};${value & 255}` : `;${base};5;${value}`;
