import { asciiGlyphs, type ColourLevel, createLook, type Look, type Palette, type Style } from "./style.ts";

// Built-in palettes. Everything that is told by colour is also told by a sign or an attribute, so that `NO_COLOR`
// loses nothing.
const attributes: Palette = {
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

export const palettes = {
  dark: over(attributes, {
    accent: { fg: 110 }, border: { fg: 240 }, focus: { fg: 110 }, ok: { fg: 108 }, warn: { fg: 179 },
    error: { fg: 167 }, status: { fg: 245 }, added: { fg: 108 }, removed: { fg: 174 }, addedWord: { bg: 22 },
    removedWord: { bg: 52 }, code: { fg: 180 }, quote: { fg: 245, italic: true }, link: { fg: 110 },
    heading: { fg: 110 }, keyword: { fg: 139 }, string: { fg: 108 }, number: { fg: 173 }, type: { fg: 179 },
    function: { fg: 110 }, literal: { fg: 173 }, comment: { fg: 244, dim: undefined },
  }),
  light: over(attributes, {
    accent: { fg: 25 }, border: { fg: 249 }, focus: { fg: 25 }, ok: { fg: 28 }, warn: { fg: 130 }, error: { fg: 124 },
    status: { fg: 242 }, added: { fg: 28 }, removed: { fg: 124 }, addedWord: { bg: 194 }, removedWord: { bg: 224 },
    code: { fg: 94 }, quote: { fg: 242, italic: true }, link: { fg: 25 }, heading: { fg: 25 }, keyword: { fg: 90 },
    string: { fg: 28 }, number: { fg: 130 }, type: { fg: 94 }, function: { fg: 25 }, literal: { fg: 130 },
    comment: { fg: 243, dim: undefined },
  }),
  contrast: over(attributes, {
    dim: { dim: undefined }, accent: { fg: 14, bold: true }, border: { fg: 15 }, focus: { fg: 11, bold: true },
    ok: { fg: 10, bold: true }, warn: { fg: 11, bold: true }, error: { fg: 9, bold: true }, added: { fg: 10 },
    removed: { fg: 9 }, code: { fg: 14 }, link: { fg: 14 }, heading: { fg: 15 }, keyword: { fg: 13 },
    string: { fg: 10 }, number: { fg: 11 }, type: { fg: 11 }, function: { fg: 14 }, comment: { fg: 7, dim: undefined },
  }),
} satisfies Record<string, Palette>; // biome-ignore format: a table

// Blue and orange differ for every kind of colour vision; signs in the margin say the same again.
const blueAndOrange = {
  onDark: {
    added: { fg: 75 },
    removed: { fg: 208 },
    addedWord: { bg: 24 },
    removedWord: { bg: 94 },
    ok: { fg: 75 },
    error: { fg: 208 },
  },
  onLight: {
    added: { fg: 25 },
    removed: { fg: 130 },
    addedWord: { bg: 153 },
    removedWord: { bg: 223 },
    ok: { fg: 25 },
    error: { fg: 130 },
  },
} satisfies Record<string, Palette>;

/** A palette in colours that everybody tells apart. */
export const colourBlind = (palette: Palette, ground: keyof typeof blueAndOrange): Palette =>
  over(palette, blueAndOrange[ground]);

export interface LookWish {
  level: ColourLevel;
  palette?: keyof typeof palettes;
  colourBlind?: true;
  reducedMotion?: true;
  ascii?: true;
  links?: boolean;
}

export function builtinLook(wish: LookWish): Look {
  const palette: Palette = palettes[wish.palette ?? "dark"];
  return createLook({
    level: wish.level,
    palette: wish.colourBlind ? colourBlind(palette, wish.palette === "light" ? "onLight" : "onDark") : palette,
    glyph: wish.ascii ? asciiGlyphs : undefined,
    motion: wish.reducedMotion ? "reduced" : "full",
    links: wish.links,
  });
}

/** The look that a terminal and its user can use best. */
export const lookFor = (
  can: { colours: ColourLevel; contrast: boolean; unicode: boolean; reducedMotion: boolean; links: boolean },
  wish: Partial<Pick<LookWish, "palette" | "colourBlind">> = {},
): Look =>
  builtinLook({
    level: can.colours,
    palette: can.contrast ? "contrast" : wish.palette,
    colourBlind: wish.colourBlind,
    ascii: can.unicode ? undefined : true,
    reducedMotion: can.reducedMotion ? true : undefined,
    links: can.links,
  });

export const plainLook: Look = createLook({ level: "none", palette: {}, motion: "reduced", links: false });
