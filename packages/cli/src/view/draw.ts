import { plainText, plural } from "@pith/kit";
import type { Theme } from "../theme/theme.ts";

/** What a view draws with. */
export interface Draw {
  theme: Theme;
  /** Columns of the terminal. */
  width: number;
  /** The most lines one result takes. */
  lines: number;
}

/** The text of a result and whether it failed; a view shows it in its own way. */
export interface Shown {
  text: string;
  failed: boolean;
}

/** One view per kind: from data to lines. */
export type View<D> = (data: D, shown: Shown, draw: Draw) => string[];

/** Text as lines that a terminal can show: no control characters, tabs as spaces, nothing wider than the screen. */
export function linesOf(text: string, draw: Draw): string[] {
  const lines = plainText(text).split("\n");
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines.map((line) => fit(line.replaceAll("\t", "    "), draw.width));
}

export function fit(line: string, width: number): string {
  if (Bun.stringWidth(line) <= width) return line;
  const room = Math.max(1, width - 1);
  const cut = Bun.sliceAnsi(line, 0, room);
  // A wide character across the border is kept whole by the cut; then there is no room for it.
  return `${Bun.stringWidth(cut) > room ? Bun.sliceAnsi(line, 0, room - 1) : cut}…`;
}

/** The first lines, and how many more there are. */
export function head(lines: readonly string[], draw: Draw): string[] {
  if (lines.length <= draw.lines) return [...lines];
  return [...lines.slice(0, draw.lines - 1), draw.theme.dim(`… ${plural(lines.length - draw.lines + 1, "more line")}`)];
}

/** The last lines, and how many came before; `all` counts those too that are not here. */
export function tail(lines: readonly string[], draw: Draw, all: number = lines.length): string[] {
  const shown = lines.length <= draw.lines && all <= lines.length ? lines : lines.slice(1 - draw.lines);
  return shown.length >= all
    ? [...shown]
    : [draw.theme.dim(`… ${plural(all - shown.length, "line")} before`), ...shown];
}
