import type { VirtualTerminal } from "../../packages/tui/src/test/virtual-terminal.ts";

type Terminal = VirtualTerminal["raw"];
type Cell = NonNullable<ReturnType<NonNullable<ReturnType<Terminal["buffer"]["active"]["getLine"]>>["getCell"]>>;

const cell = { wide: 8.4, high: 18 };
const grounds = { dark: { bg: "#1e1e1e", fg: "#d4d4d4" }, light: { bg: "#ffffff", fg: "#24292f" } };

interface Run {
  at: number;
  text: string;
  /** Columns it takes: two for a wide character, none for a combining one. */
  cells: number;
  style: string;
  bg: string | undefined;
}

/** Draws the screen of a terminal. Text stays text, so that the picture is small and can be searched. */
export function svgOf(terminal: Terminal, ground: keyof typeof grounds): string {
  const rows = Array.from({ length: terminal.rows }, (_, row) => drawRow(terminal, row, ground, top + row * cell.high));
  return framed(terminal, ground, rows.filter(Boolean).join("\n"));
}

/** A state of the screen, and how long it stays. */
export interface Frame {
  rows: string[];
  ms: number;
}

export const frameOf = (terminal: Terminal, ground: keyof typeof grounds, ms: number): Frame => ({
  rows: Array.from({ length: terminal.rows }, (_, row) => drawRow(terminal, row, ground, 0)),
  ms,
});

/** Plays frames for ever. A row that several frames show stands in the file once. */
export function animationOf(terminal: Terminal, ground: keyof typeof grounds, frames: readonly Frame[]): string {
  const known = new Map<string, number>();
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  let passed = 0;
  const shown = frames.map(({ rows, ms }, index) => {
    const used = rows.flatMap((row, at) => {
      if (row === "") return [];
      if (!known.has(row)) known.set(row, known.size);
      return [`<use href="#r${known.get(row)}" y="${top + at * cell.high}"/>`];
    });
    const [from, to] = [passed, passed + ms].map((time) => `${((time / total) * 100).toFixed(2)}%`);
    passed += ms;
    const begins = index > 0 ? "0%{opacity:0}" : "";
    const ends = index < frames.length - 1 ? `${to}{opacity:0}` : "";
    const frame = `@keyframes f${index}{${begins}${from}{opacity:1}${ends}}`;
    const style = `${frame}.f${index}{opacity:0;animation:f${index} ${total}ms step-end infinite}`;
    return { style, group: `<g class="f${index}">${used.join("")}</g>` };
  });
  const rows = [...known].map(([row, id]) => `<g id="r${id}">${row}</g>`);
  const content = [
    `<style>${shown.map(({ style }) => style).join("\n")}</style>`,
    `<defs>${rows.join("\n")}</defs>`,
    ...shown.map(({ group }) => group),
  ];
  return framed(terminal, ground, content.join("\n"));
}

const top = 12;

function framed({ cols, rows }: Terminal, ground: keyof typeof grounds, content: string): string {
  const [wide, high] = [cols * cell.wide + 24, rows * cell.high + 24];
  const { bg, fg } = grounds[ground];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}">
<rect width="100%" height="100%" rx="8" fill="${bg}"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', monospace" font-size="14" fill="${fg}">
${content}
</g></svg>
`;
}

function drawRow(terminal: Terminal, row: number, ground: keyof typeof grounds, y: number): string {
  const out: string[] = [];
  for (const { at, text, cells, style, bg } of runsOf(terminal, terminal.buffer.active.baseY + row, ground)) {
    const x = 12 + at * cell.wide;
    const length = cells * cell.wide;
    if (bg)
      out.push(`<rect x="${x.toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="${cell.high}" fill="${bg}"/>`);
    // SVG would drop blanks at the ends and stretch the rest.
    const word = text.trim();
    const blanks = text.length - word.length;
    if (word === "") continue;
    const [start, width] = [x + text.search(/\S/) * cell.wide, (cells - blanks) * cell.wide];
    const place = `x="${start.toFixed(1)}" y="${y + 13.5}" textLength="${width.toFixed(1)}"`;
    out.push(`<text ${place} ${style}>${escaped(word)}</text>`);
  }
  return out.join("\n");
}

function runsOf(terminal: Terminal, line: number, ground: keyof typeof grounds): Run[] {
  const cells = terminal.buffer.active.getLine(line);
  const runs: Run[] = [];
  for (let at = 0; cells && at < terminal.cols; at++) {
    const one = cells.getCell(at);
    if (!one || one.getWidth() === 0) continue;
    const { style, bg } = lookOf(one, ground);
    const last = runs.at(-1);
    const text = one.getChars() || " ";
    if (last && last.style === style && last.bg === bg) {
      last.text += text;
      last.cells += one.getWidth();
    } else runs.push({ at, text, cells: one.getWidth(), style, bg });
  }
  return runs;
}

/** Style and background of a cell. */
function lookOf(one: Cell, ground: keyof typeof grounds): Pick<Run, "style" | "bg"> {
  const own = {
    fg: colour(one.isFgRGB(), one.isFgPalette(), one.getFgColor()),
    bg: colour(one.isBgRGB(), one.isBgPalette(), one.getBgColor()),
  };
  const { bg: paper, fg: ink } = grounds[ground];
  const { fg, bg } = one.isInverse() ? { fg: own.bg ?? paper, bg: own.fg ?? ink } : own;
  const parts = [
    fg && `fill="${fg}"`,
    one.isBold() && 'font-weight="bold"',
    one.isItalic() && 'font-style="italic"',
    one.isUnderline() && 'text-decoration="underline"',
    one.isDim() && 'opacity="0.7"',
  ];
  return { style: parts.filter(Boolean).join(" "), bg };
}

function colour(rgb: boolean, palette: boolean, value: number): string | undefined {
  if (rgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (!palette) return undefined;
  if (value >= 232) return `rgb(${[1, 2, 3].map(() => 8 + 10 * (value - 232)).join()})`;
  if (value < 16) return ["#000", "#c33", "#3a3", "#a80", "#36c", "#a3a", "#3aa", "#bbb"][value % 8];
  const cube = value - 16;
  const levels = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return `rgb(${levels.map((level) => level && 55 + 40 * level).join()})`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(" ", "\u00a0");
