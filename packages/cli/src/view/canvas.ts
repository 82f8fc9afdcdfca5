import type { ResultText } from "@pith/agent";
import { plainText, plural } from "@pith/kit";
import { fit, type Highlighter, printable, type StyleName, oneLine as squeezed, type Theme } from "@pith/tui/theme";

/** The colours and the size that a view draws with. */
export interface Canvas {
  theme: Theme;
  columns: number;
  /** Rows that one result takes at most. */
  height: number;
  /** Colours code; left out where nobody sees colours. */
  code?: Highlighter | undefined;
}

/** A result as a view gets it: its text, and its facts in a few words. */
export interface BriefedText extends ResultText {
  readonly brief: string;
}

/** Shows one kind of result, on every screen. */
export interface View<D> {
  /** The facts in a few words. A kind of a part says them itself (`ResultKind`). */
  brief?(data: D, shown: ResultText): string;
  rows(data: D, shown: BriefedText, canvas: Canvas): string[];
  /** The rows below a head that has the brief and a path already; without it, heads have neither. */
  rest?(data: D, shown: BriefedText, canvas: Canvas, path?: string): string[];
  /** Paints the brief in colours of its own. */
  tinted?(brief: string, theme: Theme): string;
}

/** Lines of a stranger's text, without colours and anything that a terminal would obey. */
export function linesOf(text: string): string[] {
  const lines = printable(plainText(text)).split("\n");
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines;
}

/** A stranger's text as one line. */
export const plainLine = (text: string): string => squeezed(plainText(text));

/** The beginning of a text in one line, without the commonest signs of Markdown. */
export const unmarked = (text: string): string =>
  text
    .slice(0, 2000)
    .replace(/(^|\s)#{1,6}\s+/g, "$1")
    .replace(/```\w*|`+|\*\*|__/g, "");

/** Fits one line into the canvas, in a colour. */
export function rowOf(line: string, { theme, columns }: Canvas, token: StyleName = "text"): string {
  return theme.paint(token, fit(line, columns, theme.glyph.ellipsis));
}

/** The first lines, and a row that counts the others; `all` counts lines that are not here too. */
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

/** The last lines, below a row that counts the others; `all` counts lines that are not here too. */
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

/** Shows a kind by its brief, and by rows of its own below it. */
export const briefed = <D>(brief: View<D>["brief"], body: NonNullable<View<D>["rest"]>): View<D> => ({
  brief,
  rows: (data, shown, canvas) => [rowOf(plainLine(shown.brief), canvas, "dim"), ...body(data, shown, canvas)],
  rest: body,
});
