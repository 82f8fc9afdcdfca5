import {
  asciiGlyphs,
  attributes,
  type Colour,
  type ColourLevel,
  createTheme,
  type Glyphs,
  nerdGlyphs,
  type Palette,
  type Style,
  strip,
  type Theme,
  unicodeGlyphs,
  width,
} from "@pith/tui/theme";
import { colourBlindSafe, contrast, tinted } from "./colour.ts";
import type { Symbols, ThemeData } from "./theme.ts";
import { tokenRows } from "./token.ts";

/** The abilities of a terminal and the wishes of its user that a theme is made for. */
export interface Wish {
  level: ColourLevel;
  /** The symbols of the setting; the theme's own when it is not set. */
  symbols: Symbols | undefined;
  unicode: boolean;
  colourBlind: boolean;
  reducedMotion: boolean;
  links: boolean;
}

/** Makes a theme to paint with. */
export function themeFrom(
  data: ThemeData,
  { level, symbols, unicode, colourBlind, reducedMotion, links }: Wish,
): Theme {
  return createTheme({
    level,
    palette: level === "none" ? attributes : paletteOf(data, colourBlind ? "apart" : "as it is", level),
    glyph: glyphsOf(data, unicode ? symbols : "ascii"),
    motion: reducedMotion ? "reduced" : "full",
    links,
  });
}

/** Bold and underline stay what they are; colours come from the theme, and those of the engine that it does not name from what is like them. */
export function paletteOf({ colors }: ThemeData, hues: "as it is" | "apart", level: ColourLevel = "true"): Palette {
  const out: Record<string, Style> = { ...attributes };
  const set = (token: string, style: Style) => {
    const { dim: _, ...kept } = out[token] ?? {};
    out[token] = { ...kept, ...style };
  };
  for (const [name, paints, side = "fg"] of tokenRows) {
    const given = colors[name as keyof typeof colors];
    // Users change the sixteen colours, so none is a background on which a text can surely be read.
    if (given === undefined || (level === "16" && side === "bg")) continue;
    set(paints, { [side]: hues === "apart" ? colourBlindSafe(given) : given });
  }
  if (level === "16") {
    out.user = {};
    out.note = {};
  }
  const ink = colors.userMessageText;
  if (out.selected?.bg !== undefined) {
    const { inverse: _, ...selected } = out.selected;
    out.selected = ink === undefined ? selected : { ...selected, fg: ink };
  }
  for (const token of ["toolPending", "toolSuccess", "toolError", "statusBar"])
    if (ink !== undefined && out[token]?.bg !== undefined && out[token]?.fg === undefined) set(token, { fg: ink });
  const [added, removed] = [out.added?.fg, out.removed?.fg];
  // Changed words of a line have a background; without one they are marked by their attribute.
  const word = (fg: Colour, ground: Style | undefined, marked: Style | undefined): Style =>
    ground?.bg === undefined || contrast(fg, ground.bg) < 4.5 ? { ...marked, fg } : { fg, bg: ground.bg };
  const calm = out.toolSuccess?.bg === out.toolPending?.bg ? out.toolPending?.bg : undefined;
  const well = calm !== undefined && added !== undefined ? { bg: tinted(calm, added) } : out.toolSuccess;
  if (added !== undefined) out.addedWord = word(added, well, out.addedWord);
  if (removed !== undefined) out.removedWord = word(removed, out.toolError, out.removedWord);
  set("literal", out.number ?? {});
  set("status", { fg: out.dim?.fg });
  return out;
}

const presets: Record<Symbols, Glyphs> = { unicode: unicodeGlyphs, nerd: nerdGlyphs, ascii: asciiGlyphs };

/** True for a short sign without anything that a terminal would obey. */
const isSign = (text: string): boolean =>
  text !== "" && strip(text) === text && !/\p{C}/u.test(text.replace(/\p{Co}/gu, "")) && width(text) <= 3;

function glyphsOf({ symbols }: ThemeData, wanted: Symbols | undefined): Glyphs {
  const base = presets[wanted ?? symbols.preset ?? "unicode"];
  const own = Object.entries(symbols.overrides).filter(
    ([key, value]) => key !== "box" && key !== "spinner" && Object.hasOwn(base, key) && isSign(value),
  );
  const frames = symbols.spinner?.every(isSign) ? symbols.spinner : undefined;
  return { ...base, ...Object.fromEntries(own), ...(frames ? { spinner: frames } : {}) };
}
