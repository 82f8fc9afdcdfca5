import type { ColourLevel } from "../theme/theme.ts";

// The abilities of a terminal, guessed from its environment. A wrong guess only looks worse.

export type TerminalEnv = Readonly<Record<string, string | undefined>>;

export type ImageProtocol = "kitty" | "iterm2" | "sixel" | "off";

export interface TerminalCapabilities {
  readonly id: TerminalId;
  readonly multiplexer: boolean;
  readonly colours: ColourLevel;
  readonly sync: boolean;
  /** True if the user decided about `sync`: an answer of the terminal does not change it then. */
  readonly syncFixed: boolean;
  readonly rectangles: boolean;
  readonly keepsScreen: boolean;
  readonly images: ImageProtocol;
  readonly placeholders: boolean;
  readonly links: boolean;
  readonly unicode: boolean;
  readonly cursor: "hardware" | "drawn";
  readonly notifications: "osc99" | "osc9" | "bell" | "off";
  /** True where OSC 9;4 is progress; elsewhere it might be a notification. */
  readonly progress: boolean;
  readonly pollsColour: boolean;
  readonly reader: boolean;
  readonly reducedMotion: boolean;
  readonly contrast: boolean;
  /** Every frame is to be written to the log. */
  readonly logsFrames: boolean;
}

export function detectCapabilities(env: TerminalEnv, platform: string): TerminalCapabilities {
  const id = detectTerminal(env);
  const multiplexer = detectMultiplexer(env);
  const sync = detectSync(env, id, multiplexer);
  return {
    id,
    multiplexer,
    // A listener hears no colour; what it says is written out instead.
    colours: set(env.PITH_SCREEN_READER) ? "none" : detectColours(env, id, platform),
    sync: sync.on,
    syncFixed: sync.fixed,
    rectangles: id === "kitty" && !multiplexer && !set(env.PITH_NO_DECCARA),
    keepsScreen: id === "kitty" && !multiplexer,
    images: detectImages(env, id, multiplexer),
    placeholders: detectPlaceholders(env, id),
    links: id !== "dumb" && id !== "linux" && id !== "apple" && !set(env.PITH_NO_LINKS),
    unicode: detectUnicode(env, id, platform),
    cursor: env.PITH_HARDWARE_CURSOR === "0" ? "drawn" : "hardware",
    notifications: detectNotifications(env, id, multiplexer),
    progress: !multiplexer && (traitsOf(id).progress === true || env.ConEmuANSI === "ON"),
    pollsColour: !multiplexer && id !== "dumb" && id !== "linux",
    reader: set(env.PITH_SCREEN_READER),
    reducedMotion: set(env.PITH_REDUCED_MOTION) || set(env.PITH_SCREEN_READER),
    contrast: set(env.PITH_HIGH_CONTRAST),
    logsFrames: set(env.PITH_DEBUG_REDRAW),
  };
}

/** Abilities of a terminal by name; behind a multiplexer most of them are lost. */
interface TerminalTraits {
  readonly colours?: ColourLevel;
  readonly images?: ImageProtocol;
  readonly notifications?: "osc99" | "osc9";
  readonly sync?: true;
  readonly progress?: true;
}

const full = { colours: "true", sync: true } as const;
const traits = {
  kitty: { ...full, images: "kitty", notifications: "osc99" },
  ghostty: { ...full, images: "kitty", notifications: "osc9", progress: true },
  wezterm: { ...full, images: "iterm2", notifications: "osc9", progress: true },
  iterm2: { ...full, images: "iterm2", notifications: "osc9" },
  alacritty: full,
  foot: { ...full, images: "sixel" },
  vscode: { ...full, images: "iterm2" },
  windows: { colours: "true", images: "sixel", progress: true },
  vte: { colours: "256" },
  konsole: { colours: "256", progress: true },
  apple: { colours: "256" },
  xterm: {},
  linux: {},
  dumb: {},
  unknown: {},
} satisfies Record<string, TerminalTraits>;

export type TerminalId = keyof typeof traits;

const traitsOf = (id: TerminalId): TerminalTraits => traits[id];

const programs: Record<string, TerminalId> = {
  "iTerm.app": "iterm2", WezTerm: "wezterm", ghostty: "ghostty", vscode: "vscode", Apple_Terminal: "apple",
}; // biome-ignore format: a table
/** Variables by which terminals are known, the first that is set counts. */
const variables: readonly (readonly [string, TerminalId])[] = [
  ["ITERM_SESSION_ID", "iterm2"], ["WT_SESSION", "windows"], ["KONSOLE_VERSION", "konsole"],
  ["ALACRITTY_WINDOW_ID", "alacritty"], ["VTE_VERSION", "vte"],
]; // biome-ignore format: a table
const terms: readonly (readonly [string, TerminalId])[] = [
  ["xterm-kitty", "kitty"], ["xterm-ghostty", "ghostty"], ["alacritty", "alacritty"], ["foot", "foot"],
  ["wezterm", "wezterm"], ["dumb", "dumb"], ["linux", "linux"], ["xterm", "xterm"],
]; // biome-ignore format: a table

function detectTerminal(env: TerminalEnv): TerminalId {
  if (env.TERM === "dumb") return "dumb";
  if (env.KITTY_WINDOW_ID) return "kitty";
  if (env.GHOSTTY_RESOURCES_DIR) return "ghostty";
  if (env.WEZTERM_PANE) return "wezterm";
  const known = programs[env.TERM_PROGRAM ?? ""] ?? variables.find(([name]) => env[name])?.[1];
  return known ?? terms.find(([start]) => env.TERM?.startsWith(start))?.[1] ?? "unknown";
}

const detectMultiplexer = (env: TerminalEnv): boolean =>
  Boolean(env.TMUX || env.STY || env.ZELLIJ) || /^(?:tmux|screen)/.test(env.TERM ?? "");

/** The user's word first, then what the terminal advertises, then who it is. */
function detectSync(env: TerminalEnv, id: TerminalId, multiplexer: boolean): { on: boolean; fixed: boolean } {
  if (set(env.PITH_NO_SYNC_OUTPUT) || env.PITH_TUI_SYNC_OUTPUT === "0") return { on: false, fixed: true };
  if (env.PITH_FORCE_SYNC_OUTPUT === "1" || env.PITH_TUI_SYNC_OUTPUT === "1") return { on: true, fixed: true };
  const isAdvertised = /Sy(?![a-z])/.test(env.TERM_FEATURES ?? "") || Boolean(env.WT_SESSION);
  return { on: isAdvertised || (!multiplexer && traitsOf(id).sync === true), fixed: false };
}

function detectImages(env: TerminalEnv, id: TerminalId, multiplexer: boolean): ImageProtocol {
  const forced = (["kitty", "iterm2", "sixel", "off"] as const).find((it) => it === env.PITH_FORCE_IMAGE_PROTOCOL);
  return forced ?? (multiplexer ? "off" : (traitsOf(id).images ?? "off"));
}

function detectPlaceholders(env: TerminalEnv, id: TerminalId): boolean {
  if (env.PITH_NO_KITTY_PLACEHOLDERS === "1") return false;
  return env.PITH_KITTY_PLACEHOLDERS === "1" || id === "kitty" || id === "ghostty";
}

const levels: Record<string, ColourLevel> = { 0: "none", 1: "16", 2: "256", 3: "true", false: "none", true: "16" };

function detectColours(env: TerminalEnv, id: TerminalId, platform: string): ColourLevel {
  const forced = levels[env.FORCE_COLOR ?? ""];
  if (env.NO_COLOR) return "none";
  if (forced) return forced;
  if (id === "dumb") return "none";
  const { colours } = traitsOf(id);
  if (colours === "true" || /truecolor|24bit/i.test(env.COLORTERM ?? "")) return "true";
  return colours ?? (/256/.test(env.TERM ?? "") || platform === "win32" ? "256" : "16");
}

const detectUnicode = (env: TerminalEnv, id: TerminalId, platform: string): boolean =>
  id !== "linux" &&
  id !== "dumb" &&
  (platform === "win32" || platform === "darwin" || /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || ""));

function detectNotifications(
  env: TerminalEnv,
  id: TerminalId,
  multiplexer: boolean,
): TerminalCapabilities["notifications"] {
  if (/^(?:off|0|false)$/i.test(env.PITH_NOTIFICATIONS ?? "") || id === "dumb") return "off";
  return (multiplexer ? undefined : traitsOf(id).notifications) ?? "bell";
}

const set = (value: string | undefined): boolean => !["", "0", "false", undefined].includes(value);
