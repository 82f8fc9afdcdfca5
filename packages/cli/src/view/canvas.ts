import type { ResultText } from "@pith/agent";
import { plainText, plural } from "@pith/kit";
import { fit, printable, type StyleName, oneLine as squeezed, type Theme } from "@pith/tui/theme";

/** What a view draws on. */
export interface Canvas {
  theme: Theme;
  columns: number;
  /** The most rows one result takes. */
  height: number;
}

/** A result as a view gets it: its text, and its facts in a few words. */
export interface BriefedText extends ResultText {
  readonly brief: string;
}

/** How one kind of result is shown, on every screen. */
export interface View<D> {
  /** The facts in a few words. A kind of a part says them itself (`ResultKind`). */
  brief?(data: D, shown: ResultText): string;
  rows(data: D, shown: BriefedText, canvas: Canvas): string[];
  /** The rows where the brief stands in the head already, and a path; without it, heads say nothing of the result. */
  rest?(data: D, shown: BriefedText, canvas: Canvas, path?: string): string[];
  /** The brief in colours of its own. */
  tinted?(brief: string, theme: Theme): string;
}

/** Text of strangers as lines without their colours: what a terminal would obey is left out or becomes a picture. */
export function linesOf(text: string): string[] {
  const lines = printable(plainText(text)).split("\n");
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines;
}

/** The same as one line. */
export const plainLine = (text: string): string => squeezed(plainText(text));

/** One line as a row: no wider than the canvas, and in a colour if there is one for it. */
export function rowOf(line: string, { theme, columns }: Canvas, token: StyleName = "text"): string {
  return theme.paint(token, fit(line, columns, theme.glyph.ellipsis));
}

/** The first lines, and how many more there are; `all` counts those too that are not here. */
export function head(
  lines: readonly string[],
  canvas: Canvas,
  token?: StyleName,
  all: number = lines.length,
): string[] {
  const { height, theme } = canvas;
  const first = all <= height ? lines : lines.slice(0, height - 1);
  const rows = first.map((line) => rowOf(line, canvas, token));
  if (all <= first.length) return rows;
  return [...rows, rowOf(`${theme.glyph.ellipsis} ${plural(all - first.length, "more line")}`, canvas, "dim")];
}

/** The last lines, and how many came before; `all` counts those too that are not here. */
export function tail(
  lines: readonly string[],
  canvas: Canvas,
  token?: StyleName,
  all: number = lines.length,
  draw = (line: string): string[] => [rowOf(line, canvas, token)],
): string[] {
  const { height, theme } = canvas;
  const last = lines.length <= height && all <= lines.length ? lines : lines.slice(1 - height);
  const rows = last.flatMap(draw);
  if (all <= last.length) return rows;
  return [rowOf(`${theme.glyph.ellipsis} ${plural(all - last.length, "line")} before`, canvas, "dim"), ...rows];
}
