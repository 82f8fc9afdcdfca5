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
  const { cols, rows, buffer } = terminal;
  const [wide, high] = [cols * cell.wide + 24, rows * cell.high + 24];
  const out: string[] = [];
  for (let row = 0; row < rows; row++) {
    const y = 12 + row * cell.high;
    for (const { at, text, cells, style, bg } of runsOf(terminal, buffer.active.baseY + row, ground)) {
      const x = 12 + at * cell.wide;
      const length = cells * cell.wide;
      if (bg)
        out.push(
          `<rect x="${x.toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="${cell.high}" fill="${bg}"/>`,
        );
      // SVG would drop blanks at the ends and stretch the rest.
      const word = text.trim();
      const blanks = text.length - word.length;
      if (word !== "")
        out.push(
          `<text x="${(x + text.search(/\S/) * cell.wide).toFixed(1)}" y="${y + 13.5}" textLength="${((cells - blanks) * cell.wide).toFixed(1)}" ${style}>${escaped(word)}</text>`,
        );
    }
  }
  const { bg, fg } = grounds[ground];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}">
<rect width="100%" height="100%" rx="8" fill="${bg}"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', monospace" font-size="14" fill="${fg}">
${out.join("\n")}
</g></svg>
`;
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
