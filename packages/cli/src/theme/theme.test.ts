import { expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch, until } from "@pith/kit/test";
import { type Colour, nearest256, styleNames, type Theme } from "@pith/tui/theme";
import { ActiveTheme } from "./active.ts";
import { builtinNames, builtinThemeData, groundOf } from "./builtin.ts";
import { colourBlindSafe, contrast, hexOf, luminance } from "./colour.ts";
import { findTheme, themeNames } from "./find.ts";
import { pageStyle } from "./page.ts";
import { paletteOf, themeFrom, type Wish } from "./palette.ts";
import { rememberSlot, slotOf, slotOfGround } from "./slot.ts";
import { readTheme, type ThemeData } from "./theme.ts";
import { themeTokens, tokenGroups } from "./token.ts";

const dark = ["#000000", "#1e1e1e", "#282c34", "#002b36"] as const;
const light = ["#ffffff", "#fafafa", "#fdf6e3"] as const;
/** Colours that are looked at and not read. */
const marks = ["border", "borderMuted", "codeBorder", "quoteBorder", "rule", "statusSep"];

const colors = (more: object = {}) => ({ ...Object.fromEntries(themeTokens.map((token) => [token, ""])), ...more });
const json = (more: object = {}) => JSON.stringify({ name: "mine", colors: colors(), ...more });
const wish: Wish = {
  level: "true",
  symbols: undefined,
  unicode: true,
  colourBlind: false,
  reducedMotion: false,
  links: true,
};

/** Colours that cannot be read on their backgrounds. */
function weak(name: string, hues: "as it is" | "apart", fixed = (colour: Colour): Colour => colour): string[] {
  const palette = paletteOf(builtinThemeData(name) as ThemeData, hues);
  const grounds: readonly Colour[] = groundOf(name) === "dark" ? dark : light;
  const least = (token: string) => (marks.includes(token) ? 3 : name.startsWith("contrast") ? 7 : 4.5);
  return styleNames.flatMap((token) => {
    const { fg, bg, dim } = palette[token] ?? {};
    if (dim) return [`${token} is as dim as the terminal likes`];
    if (fg === undefined) return bg === undefined ? [] : [`${token} leaves its text to chance`];
    return (bg === undefined ? grounds : [bg])
      .map((ground) => [ground, contrast(fixed(fg), ground === bg ? fixed(bg) : ground)] as const)
      .filter(([, ratio]) => ratio < least(token))
      .map(([ground, ratio]) => `${token} on ${ground}: ${ratio.toFixed(2)}`);
  });
}

test.each([...builtinNames])("everything in the theme %s can be read, also with hues apart", (name) => {
  expect(weak(name, "as it is")).toEqual([]);
  expect(weak(name, "apart")).toEqual([]);
  const in256 = (colour: Colour) => (typeof colour === "string" ? nearest256(colour) : colour);
  for (const hues of ["as it is", "apart"] as const) expect(weak(name, hues, in256)).toEqual([]);
});

test("there are eight built-in themes for two grounds, and what is told apart by hue stays apart", () => {
  expect(builtinNames).toHaveLength(8);
  for (const name of builtinNames) {
    const { added, removed, ok, error } = paletteOf(builtinThemeData(name) as ThemeData, "apart");
    const [a, r] = [hexOf(added?.fg as Colour), hexOf(removed?.fg as Colour)].map((hex) =>
      [1, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
    ) as [number[], number[]];
    // Blue leads in one and red in the other.
    expect((a[1] ?? 0) - (a[0] ?? 0)).toBeGreaterThan((r[1] ?? 0) - (r[0] ?? 0) + 60);
    expect([ok?.fg, error?.fg]).toEqual([added?.fg, removed?.fg]);
  }
  expect(Math.abs(luminance(colourBlindSafe("#10a040")) - luminance("#10a040"))).toBeLessThan(0.01);
  expect(colourBlindSafe("#888888")).toBe("#888888");
});

test("a call that went well is no louder than one that runs, and a word that was added keeps its ground", () => {
  for (const name of builtinNames) {
    const { toolPending, toolSuccess, toolError, addedWord } = paletteOf(
      builtinThemeData(name) as ThemeData,
      "as it is",
    );
    expect(toolSuccess?.bg).toBe(toolPending?.bg);
    expect(toolError?.bg).not.toBe(toolPending?.bg);
    expect(addedWord?.bg).toBeDefined();
    expect(addedWord?.bg).not.toBe(toolPending?.bg);
  }
});

test("what is wrong with a theme is told at once, with its place", () => {
  const told = (text: string) => {
    const read = readTheme(text);
    return read.ok ? "fine" : read.message;
  };
  expect(told(json())).toBe("fine");
  expect(told("{")).toStartWith("is not JSON");
  const { accent: _, mdHr: __, ...some } = colors();
  expect(told(json({ colors: some }))).toBe("colors that are missing: accent, mdHr");
  expect(told(json({ colors: colors({ accent: true, text: "#12", dim: 256 }) }))).toBe(
    [
      'colors.accent: expected #rrggbb, 0 to 255, a variable or ""',
      'colors.dim: expected #rrggbb, 0 to 255, a variable or ""',
      'colors.text: "#12" is no #rrggbb',
    ].join("; "),
  );
  expect(told(json({ colors: colors({ accent: "a" }), vars: { a: "b", b: "a" } }))).toContain("a → b → a goes round");
  expect(told(json({ colors: colors({ accent: "nope" }) }))).toContain('colors.accent: there is no variable "nope"');
  expect(told(json({ symbols: { preset: "emoji", spinnerFrames: [1] } }))).toContain("symbols.preset: expected");
  expect(told(json({ export: { pageBg: 3.5 } }))).toContain("export.pageBg");
});

test("variables may name variables, and empty is the terminal's own colour", () => {
  const read = readTheme(json({ colors: colors({ accent: "a", text: "" }), vars: { a: "b", b: "#102030" } }));
  expect(read.ok && [read.value.colors.accent, read.value.colors.text]).toEqual(["#102030", undefined]);
  const theme = themeFrom(builtinThemeData("titanium") as ThemeData, wish);
  expect(theme.paint("accent", "x")).toBe("\x1b[38;2;139;174;199mx\x1b[39m");
  expect(theme.paint("text", "x")).toBe("x");
});

test("signs come from the setting, then from the theme; unknown and dangerous ones are passed over", () => {
  const overrides = { bullet: "+", pointer: "\x1b[2J", nothing: "x", ok: "yes!!" };
  const theme = readTheme(json({ symbols: { preset: "ascii", overrides, spinnerFrames: { status: ["a", "b"] } } }));
  if (!theme.ok) throw new Error(theme.message);
  const own = themeFrom(theme.value, wish).glyph;
  expect([own.bullet, own.pointer, own.ok, own.box.h, own.spinner]).toEqual(["+", ">", "ok", "-", ["a", "b"]]);
  expect(themeFrom(theme.value, { ...wish, symbols: "unicode" }).glyph.box.h).toBe("─");
  expect(themeFrom(theme.value, { ...wish, symbols: "nerd", unicode: false }).glyph.box.h).toBe("-");
});

test("a file of one's own wins over a built-in theme of its name, and no name leads out of the folder", () => {
  using dir = scratch();
  dir.write({ "home/themes/dark.json": json({ name: "my dark" }), "home/themes/b.json": "{", "home/x.json": json() });
  const home = dir.at("home");
  const [mine, other, broken, out] = ["dark", "ember", "b", "../x"].map((name) => findTheme(home, name));
  expect(mine?.ok && mine.value.name).toBe("my dark");
  expect(other?.ok && other.value.name).toBe("ember");
  expect(broken?.ok === false && broken.message).toContain("b.json: is not JSON");
  expect(out?.ok === false && out.message).toStartWith("Theme not found: ../x");
  expect(themeNames(home)).toEqual([...builtinNames, "b"].sort());
});

test("the ground of a terminal is remembered, so that nothing waits for its answer", () => {
  using dir = scratch();
  const home = dir.at("home");
  const env = { TERM_PROGRAM: "x" };
  expect([slotOf(home, env), slotOf(home, { COLORFGBG: "0;15" }), slotOf(home, { COLORFGBG: "15;0" })]).toEqual([
    "dark",
    "light",
    "dark",
  ]);
  rememberSlot(home, env, "light");
  expect([slotOf(home, env), slotOf(home, { TERM_PROGRAM: "y" })]).toEqual(["light", "dark"]);
  expect(statSync(join(home, "terminals.json")).mode & 0o777).toBe(0o600);
  writeFileSync(join(home, "terminals.json"), "[[[");
  expect(slotOf(home, env)).toBe("dark");
  expect([slotOfGround([0.9, 0.9, 0.9]), slotOfGround([20, 20, 20])]).toEqual(["light", "dark"]);
});

/** An active theme with settings that can change. */
function openWith(home: string, set: Record<string, unknown>, layer = "global") {
  let changes = 0;
  const told: string[] = [];
  const values: Record<string, unknown> = { "theme.dark": "titanium", "theme.light": "light", ...set };
  const it = new ActiveTheme({
    home,
    env: {},
    ompFolder: join(home, "..", "theirs"),
    settings: { get: (key: string) => values[key], origin: () => ({ layer }) } as never,
    can: { colours: "true", unicode: true, reducedMotion: false, links: true, contrast: false },
    changed: () => changes++,
    waits: { settleMs: 5, goneMs: 40 },
  });
  it.follow((problem) => told.push(problem));
  return { it, changes: () => changes, told, values };
}
const red = (theme: Theme | undefined) => theme?.paint("accent", "x");

test("a theme that cannot be found or read is told, and dark is shown in its place", () => {
  using dir = scratch();
  const { it, told } = openWith(dir.at("home"), { "theme.dark": "nope" });
  expect(it.name).toBe("dark");
  expect(told[0]).toStartWith("Theme not found: nope");
  it[Symbol.dispose]();
});

test("a theme of omp's is found by name; one that only omp has, and only its settings name, is no complaint", () => {
  using dir = scratch();
  dir.write({ "theirs/mine.json": json({ name: "mine of omp" }), "theirs/dark.json": json({ name: "their dark" }) });
  const home = dir.at("home");
  const beside = dir.at("theirs");
  expect(themeNames(home, beside)).toContain("mine");
  const named = (name: string, layer?: string) => {
    const { it, told } = openWith(home, { "theme.dark": name }, layer);
    it[Symbol.dispose]();
    return [it.name, told.length];
  };
  expect([named("mine"), named("mine", "relative"), named("dark")]).toEqual([
    ["mine of omp", 0],
    ["mine of omp", 0],
    ["dark", 0],
  ]);
  expect([named("gruvbox-of-omp", "relative"), named("gruvbox-of-omp")]).toEqual([
    ["titanium", 0],
    ["dark", 1],
  ]);
});

test("a preview that fails changes nothing; taken off, the theme is what it was", () => {
  using dir = scratch();
  const { it, changes } = openWith(dir.at("home"), {});
  const before = red(it.theme);
  expect(it.preview("nope").ok).toBe(false);
  expect(changes()).toBe(0);
  expect(it.preview("ember").ok).toBe(true);
  expect([it.name, red(it.theme) === before]).toEqual(["ember", false]);
  it.settle();
  expect([it.name, red(it.theme)]).toEqual(["titanium", before]);
  it.setSlot("light");
  expect([it.slot, it.name]).toEqual(["light", "light"]);
  it[Symbol.dispose]();
});

test("a file that changes is shown; half a file is not, and one that has gone is given up after a while", async () => {
  using dir = scratch();
  dir.write({ "home/themes/mine.json": json({ colors: colors({ accent: "#111111" }) }) });
  const file = dir.at("home/themes/mine.json");
  const { it, told } = openWith(dir.at("home"), { "theme.dark": "mine" });
  const shows = (code: string) => until(() => red(it.theme)?.includes(code) === true, code);
  await shows("17;17;17");
  writeFileSync(file, json({ colors: colors({ accent: "#222222" }) }));
  await shows("34;34;34");
  writeFileSync(file, '{"name"');
  await until(() => told.some((text) => text.includes("is not JSON")), "the complaint");
  expect(red(it.theme)).toContain("34;34;34");
  writeFileSync(file, json({ colors: colors({ accent: "#333333" }) }));
  utimesSync(file, new Date(), new Date());
  await shows("51;51;51");
  rmSync(file);
  await until(() => it.name === "dark", "the fallback");
  expect(told.at(-1)).toContain("has gone");
  it[Symbol.dispose]();
});

test("the page about themes lists every colour there is", () => {
  const page = readFileSync(join(import.meta.dir, "../../../../docs/themes.md"), "utf8");
  for (const [group, rows] of Object.entries(tokenGroups))
    expect(page).toContain(`| ${group} | ${rows.map(([name]) => `\`${name}\``).join(" ")} |`);
  expect(page).toContain(`${themeTokens.length} colours`);
  for (const name of builtinNames) expect(page).toContain(`\`${name}\``);
});

test("an exported page has the grounds of its themes, and none that hides its letters", () => {
  using dir = scratch();
  const mine = { export: { pageBg: "#0b0d10", cardBg: "#f0f0f0" }, colors: colors({ userMessageBg: "#202830" }) };
  dir.write({ "home/themes/mine.json": json(mine) });
  const style = pageStyle(dir.at("home"), {
    get: (key: string) => ({ "theme.dark": "mine", "theme.light": "paper" })[key],
  } as never);
  expect(style).toContain(':root[data-theme="dark"] { --ground: #0b0d10; --user: #202830; }');
  expect(style).toStartWith(":root { --tool: #f4f2f0; --user: #f5eee3; }");
});
