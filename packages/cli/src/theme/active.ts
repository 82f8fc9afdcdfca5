import { type FSWatcher, watch } from "node:fs";
import type { Settings } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";
import type { TerminalCapabilities, Theme } from "@pith/tui/theme";
import { builtinThemeData } from "./builtin.ts";
import { findTheme, themeFile, themeFolder } from "./find.ts";
import { themeFrom } from "./palette.ts";
import { rememberSlot, type Slot, slotOf } from "./slot.ts";
import type { ThemeData } from "./theme.ts";

export interface ActiveThemeOptions {
  home: string;
  /** A folder with more themes. */
  ompFolder?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  settings: Pick<Settings, "get" | "origin">;
  can: Pick<TerminalCapabilities, "colours" | "unicode" | "reducedMotion" | "links" | "contrast">;
  /** Called with the new theme. */
  restyle(theme: Theme): void;
  tell(text: string): void;
  /** After a change of a file, and until a file that has gone is given up. */
  waits?: { settleMs: number; goneMs: number };
}

/** The theme that is worn: its slot, its file, and what becomes of either while the program runs. */
export interface ActiveTheme extends Disposable {
  readonly theme: Theme;
  readonly name: string;
  readonly slot: Slot;
  /** The terminal has told its ground. */
  ground(slot: Slot): void;
  /** Shows another theme until it is worn or taken off; one that cannot be shown changes nothing. */
  preview(name: string): Result<undefined, "missing" | "theme">;
  /** Back to what the settings say; also after they have changed. */
  settle(): Result<undefined, "missing" | "theme">;
  /** Follows the file of the theme from here on. */
  follow(): void;
}

export function openActiveTheme(options: ActiveThemeOptions): ActiveTheme {
  const {
    home,
    ompFolder: beside,
    env,
    settings,
    can,
    restyle,
    tell,
    waits = { settleMs: 100, goneMs: 2000 },
  } = options;
  let slot = slotOf(home, env);
  let watcher: FSWatcher | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wanted = () => {
    // Who asked for strong colours gets them, unless a theme of one's own is set.
    const usual = { dark: "titanium", light: "light" }[slot];
    const named = settings.get(`theme.${slot}`) ?? "";
    // A relative's settings may name a theme that only it has: nobody here asked for that.
    const theirs = settings.origin(`theme.${slot}`).layer === "relative" && !findTheme(home, named, beside).ok;
    const set = theirs ? usual : named;
    return can.contrast && set === usual ? { dark: "contrast", light: "contrast-light" }[slot] : set;
  };
  const themeOf = (data: ThemeData): Theme =>
    themeFrom(data, {
      level: can.colours,
      symbols: settings.get("symbolPreset"),
      unicode: can.unicode,
      colourBlind: settings.get("colorBlindMode"),
      reducedMotion: can.reducedMotion,
      links: can.links,
    });
  const fallback = (): ThemeData => builtinThemeData("dark") as ThemeData;
  const first = findTheme(home, wanted(), beside);
  let shown = first.ok ? first.value : fallback();
  let theme = themeOf(shown);
  if (!first.ok) tell(first.message);

  const put = (data: ThemeData) => {
    shown = data;
    theme = themeOf(data);
    restyle(theme);
  };
  const settle = (): Result<undefined, "missing" | "theme"> => {
    const read = findTheme(home, wanted(), beside);
    put(read.ok ? read.value : fallback());
    return read.ok ? ok(undefined) : fail(read.kind, read.message);
  };
  /** A file that is being written is half a file: only what is whole is shown, and the last good one stays. */
  const changed = () => {
    const read = findTheme(home, wanted(), beside);
    if (read.ok) put(read.value);
    else if (read.kind === "missing") later(() => void (findTheme(home, wanted(), beside).ok || gone()), waits.goneMs);
    else tell(read.message);
  };
  const gone = () => {
    tell(`${themeFile(home, wanted())} has gone; the theme dark is shown.`);
    put(fallback());
  };
  const later = (what: () => void, ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(what, ms);
    timer.unref?.();
  };
  return {
    get theme() {
      return theme;
    },
    get name() {
      return shown.name;
    },
    get slot() {
      return slot;
    },
    ground(next) {
      rememberSlot(home, env, next);
      if (next === slot) return;
      slot = next;
      const told = settle();
      if (!told.ok) tell(told.message);
    },
    preview(name) {
      const read = findTheme(home, name, beside);
      if (!read.ok) return fail(read.kind, read.message);
      put(read.value);
      return ok(undefined);
    },
    settle,
    follow() {
      try {
        watcher ??= watch(themeFolder(home), (_, file) => {
          if (file === null || file === `${wanted()}.json`) later(changed, waits.settleMs);
        });
        watcher.unref();
        watcher.on("error", () => watcher?.close());
      } catch {
        // No folder of themes: there is nothing to follow.
      }
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
