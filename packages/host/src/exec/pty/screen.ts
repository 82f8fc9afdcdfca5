import type { IBufferCell, Terminal } from "@xterm/headless";

/** What a person would see now: rows of text with colours of our own making, and where the cursor is. */
export interface Screen {
  rows: string[];
  cursor: { column: number; row: number };
  /** Whether arrow keys are to be sent in their other form. */
  arrows: "normal" | "application";
}

/**
 * A picture of the virtual terminal. Only characters and colours of its cells get out, so nothing that a program wrote
 * is obeyed by another terminal.
 @internal */
export function terminalScreen(terminal: Terminal): Screen {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => rowOf(terminal, active.viewportY + row));
  return {
    rows,
    cursor: { column: active.cursorX, row: active.cursorY },
    arrows: terminal.modes.applicationCursorKeysMode ? "application" : "normal",
  };
}

/** Everything that is left of what was written, lines that were only wrapped joined again. @internal */
export function terminalText(terminal: Terminal): string {
  const { normal, active } = terminal.buffer;
  const lines: string[] = [];
  for (let y = 0; y < normal.length; y++) {
    const line = normal.getLine(y);
    const text = line?.translateToString(true) ?? "";
    if (line?.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  // A program that was ended in full screen leaves its last picture there.
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
