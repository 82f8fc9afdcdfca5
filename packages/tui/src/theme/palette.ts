import { asciiGlyphs, type ColourLevel, createTheme, type Palette, type Style, type Theme } from "./theme.ts";

/** Styles without colours. They and signs tell all that colours tell, so that `NO_COLOR` loses nothing. */
export const attributes: Palette = {
  title: { bold: true }, heading: { bold: true }, strong: { bold: true }, emphasis: { italic: true },
  struck: { strike: true }, selected: { inverse: true }, match: { underline: true }, focus: { bold: true },
  dim: { dim: true }, error: { bold: true }, addedWord: { underline: true }, removedWord: { strike: true },
  link: { underline: true }, comment: { dim: true },
}; // biome-ignore format: a table

const over = (base: Palette, more: Palette): Palette => {
  const out: Record<string, Style> = { ...base };
  for (const [token, style] of Object.entries(more)) out[token] = { ...out[token], ...style };
  return out;
};

/** Built-in palettes: text has a contrast of 4.5:1 and marks of 3:1 on usual backgrounds, 7:1 in high contrast. */
export const palettes = {
  dark: over(attributes, {
    accent: { fg: 110 }, border: { fg: 243 }, focus: { fg: 110 }, ok: { fg: 108 }, warn: { fg: 179 },
    error: { fg: 203 }, status: { fg: 247 }, added: { fg: 108 }, removed: { fg: 174 }, addedWord: { fg: 194, bg: 22 },
    removedWord: { fg: 224, bg: 52 }, code: { fg: 180 }, quote: { fg: 247, italic: true }, link: { fg: 110 },
    heading: { fg: 110 }, keyword: { fg: 139 }, string: { fg: 108 }, number: { fg: 173 }, type: { fg: 179 },
    function: { fg: 110 }, literal: { fg: 173 }, comment: { fg: 247, dim: undefined }, dim: { fg: 247, dim: undefined },
  }),
  light: over(attributes, {
    accent: { fg: 25 }, border: { fg: 244 }, focus: { fg: 25 }, ok: { fg: 22 }, warn: { fg: 94 }, error: { fg: 124 },
    status: { fg: 242 }, added: { fg: 22 }, removed: { fg: 124 }, addedWord: { fg: 22, bg: 194 },
    removedWord: { fg: 52, bg: 224 }, code: { fg: 94 }, quote: { fg: 242, italic: true }, link: { fg: 25 },
    heading: { fg: 25 }, keyword: { fg: 90 }, string: { fg: 22 }, number: { fg: 94 }, type: { fg: 94 },
    function: { fg: 25 }, literal: { fg: 94 }, comment: { fg: 242, dim: undefined }, dim: { fg: 242, dim: undefined },
  }),
  contrast: over(attributes, {
    dim: { dim: undefined }, accent: { fg: 51, bold: true }, border: { fg: 231 }, focus: { fg: 226, bold: true },
    ok: { fg: 46, bold: true }, warn: { fg: 226, bold: true }, error: { fg: 217, bold: true }, added: { fg: 46 },
    removed: { fg: 217 }, code: { fg: 51 }, link: { fg: 51 }, heading: { fg: 231 }, keyword: { fg: 219 },
    string: { fg: 46 }, number: { fg: 226 }, type: { fg: 226 }, function: { fg: 51 },
    comment: { fg: 252, dim: undefined },
  }),
  contrastLight: over(attributes, {
    dim: { dim: undefined }, accent: { fg: 18, bold: true }, border: { fg: 16 }, focus: { fg: 18, bold: true },
    ok: { fg: 22, bold: true }, warn: { fg: 53, bold: true }, error: { fg: 88, bold: true }, added: { fg: 22 },
    removed: { fg: 88 }, code: { fg: 18 }, link: { fg: 18 }, heading: { fg: 16 }, keyword: { fg: 53 },
    string: { fg: 22 }, number: { fg: 53 }, type: { fg: 53 }, function: { fg: 18 },
    comment: { fg: 236, dim: undefined },
  }),
} satisfies Record<string, Palette>; // biome-ignore format: a table

// Blue and orange differ for every kind of colour vision; signs in the margin say the same again.
const blueAndOrange = {
  dark: {
    added: { fg: 75 }, removed: { fg: 208 }, addedWord: { fg: 195, bg: 24 }, removedWord: { fg: 230, bg: 94 },
    ok: { fg: 75 }, error: { fg: 208 },
  },
  light: {
    added: { fg: 25 }, removed: { fg: 94 }, addedWord: { fg: 16, bg: 153 }, removedWord: { fg: 16, bg: 223 },
    ok: { fg: 25 }, error: { fg: 94 },
  },
  contrast: { added: { fg: 117 }, removed: { fg: 214 }, ok: { fg: 117 }, error: { fg: 214 } },
  contrastLight: { added: { fg: 18 }, removed: { fg: 52 }, ok: { fg: 18 }, error: { fg: 52 } },
} satisfies Record<keyof typeof palettes, Palette>; // biome-ignore format: a table

/** The palette in colours that everybody tells apart. */
export const colourBlind = (name: keyof typeof palettes): Palette => over(palettes[name], blueAndOrange[name]);

export interface ThemeChoice {
  level: ColourLevel;
  palette?: keyof typeof palettes;
  colourBlind?: true;
  reducedMotion?: true;
  ascii?: true;
  links?: boolean;
}

export function builtinTheme(wish: ThemeChoice): Theme {
  const name = wish.palette ?? "dark";
  const coloured = wish.colourBlind ? colourBlind(name) : palettes[name];
  return createTheme({
    level: wish.level,
    palette: wish.level === "none" ? attributes : coloured,
    glyph: wish.ascii ? asciiGlyphs : undefined,
    motion: wish.reducedMotion ? "reduced" : "full",
    links: wish.links,
  });
}

/** The built-in theme for what a terminal can show and its user prefers. */
export const themeFor = (
  can: { colours: ColourLevel; contrast: boolean; unicode: boolean; reducedMotion: boolean; links: boolean },
  wish: Partial<Pick<ThemeChoice, "palette" | "colourBlind">> = {},
): Theme =>
  builtinTheme({
    level: can.colours,
    palette: can.contrast ? (wish.palette === "light" ? "contrastLight" : "contrast") : wish.palette,
    colourBlind: wish.colourBlind,
    ascii: can.unicode ? undefined : true,
    reducedMotion: can.reducedMotion ? true : undefined,
    links: can.links,
  });

export const plainTheme: Theme = createTheme({ level: "none", palette: {}, motion: "reduced", links: false });
