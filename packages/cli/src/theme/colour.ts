import type { Colour } from "@pith/tui/theme";

// Brightness, contrast and hue of colours.

type Rgb = readonly [number, number, number];

function rgbOf(colour: Colour): Rgb {
  if (typeof colour === "string") return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as never;
  if (colour < 16) return basic[colour] ?? [0, 0, 0];
  if (colour >= 232) return [0, 1, 2].map(() => 8 + 10 * (colour - 232)) as never;
  const cube = colour - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => level && 55 + 40 * level) as never;
}

/** The basic colours of most terminals; users change them. */
const basic: readonly Rgb[] = [
  [0, 0, 0], [205, 49, 49], [13, 188, 121], [229, 229, 16], [36, 114, 200], [188, 63, 188], [17, 168, 205],
  [229, 229, 229], [102, 102, 102], [241, 76, 76], [35, 209, 139], [245, 245, 67], [59, 142, 234], [214, 112, 214],
  [41, 184, 219], [255, 255, 255],
]; // biome-ignore format: a table

const linear = (value: number): number =>
  value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;

export function luminance(colour: Colour): number {
  const [r, g, b] = rgbOf(colour).map(linear) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

export const hexOf = (colour: Colour): `#${string}` => hexOfRgb(rgbOf(colour));

const hexOfRgb = (rgb: readonly number[]): `#${string}` =>
  `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;

/** Mixes a little of a colour into a background. */
export function tinted(ground: Colour, colour: Colour): `#${string}` {
  const [from, to] = [rgbOf(ground), rgbOf(colour)];
  return hexOfRgb(from.map((value, at) => value + ((to[at] ?? value) - value) * 0.12));
}

/** Turns green and red into blue and orange of the same brightness; other hues stay. */
export function colourBlindSafe(colour: Colour): Colour {
  const [h, s] = hslOf(rgbOf(colour));
  const to = h >= 70 && h < 175 ? 212 : h >= 325 || h < 15 ? 32 : undefined;
  if (to === undefined || s < 0.12) return colour;
  const wanted = luminance(colour);
  let [low, high] = [0, 1];
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2;
    if (luminance(hexFrom(to, s, middle)) < wanted) low = middle;
    else high = middle;
  }
  return hexFrom(to, s, high);
}

function hslOf(rgb: Rgb): [hue: number, saturation: number, lightness: number] {
  const [r, g, b] = rgb.map((value) => value / 255) as [number, number, number];
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
  const [l, d] = [(low + high) / 2, high - low];
  if (d === 0) return [0, 0, l];
  const h = high === r ? ((g - b) / d + 6) % 6 : high === g ? (b - r) / d + 2 : (r - g) / d + 4;
  return [h * 60, d / (1 - Math.abs(2 * l - 1)), l];
}

function hexFrom(h: number, s: number, l: number): `#${string}` {
  const reach = s * Math.min(l, 1 - l);
  const part = (n: number) => {
    const k = (n + h / 30) % 12;
    return l - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return hexOfRgb([0, 8, 4].map((n) => part(n) * 255));
}
