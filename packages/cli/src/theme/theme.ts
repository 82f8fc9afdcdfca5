/** What a piece of text is, for the one who colours it. */
export type Tone = "dim" | "strong" | "accent" | "good" | "bad" | "warn";

export type Theme = Readonly<Record<Tone, (text: string) => string>>;

const same = (text: string) => text;
export const plainTheme: Theme = { dim: same, strong: same, accent: same, good: same, bad: same, warn: same };

const sgr = (on: number, off: number) => (text: string) => (text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`);
export const colourTheme: Theme = {
  dim: sgr(2, 22),
  strong: sgr(1, 22),
  accent: sgr(36, 39),
  good: sgr(32, 39),
  bad: sgr(31, 39),
  warn: sgr(33, 39),
};

/** NO_COLOR with any text, or a terminal that knows no colours, gets none. */
export function themeFor(env: Readonly<Record<string, string | undefined>>): Theme {
  return env.NO_COLOR || env.TERM === "dumb" ? plainTheme : colourTheme;
}
