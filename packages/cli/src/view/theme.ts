import {
  asciiGlyphs,
  createTheme,
  detectCapabilities,
  plainTheme,
  type TerminalEnv,
  type Theme,
  themeFor,
} from "@pith/tui/theme";

/**
 * The theme of a terminal that only scrolls: the engine's colours and signs, and nothing but letters where colours are
 * unknown or unwanted.
 */
export function scrollTheme(env: TerminalEnv, platform: string): Theme {
  // A system without a locale, such as a container, is taken for one with UTF-8.
  const silent = !(env.LC_ALL || env.LC_CTYPE || env.LANG);
  const can = detectCapabilities(silent ? { ...env, LANG: "C.UTF-8" } : env, platform);
  if (can.colours !== "none") return themeFor(can, { palette: onLight(env) ? "light" : "dark" });
  return can.unicode ? plainTheme : createTheme({ level: "none", palette: {}, glyph: asciiGlyphs, links: false });
}

/** Some terminals tell their ground as the last of the numbers of their colours; 7 and 15 are the white ones. */
const onLight = ({ COLORFGBG = "" }: TerminalEnv): boolean => /;(?:7|15)$/.test(COLORFGBG);
