import { expect, test } from "bun:test";
import { builtinTheme, colourBlind, palettes } from "./palette.ts";
import { type Palette, styleNames } from "./theme.ts";

const dark = ["#000000", "#1e1e1e", "#282c34", "#002b36"];
const light = ["#ffffff", "#fafafa", "#fdf6e3"];
const grounds = { dark, light, contrast: dark, contrastLight: light };
/** Styles that are looked at and not read. */
const marks = ["border"];

// A colour of the sixteen is what its user made of it, so no palette may count on one.
function rgb(colour: number | string): number[] {
  if (typeof colour === "string") return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  expect(colour).toBeGreaterThanOrEqual(16);
  if (colour >= 232) return new Array(3).fill(8 + 10 * (colour - 232));
  const cube = colour - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => level && 55 + 40 * level);
}
const linear = (value: number) =>
  value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
const luminance = (colour: number | string) => {
  const [r = 0, g = 0, b = 0] = rgb(colour).map(linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
function ratio(a: number | string, b: number | string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function weak(palette: Palette, behind: readonly string[], text: number): string[] {
  return styleNames.flatMap((token) => {
    const { fg, bg, dim } = palette[token] ?? {};
    if (dim) return [`${token} is as dim as the terminal likes`];
    if (bg !== undefined && fg === undefined) return [`${token} has a ground and leaves its text to chance`];
    if (fg === undefined) return [];
    return behind
      .map((ground) => bg ?? ground)
      .filter((ground) => ratio(fg, ground) < (marks.includes(token) ? 3 : text))
      .map((ground) => `${token} on ${ground}: ${ratio(fg, ground).toFixed(2)}`);
  });
}

test.each(Object.keys(palettes) as (keyof typeof palettes)[])("everything in %s can be read", (name) => {
  const text = name.startsWith("contrast") ? 7 : 4.5;
  expect(weak(palettes[name], grounds[name], text)).toEqual([]);
  expect(weak(colourBlind(name), grounds[name], text)).toEqual([]);
});

test("without colours, what is secondary is still dim", () => {
  expect(builtinTheme({ level: "none" }).paint("dim", "x")).toBe("\x1b[2mx\x1b[22m");
});
