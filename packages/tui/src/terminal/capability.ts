import type { ColourLevel } from "../theme/theme.ts";

// What a terminal can do, from its environment alone. Nothing here decides what is right, only what is nicer: a wrong
// guess is cosmetic.

export type TerminalEnv = Readonly<Record<string, string | undefined>>;

export type TerminalId =
  | "kitty"
  | "ghostty"
  | "wezterm"
  | "iterm2"
  | "alacritty"
  | "foot"
  | "vscode"
  | "windows"
  | "vte"
  | "konsole"
  | "apple"
  | "xterm"
  | "linux"
  | "dumb"
  | "unknown";

export type ImageProtocol = "kitty" | "iterm2" | "sixel" | "off";

export interface TerminalCapabilities {
  readonly id: TerminalId;
  readonly multiplexer: boolean;
  readonly colours: ColourLevel;
  readonly sync: boolean;
  /** Set by the user: what the terminal says about itself does not change it. */
  readonly syncFixed: boolean;
  readonly rectangles: boolean;
  readonly keepsScreen: boolean;
  readonly images: ImageProtocol;
  readonly placeholders: boolean;
  readonly links: boolean;
  readonly unicode: boolean;
  readonly cursor: "hardware" | "drawn";
  readonly notifications: "osc99" | "osc9" | "bell" | "off";
  /** Whether OSC 9;4 is progress here; elsewhere it might be a notification. */
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
    // Who listens hears no colour: what it says is written out instead.
    colours: set(env.PITH_SCREEN_READER) ? "none" : detectColours(env, id, platform),
    sync: sync.on,
    syncFixed: sync.fixed,
    rectangles: detectRectangles(env, id, multiplexer),
    keepsScreen: id === "kitty" && !multiplexer,
    images: detectImages(env, id, multiplexer),
    placeholders: detectPlaceholders(env, id),
    links: id !== "dumb" && id !== "linux" && id !== "apple" && !set(env.PITH_NO_LINKS),
    unicode: detectUnicode(env, id, platform),
    cursor: env.PITH_HARDWARE_CURSOR === "0" ? "drawn" : "hardware",
    notifications: detectNotifications(env, id, multiplexer),
    progress: !multiplexer && (["windows", "ghostty", "wezterm", "konsole"].includes(id) || env.ConEmuANSI === "ON"),
    pollsColour: !multiplexer && id !== "dumb" && id !== "linux",
    reader: set(env.PITH_SCREEN_READER),
    reducedMotion: set(env.PITH_REDUCED_MOTION) || set(env.PITH_SCREEN_READER),
    contrast: set(env.PITH_HIGH_CONTRAST),
    logsFrames: set(env.PITH_DEBUG_REDRAW),
  };
}

const programs: Record<string, TerminalId> = {
  "iTerm.app": "iterm2",
  WezTerm: "wezterm",
  ghostty: "ghostty",
  vscode: "vscode",
  Apple_Terminal: "apple",
};
const terms: readonly (readonly [string, TerminalId])[] = [
  ["xterm-kitty", "kitty"],
  ["xterm-ghostty", "ghostty"],
  ["alacritty", "alacritty"],
  ["foot", "foot"],
  ["wezterm", "wezterm"],
  ["dumb", "dumb"],
  ["linux", "linux"],
];

function detectTerminal(env: TerminalEnv): TerminalId {
  if (env.TERM === "dumb") return "dumb";
  if (env.KITTY_WINDOW_ID) return "kitty";
  if (env.GHOSTTY_RESOURCES_DIR) return "ghostty";
  if (env.WEZTERM_PANE) return "wezterm";
  const program = programs[env.TERM_PROGRAM ?? ""];
  if (program) return program;
  if (env.ITERM_SESSION_ID) return "iterm2";
  if (env.WT_SESSION) return "windows";
  if (env.KONSOLE_VERSION) return "konsole";
  if (env.ALACRITTY_WINDOW_ID) return "alacritty";
  if (env.VTE_VERSION) return "vte";
  const term = env.TERM ?? "";
  return terms.find(([start]) => term.startsWith(start))?.[1] ?? (term.startsWith("xterm") ? "xterm" : "unknown");
}

const detectMultiplexer = (env: TerminalEnv): boolean =>
  Boolean(env.TMUX || env.STY || env.ZELLIJ) || /^(?:tmux|screen)/.test(env.TERM ?? "");

const syncing: ReadonlySet<TerminalId> = new Set([
  "kitty",
  "ghostty",
  "wezterm",
  "iterm2",
  "alacritty",
  "foot",
  "vscode",
]);

/** The user's word first, then what the terminal advertises, then who it is. */
function detectSync(env: TerminalEnv, id: TerminalId, multiplexer: boolean): { on: boolean; fixed: boolean } {
  if (set(env.PITH_NO_SYNC_OUTPUT) || env.PITH_TUI_SYNC_OUTPUT === "0") return { on: false, fixed: true };
  if (env.PITH_FORCE_SYNC_OUTPUT === "1" || env.PITH_TUI_SYNC_OUTPUT === "1") return { on: true, fixed: true };
  if (/Sy(?![a-z])/.test(env.TERM_FEATURES ?? "")) return { on: true, fixed: false };
  if (env.WT_SESSION) return { on: true, fixed: false };
  return { on: !multiplexer && syncing.has(id), fixed: false };
}

const detectRectangles = (env: TerminalEnv, id: TerminalId, multiplexer: boolean): boolean =>
  id === "kitty" && !multiplexer && !set(env.PITH_NO_DECCARA);

function detectImages(env: TerminalEnv, id: TerminalId, multiplexer: boolean): ImageProtocol {
  const forced = env.PITH_FORCE_IMAGE_PROTOCOL;
  if (forced === "kitty" || forced === "iterm2" || forced === "sixel" || forced === "off") return forced;
  if (multiplexer) return "off";
  if (id === "kitty" || id === "ghostty") return "kitty";
  if (id === "iterm2" || id === "wezterm" || id === "vscode") return "iterm2";
  return id === "foot" || id === "windows" ? "sixel" : "off";
}

function detectPlaceholders(env: TerminalEnv, id: TerminalId): boolean {
  if (env.PITH_NO_KITTY_PLACEHOLDERS === "1") return false;
  return env.PITH_KITTY_PLACEHOLDERS === "1" || id === "kitty" || id === "ghostty";
}

function detectColours(env: TerminalEnv, id: TerminalId, platform: string): ColourLevel {
  if (env.NO_COLOR) return "none";
  const forced = ({ "0": "none", "1": "16", "2": "256", "3": "true", false: "none", true: "16" } as const)[
    env.FORCE_COLOR as "0"
  ];
  if (forced) return forced;
  if (id === "dumb") return "none";
  if (
    /truecolor|24bit/i.test(env.COLORTERM ?? "") ||
    ["kitty", "ghostty", "wezterm", "iterm2", "alacritty", "foot", "windows", "vscode"].includes(id)
  )
    return "true";
  if (/256/.test(env.TERM ?? "") || id === "apple" || id === "vte" || id === "konsole") return "256";
  return platform === "win32" ? "256" : "16";
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
  if (multiplexer) return "bell";
  if (id === "kitty") return "osc99";
  return id === "ghostty" || id === "wezterm" || id === "iterm2" ? "osc9" : "bell";
}

const set = (value: string | undefined): boolean =>
  value !== undefined && value !== "" && value !== "0" && value !== "false";
