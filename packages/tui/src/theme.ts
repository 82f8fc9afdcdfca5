// The side door for whoever draws rows and opens no screen: a line prompt starts without the screen, its widgets and
// the reader of Markdown.
export { systemTimers, type Timers } from "./screen/scheduler.ts";
export { detectCapabilities, type TerminalCapabilities, type TerminalEnv } from "./terminal/capability.ts";
export { oneLine, printable } from "./text/clean.ts";
export { type DiffLine, parsePatch } from "./text/diff.ts";
export { type DiffCode, diffRows } from "./text/diff-view.ts";
export type { Highlighter } from "./text/highlight.ts";
export { tableRows } from "./text/table.ts";
export { fit, graphemes, pad, strip, width } from "./text/width.ts";
export { wrap, wrapHanging } from "./text/wrap.ts";
export {
  attributes,
  builtinTheme,
  palettes,
  plainTheme,
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
  type Style,
  type StyleName,
  styleNames,
  type Theme,
  unicodeGlyphs,
} from "./theme/theme.ts";
