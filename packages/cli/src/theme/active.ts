import { type FSWatcher, watch } from "node:fs";
import type { Settings } from "@pith/coder";
import { ok, type Result } from "@pith/kit";
import type { TerminalCapabilities, Theme } from "@pith/tui/theme";
import { builtinThemeData } from "./builtin.ts";
import { findTheme, themeFile, themeFolder } from "./find.ts";
import { themeFrom } from "./palette.ts";
import { rememberSlot, type Slot, slotOf } from "./slot.ts";
import type { ThemeData } from "./theme.ts";

export interface ActiveThemeOptions {
  home: string;
  /** The folder of omp's themes. */
  ompFolder?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  settings: Pick<Settings, "get" | "origin">;
  can: Pick<TerminalCapabilities, "colours" | "unicode" | "reducedMotion" | "links" | "contrast">;
  /** Called when the theme is another one. */
  changed(): void;
  /** Milliseconds after a change of a file, and until a file that has gone is given up. */
  waits?: { settleMs: number; goneMs: number };
}

type Found = Result<undefined, "missing" | "theme">;

/** The theme in use; it follows the settings, its file and the background of the terminal. */
export class ActiveTheme implements Disposable {
  /** Paints with whatever theme is in use. */
  readonly theme: Theme;
  readonly #options: ActiveThemeOptions;
  #slot: Slot;
  #data: ThemeData;
  #painter: Theme;
  #tell: (problem: string) => void;
  /** Problems that nobody was told yet. */
  readonly #problems: string[] = [];
  #watcher: FSWatcher | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ActiveThemeOptions) {
    this.#options = options;
    this.#slot = slotOf(options.home, options.env);
    this.#tell = (problem) => this.#problems.push(problem);
    const found = this.#find();
    if (!found.ok) this.#tell(found.message);
    this.#data = found.ok ? found.value : fallback();
    this.#painter = this.#painterOf(this.#data);
    const painter = () => this.#painter;
    this.theme = {
      paint: (token, text) => this.#painter.paint(token, text),
      get glyph() {
        return painter().glyph;
      },
      get motion() {
        return painter().motion;
      },
      get links() {
        return painter().links;
      },
    };
  }

  get name(): string {
    return this.#data.name;
  }

  get slot(): Slot {
    return this.#slot;
  }

  /** Takes the theme for the background that the terminal has told. */
  setSlot(slot: Slot): void {
    const { home, env } = this.#options;
    rememberSlot(home, env, slot);
    if (slot === this.#slot) return;
    this.#slot = slot;
    const settled = this.settle();
    if (!settled.ok) this.#tell(settled.message);
  }

  /** Shows a theme until the next `settle`; one that cannot be shown changes nothing. */
  preview(name: string): Found {
    const { home, ompFolder } = this.#options;
    const found = findTheme(home, name, ompFolder);
    if (!found.ok) return found;
    this.#use(found.value);
    return ok(undefined);
  }

  /** Shows what the settings say. */
  settle(): Found {
    const found = this.#find();
    this.#use(found.ok ? found.value : fallback());
    return found.ok ? ok(undefined) : found;
  }

  /** Follows the file of the theme, and tells what is wrong with themes; at once what was wrong until now. */
  follow(tell: (problem: string) => void): void {
    this.#tell = tell;
    for (const problem of this.#problems.splice(0)) tell(problem);
    const { home, waits = usualWaits } = this.#options;
    try {
      this.#watcher = watch(themeFolder(home), (_, file) => {
        if (file === null || file === `${this.#wanted}.json`) this.#later(() => this.#reload(), waits.settleMs);
      });
      this.#watcher.unref();
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // There is no folder of themes.
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#watcher?.close();
  }

  /** The name of the theme that the settings want. */
  get #wanted(): string {
    const { home, ompFolder, settings, can } = this.#options;
    const usual = { dark: "titanium", light: "light" }[this.#slot];
    const named = settings.get(`theme.${this.#slot}`) ?? "";
    const { layer } = settings.origin(`theme.${this.#slot}`);
    // The settings of a relative may name a theme that only the relative has.
    const set = layer === "relative" && !findTheme(home, named, ompFolder).ok ? usual : named;
    return can.contrast && set === usual ? { dark: "contrast", light: "contrast-light" }[this.#slot] : set;
  }

  #find(): Result<ThemeData, "missing" | "theme"> {
    return findTheme(this.#options.home, this.#wanted, this.#options.ompFolder);
  }

  #painterOf(data: ThemeData): Theme {
    const { settings, can } = this.#options;
    return themeFrom(data, {
      level: can.colours,
      symbols: settings.get("symbolPreset"),
      unicode: can.unicode,
      colourBlind: settings.get("colorBlindMode"),
      reducedMotion: can.reducedMotion,
      links: can.links,
    });
  }

  #use(data: ThemeData): void {
    this.#data = data;
    this.#painter = this.#painterOf(data);
    this.#options.changed();
  }

  /** Reads the file again; while it is incomplete, the last good theme stays. */
  #reload(): void {
    const { home, waits = usualWaits } = this.#options;
    const found = this.#find();
    if (found.ok) this.#use(found.value);
    else if (found.kind !== "missing") this.#tell(found.message);
    else
      this.#later(() => {
        if (this.#find().ok) return;
        this.#tell(`${themeFile(home, this.#wanted)} has gone; the theme dark is shown.`);
        this.#use(fallback());
      }, waits.goneMs);
  }

  #later(act: () => void, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
    this.#timer.unref?.();
  }
}

const usualWaits = { settleMs: 100, goneMs: 2000 };
const fallback = (): ThemeData => builtinThemeData("dark") as ThemeData;
