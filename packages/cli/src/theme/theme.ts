import { fail, isRecord, messageOf, ok, type Result } from "@pith/kit";
import type { Colour } from "@pith/tui/theme";
import { type ThemeToken, themeTokens } from "./token.ts";

/** A theme of a file, checked: every colour is there. */
export interface ThemeData {
  name: string;
  /** Colours by name; undefined is the terminal's own. */
  colors: Readonly<Record<ThemeToken, Colour | undefined>>;
  export: { pageBg?: string; cardBg?: string; infoBg?: string };
  symbols: ThemeSymbols;
}

export interface ThemeSymbols {
  preset?: Symbols;
  overrides: Readonly<Record<string, string>>;
  spinner?: readonly string[];
}

export const symbolPresets = ["unicode", "nerd", "ascii"] as const;
export type Symbols = (typeof symbolPresets)[number];

type Fields = Readonly<Record<string, unknown>>;

/** Reads a theme; the message names all faults, each with its place. */
export function readTheme(text: string): Result<ThemeData, "theme"> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return fail("theme", `is not JSON: ${messageOf(error)}`);
  }
  return checkTheme(json);
}

export function checkTheme(json: unknown): Result<ThemeData, "theme"> {
  if (!isRecord(json)) return fail("theme", "must be an object");
  const wrong: string[] = [];
  const { name, colors, vars = {}, export: page = {}, symbols = {} } = json;
  if (typeof name !== "string" || name === "") wrong.push("name: expected a text");
  for (const [key, value] of Object.entries({ colors, vars, export: page, symbols }))
    if (!isRecord(value)) wrong.push(`${key}: expected an object`);
  if (!isRecord(colors) || !isRecord(vars) || !isRecord(page) || !isRecord(symbols))
    return fail("theme", wrong.join("; "));
  const missing = themeTokens.filter((token) => !Object.hasOwn(colors, token));
  if (missing.length > 0) wrong.push(`colors that are missing: ${missing.join(", ")}`);
  const resolved = new Map<string, Colour | undefined>();
  for (const token of themeTokens) {
    if (!Object.hasOwn(colors, token)) continue;
    const colour = colourOf(colors[token], vars, `colors.${token}`, []);
    if (colour.ok) resolved.set(token, colour.value);
    else wrong.push(colour.message);
  }
  // Unused variables are checked too.
  for (const key of Object.keys(vars)) {
    const colour = colourOf(vars[key], vars, `vars.${key}`, [key]);
    if (!colour.ok && !wrong.includes(colour.message)) wrong.push(colour.message);
  }
  const ground = Object.fromEntries(
    ["pageBg", "cardBg", "infoBg"].flatMap((key) => {
      if (page[key] === undefined) return [];
      const colour = colourOf(page[key], vars, `export.${key}`, []);
      if (!colour.ok) wrong.push(colour.message);
      return colour.ok && typeof colour.value === "string" ? [[key, colour.value]] : [];
    }),
  );
  const signs = symbolsOf(symbols, wrong);
  if (wrong.length > 0) return fail("theme", wrong.join("; "));
  return ok({
    name: name as string,
    colors: Object.fromEntries(resolved) as ThemeData["colors"],
    export: ground,
    symbols: signs,
  });
}

/** Reads a colour: `#rrggbb`, a number of the palette, the name of a variable, or empty for the terminal's own. */
function colourOf(
  value: unknown,
  vars: Fields,
  at: string,
  by: readonly string[],
): Result<Colour | undefined, "theme"> {
  if (value === "") return ok(undefined);
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255) return ok(value);
  if (typeof value !== "string") return fail("theme", `${at}: expected #rrggbb, 0 to 255, a variable or ""`);
  if (/^#[0-9a-f]{6}$/i.test(value)) return ok(value as Colour);
  if (value.startsWith("#")) return fail("theme", `${at}: ${JSON.stringify(value)} is no #rrggbb`);
  if (by.includes(value)) return fail("theme", `${at}: vars.${[...by, value].join(" → ")} goes round in a circle`);
  if (!Object.hasOwn(vars, value)) return fail("theme", `${at}: there is no variable ${JSON.stringify(value)}`);
  return colourOf(vars[value], vars, at, [...by, value]);
}

function symbolsOf(symbols: Fields, wrong: string[]): ThemeSymbols {
  const { preset, overrides = {}, spinnerFrames } = symbols;
  const known = symbolPresets.find((each) => each === preset);
  if (preset !== undefined && !known) wrong.push(`symbols.preset: expected ${symbolPresets.join(", ")}`);
  const rows = isRecord(overrides) ? Object.entries(overrides) : [];
  if (!isRecord(overrides)) wrong.push("symbols.overrides: expected an object");
  // Unknown symbols are passed over later; values that are no texts are faults.
  for (const [key, value] of rows)
    if (typeof value !== "string") wrong.push(`symbols.overrides.${key}: expected a text`);
  const frames = isRecord(spinnerFrames) ? (spinnerFrames.status ?? spinnerFrames.activity) : spinnerFrames;
  const fine = Array.isArray(frames) && frames.length > 0 && frames.every((frame) => typeof frame === "string");
  if (frames !== undefined && !fine) wrong.push("symbols.spinnerFrames: expected a list of texts");
  return {
    ...(known ? { preset: known } : {}),
    overrides: Object.fromEntries(rows) as Record<string, string>,
    ...(fine ? { spinner: frames as string[] } : {}),
  };
}
