import type { ThemeData } from "./theme.ts";
import { checkTheme } from "./theme.ts";

/** The colours from which a theme is made; hues are in this order: accent, green, yellow, red, violet, cyan, orange. */
interface Seed {
  ground: "dark" | "light";
  hues: readonly string[];
  muted: string;
  faint: string;
  border: string;
  /** Backgrounds of the selection, a prompt, a tool and a failed tool. */
  selected: string;
  user: string;
  tool: string;
  bad: string;
  bar: string;
  /** The text on these backgrounds. */
  ink: string;
}

const seeds: Readonly<Record<string, Seed>> = {
  titanium: {
    ground: "dark", hues: ["#8baec7", "#74b896", "#cba54c", "#ee9089", "#b7a0d6", "#71b5bb", "#de9a73"],
    muted: "#a4acb3", faint: "#99a1a9", border: "#737d87", selected: "#2d445c", user: "#27323c", tool: "#222528",
    bad: "#421f1c", bar: "#202225", ink: "#f4f4f4",
  },
  dark: {
    ground: "dark", hues: ["#82abed", "#5ebd6e", "#d0a41e", "#f68b8b", "#d093e4", "#42b8d0", "#f1934f"],
    muted: "#a8aaae", faint: "#9d9fa3", border: "#797c81", selected: "#3a4355", user: "#2d3138", tool: "#242426",
    bad: "#441d1d", bar: "#212223", ink: "#f4f4f4",
  },
  ember: {
    ground: "dark", hues: ["#eb964c", "#88b75f", "#c5a818", "#f28c9a", "#d497c2", "#6bb8a8", "#f38f71"],
    muted: "#b2a89f", faint: "#a79c92", border: "#86796e", selected: "#573d25", user: "#3b2e23", tool: "#282420",
    bad: "#431d22", bar: "#25211e", ink: "#f7f2ec",
  },
  fjord: {
    ground: "dark", hues: ["#55b7c6", "#5fba99", "#b2ae3b", "#eb8fa6", "#9fa5e8", "#73b0dc", "#d49f6b"],
    muted: "#9badb5", faint: "#8fa2ab", border: "#687f8a", selected: "#1d475c", user: "#1f333d", tool: "#1f2529",
    bad: "#431d26", bar: "#1d2326", ink: "#eef6f8",
  },
  contrast: {
    ground: "dark", hues: ["#66e3ff", "#6cff7a", "#ffe14d", "#ffb3ad", "#f0b8ff", "#7ff0ee", "#ffc78a"],
    muted: "#e6e6e6", faint: "#d6d6d6", border: "#ffffff", selected: "#003b6f", user: "#1b2733", tool: "#101418",
    bad: "#3a0d0a", bar: "#0c0f12", ink: "#ffffff",
  },
  light: {
    ground: "light", hues: ["#2063b5", "#107331", "#855603", "#c1211c", "#9137be", "#076d81", "#a94309"],
    muted: "#63676e", faint: "#666a71", border: "#82868d", selected: "#dae2f3", user: "#eceff5", tool: "#f2f2f3",
    bad: "#fce9e9", bar: "#eff0f1", ink: "#161616",
  },
  paper: {
    ground: "light", hues: ["#106b8c", "#28721c", "#775a09", "#be2241", "#9b3b9b", "#066f68", "#a54718"],
    muted: "#6b6050", faint: "#6f6352", border: "#8a7d68", selected: "#f6dfbc", user: "#f5eee3", tool: "#f4f2f0",
    bad: "#fce9ed", bar: "#f1f0ed", ink: "#1c1710",
  },
  "contrast-light": {
    ground: "light", hues: ["#003a8c", "#00471b", "#4f3300", "#8a0d08", "#581380", "#00404d", "#6b2600"],
    muted: "#303236", faint: "#3a3c40", border: "#000000", selected: "#bcd6ff", user: "#e4ebf5", tool: "#f0f0f1",
    bad: "#ffe0de", bar: "#e6e7e9", ink: "#000000",
  },
}; // biome-ignore format: a table

export const builtinNames: readonly string[] = Object.keys(seeds).sort();

/** The background that a built-in theme was made for. */
export const groundOf = (name: string): "dark" | "light" | undefined =>
  Object.hasOwn(seeds, name) ? seeds[name]?.ground : undefined;

export function builtinThemeData(name: string): ThemeData | undefined {
  const seed = Object.hasOwn(seeds, name) ? seeds[name] : undefined;
  if (!seed) return undefined;
  const theme = checkTheme({ name, colors: colorsOf(seed) });
  if (!theme.ok) throw new Error(`${name}: ${theme.message}`);
  return theme.value;
}

function colorsOf({ hues, muted, faint, border, selected, user, tool, bad, bar, ink }: Seed) {
  const [accent, green, yellow, red, violet, cyan, orange] = hues;
  return {
    accent, border, borderAccent: accent, borderMuted: border, success: green, error: red, warning: yellow, muted,
    dim: faint, text: "", thinkingText: muted,
    selectedBg: selected, userMessageBg: user, customMessageBg: tool, toolPendingBg: tool, toolSuccessBg: tool,
    toolErrorBg: bad, statusLineBg: bar,
    userMessageText: ink, customMessageText: ink, customMessageLabel: violet, toolTitle: "", toolOutput: muted,
    mdHeading: accent, mdLink: accent, mdLinkUrl: muted, mdCode: orange, mdCodeBlock: "", mdCodeBlockBorder: border,
    mdQuote: muted, mdQuoteBorder: border, mdHr: border, mdListBullet: accent,
    toolDiffAdded: green, toolDiffRemoved: red, toolDiffContext: muted, syntaxComment: faint, syntaxKeyword: violet,
    syntaxFunction: accent, syntaxVariable: "", syntaxString: green, syntaxNumber: orange, syntaxType: yellow,
    syntaxOperator: cyan, syntaxPunctuation: muted,
    thinkingOff: faint, thinkingMinimal: muted, thinkingLow: cyan, thinkingMedium: accent, thinkingHigh: violet,
    thinkingXhigh: red, bashMode: yellow, pythonMode: green,
    statusLineSep: border, statusLineModel: violet, statusLinePath: accent, statusLineGitClean: green,
    statusLineGitDirty: yellow, statusLineContext: cyan, statusLineSpend: muted, statusLineStaged: green,
    statusLineDirty: yellow, statusLineUntracked: red, statusLineOutput: muted, statusLineCost: orange,
    statusLineSubagents: violet,
  }; // biome-ignore format: a table
}
