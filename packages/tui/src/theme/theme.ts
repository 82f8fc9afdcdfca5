// A `Theme` is made once, from what the terminal can show and what the user wants, and handed to every view.

export type ColourLevel = "none" | "16" | "256" | "true";
/** A palette index or `#rrggbb`. */
export type Colour = number | `#${string}`;
export interface Style {
  readonly fg?: Colour;
  readonly bg?: Colour;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
  readonly strike?: true;
}

export const styleNames = [
  "text", "dim", "accent", "title", "border", "focus", "ok", "warn", "error", "selected", "match", "status",
  "added", "removed", "addedWord", "removedWord", "code", "codeBlock", "link", "quote", "heading", "strong", "emphasis",
  "struck",
  "keyword", "string", "number", "comment", "type", "function", "literal", "variable", "operator", "punctuation",
  "context", "linkUrl", "codeBorder", "quoteBorder", "rule", "bullet", "faint", "borderMuted",
  "thinking", "user", "note", "noteLabel", "toolPending", "toolSuccess", "toolError", "toolTitle", "toolOutput",
  "effortOff", "effortMinimal", "effortLow", "effortMedium", "effortHigh", "effortXhigh", "shell", "kernel",
  "statusBar", "statusSep", "statusModel", "statusPath", "statusGitClean", "statusGitDirty", "statusContext",
  "statusSpend", "statusStaged", "statusDirty", "statusUntracked", "statusOutput", "statusCost", "statusAgents",
] as const; // biome-ignore format: a table
export type StyleName = (typeof styleNames)[number];
export type Palette = Readonly<Partial<Record<StyleName, Style>>>;

export interface Theme {
  paint(token: StyleName, text: string): string;
  readonly glyph: Glyphs;
  /** Reduced: nothing moves by itself. */
  readonly motion: "full" | "reduced";
  readonly links: boolean;
}

type BoxPart = "tl" | "tr" | "bl" | "br" | "h" | "v" | "left" | "right" | "top" | "bottom" | "cross";
type Glyph = "bullet" | "pointer" | "checked" | "unchecked" | "open" | "closed" | "bar" | "track" | "ellipsis";

export interface Glyphs extends Readonly<Record<Glyph | "ok" | "bad", string>> {
  readonly box: Readonly<Record<BoxPart, string>>;
  readonly spinner: readonly string[];
}

export const unicodeGlyphs: Glyphs = {
  box: { tl: "╭", tr: "╮", bl: "╰", br: "╯", h: "─", v: "│", left: "├", right: "┤", top: "┬", bottom: "┴", cross: "┼" },
  bullet: "•", pointer: "❯", checked: "◉", unchecked: "◯", open: "▾", closed: "▸", bar: "█", track: "░", ellipsis: "…",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], ok: "✓", bad: "✗",
}; // biome-ignore format: a table

export const asciiGlyphs: Glyphs = {
  box: { tl: "+", tr: "+", bl: "+", br: "+", h: "-", v: "|", left: "+", right: "+", top: "+", bottom: "+", cross: "+" },
  bullet: "*", pointer: ">", checked: "[x]", unchecked: "[ ]", open: "v", closed: ">", bar: "#", track: ".",
  ellipsis: "...",
  spinner: ["|", "/", "-", "\\"], ok: "ok", bad: "x",
}; // biome-ignore format: a table

/** Glyphs for fonts that have the symbols of Nerd Fonts; boxes and lines are the same. */
export const nerdGlyphs: Glyphs = {
  ...unicodeGlyphs,
  bullet: "\uf444", pointer: "\uf054", checked: "\uf14a", unchecked: "\uf096", open: "\uf0d7", closed: "\uf0da",
  ok: "\uf00c", bad: "\uf00d",
}; // biome-ignore format: a table

export interface ThemeOptions {
  level: ColourLevel;
  palette: Palette;
  glyph?: Glyphs;
  motion?: Theme["motion"];
  links?: boolean;
}

export function createTheme({ level, palette, ...look }: ThemeOptions): Theme {
  const { glyph = unicodeGlyphs, motion = "full", links = true } = look;
  const pens = new Map(styleNames.map((token) => [token, pen(palette[token] ?? {}, level)]));
  const paint = (token: StyleName, text: string) => pens.get(token)?.(text) ?? text;
  return { paint, glyph, motion, links };
}

/** A function that puts a style around a text; styles may nest. */
export function pen(style: Style, level: ColourLevel): (text: string) => string {
  const on: string[] = [];
  const off: string[] = [];
  const add = (open: string | undefined, close: string) => {
    if (open === undefined) return;
    on.push(open);
    if (!off.includes(close)) off.push(close);
  };
  add(style.bold && "1", "22");
  add(style.dim && "2", "22");
  add(style.italic && "3", "23");
  add(style.underline && "4", "24");
  add(style.inverse && "7", "27");
  add(style.strike && "9", "29");
  add(colourCode(style.fg, level, 30), "39");
  add(colourCode(style.bg, level, 40), "49");
  if (on.length === 0) return (text) => text;
  const open = `\x1b[${on.join(";")}m`;
  const close = `\x1b[${off.join(";")}m`;
  // A nested style closes what has to be open for the rest of the text.
  const reopen = new RegExp(`\\x1b\\[(?:${off.join("|")}|0)?(?:;(?:\\d+))*m`, "g");
  const kept = (text: string) => text.replace(reopen, (code) => (closes(code, off) ? code + open : code));
  return (text) => (text === "" ? "" : `${open}${text.includes("\x1b[") ? kept(text) : text}${close}`);
}

const closes = (code: string, off: readonly string[]) =>
  code
    .slice(2, -1)
    .split(";")
    .some((part) => part === "" || part === "0" || off.includes(part));

function colourCode(colour: Colour | undefined, level: ColourLevel, base: 30 | 40): string | undefined {
  if (colour === undefined || level === "none") return undefined;
  const index = typeof colour === "number" ? colour : level === "true" ? undefined : nearest256(colour);
  if (index === undefined) return `${base + 8};2;${rgb(colour as string).join(";")}`;
  if (index < 8) return `${base + index}`;
  if (index < 16) return `${base + 60 + index - 8}`;
  return level === "16" ? basic(index, base) : `${base + 8};5;${index}`;
}

const rgb = (hex: string): [number, number, number] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) || 0) as [number, number, number];

/** The nearest of the 240 fixed colours. A dark colour stays as dark, so that it can be read on a light one. */
export function nearest256(hex: string): number {
  const wanted = rgb(hex);
  const light = lightOf(wanted);
  let best = 16;
  let least = Number.POSITIVE_INFINITY;
  for (const { index, colour, light: its } of fixed()) {
    if (light < 0.2 && its > light * 1.02) continue;
    const [r, g, b] = [colour[0] - wanted[0], colour[1] - wanted[1], colour[2] - wanted[2]];
    const far = r * r + g * g + b * b;
    if (far >= least) continue;
    least = far;
    best = index;
  }
  return best;
}

type Rgb = readonly [number, number, number];

const lightOf = ([r, g, b]: Rgb): number =>
  0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2 + 0.0722 * (b / 255) ** 2.2;

const levels = [0, 95, 135, 175, 215, 255];
let fixedColours: readonly { index: number; colour: Rgb; light: number }[] | undefined;
/** The fixed colours, a cube and a row of greys; made when they are first needed. */
function fixed(): NonNullable<typeof fixedColours> {
  fixedColours ??= Array.from({ length: 240 }, (_, at) => {
    const grey = 8 + 10 * (at - 216);
    const channel = (step: number) => (at < 216 ? (levels[Math.floor(at / step) % 6] ?? 0) : grey);
    const colour: Rgb = [channel(36), channel(6), channel(1)];
    return { index: 16 + at, colour, light: lightOf(colour) };
  });
  return fixedColours;
}

/** A colour of the cube as one of the sixteen: the strongest channels decide, brightness picks the row. */
function basic(index: number, base: 30 | 40): string {
  if (index >= 232) return `${base + (index >= 250 ? 67 : index >= 240 ? 60 : 0)}`;
  const cube = index - 16;
  const channels = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  const top = Math.max(...channels);
  if (top === 0) return `${base}`;
  const bits = channels.reduce((sum, value, at) => sum + (value > top * 0.7 ? 1 << at : 0), 0);
  return `${base + (top >= 4 ? 60 : 0) + bits}`;
}
