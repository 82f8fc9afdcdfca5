// The side door for whoever draws rows and opens no screen: a line prompt starts without the screen, its widgets and
// the reader of Markdown.
export { systemTimers, type Timers } from "./screen/scheduler.ts";
export { detectCapabilities, type TerminalCapabilities, type TerminalEnv } from "./terminal/capability.ts";
export { guardRow, link, oneLine, printable, safeUrl } from "./text/clean.ts";
export { type DiffLine, parsePatch, wordDiff } from "./text/diff.ts";
export { type DiffLayout, diffRows } from "./text/diff-view.ts";
export { type Align, type Table, tableRows } from "./text/table.ts";
export { fit, graphemes, pad, slice, strip, width } from "./text/width.ts";
export { wrap, wrapHanging } from "./text/wrap.ts";
export {
  attributes,
  builtinTheme,
  colourBlind,
  palettes,
  plainTheme,
  type ThemeChoice,
  themeFor,
} from "./theme/palette.ts";
export {
  asciiGlyphs,
  type Colour,
  type ColourLevel,
  createTheme,
  type Glyphs,
  nearest256,
  nerdGlyphs,
  type Palette,
  pen,
  type Style,
  type StyleName,
  styleNames,
  type Theme,
  unicodeGlyphs,
} from "./theme/theme.ts";
