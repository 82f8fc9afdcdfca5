import type { Notice, Outcome } from "@pith/agent";
import type { Coder, Settings } from "@pith/coder";
import {
  createHighlighter,
  createLinearScreen,
  createScreen,
  createScrollScreen,
  detectCapabilities,
  frameLog,
  type Screen,
  type ScreenOptions,
  systemTimers,
  type Terminal,
  type TerminalCapabilities,
  type TerminalFact,
  type Theme,
} from "@pith/tui";
import type { LaunchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import type { Io } from "../../io/io.ts";
import { ActiveTheme } from "../../theme/active.ts";
import { ompThemes } from "../../theme/find.ts";
import { slotOfGround } from "../../theme/slot.ts";
import type { ScreenEvent } from "../../view/throttle.ts";
import { holdTerminal, type TerminalHolder } from "../terminal.ts";
import { createLeaving } from "./action/escape.ts";
import { hotkeys } from "./action/hotkeys.ts";
import { readKeys } from "./action/keys.ts";
import { actionCommands, actions, pressed } from "./action/table.ts";
import { type Broadcast, createBroadcast } from "./broadcast.ts";
import { createCollector } from "./collect.ts";
import { type Composer, createComposer } from "./composer/composer.ts";
import type { ComposerEditor, FullOptions, Keys, Leaving, MakeDialog, ScreenContext, Workspace } from "./context.ts";
import { createSlot, type Slot } from "./dialog/slot.ts";
import { createNotifier, type Notifier } from "./notify.ts";
import { linePanes, panes } from "./order.ts";
import { PersonSubmitter } from "./submit.ts";
import { createAlbum, wordAlbum } from "./transcript/album.ts";
import { ConversationView } from "./transcript/transcript.ts";

/** The interface on the whole screen: one screen, one composer, one conversation at a time. */
export class FullInterface implements ScreenContext {
  readonly io: Io;
  readonly flags: LaunchFlags;
  readonly can: TerminalCapabilities;
  readonly theme: Theme;
  readonly activeTheme: ActiveTheme;
  readonly timers = systemTimers;
  readonly terminal: Terminal;
  readonly screen: Screen;
  readonly view: ConversationView;
  readonly keys: Keys;
  readonly leaving: Leaving = createLeaving(this);
  readonly submitter: PersonSubmitter;
  readonly swap: ScreenContext["swap"];
  /** Resolves with the exit code when the person leaves. */
  readonly left: Promise<number>;
  readonly leave: (code: number) => void;
  readonly #code: ReturnType<typeof createHighlighter>;
  readonly #holder: TerminalHolder;
  readonly #composer: Composer;
  readonly #slot: Slot;
  readonly #notifier: Notifier;
  readonly #broadcast: Broadcast;
  #workspace: Workspace;
  #coder: Coder | undefined;

  constructor({ settings, flags, cwd, remember, swap }: FullOptions, io: Io) {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.left = promise;
    this.leave = resolve;
    this.io = io;
    this.flags = flags;
    this.swap = swap;
    this.#workspace = { cwd, settings };
    const can = capabilitiesOf(flags, io);
    this.can = can;
    const { home, userHome, env } = io;
    const changed = () => this.#restyled();
    this.activeTheme = new ActiveTheme({ home, ompFolder: ompThemes(userHome), env, settings, can, changed });
    this.theme = this.activeTheme.theme;
    this.keys = readKeys(home, actions);
    const request = () => this.screen.request();
    // Only a screen that draws over its rows can draw pictures of messages again.
    const album = flags.line ? wordAlbum : createAlbum(can, () => this.terminal, request);
    this.#code = createHighlighter(this.theme, request);
    this.view = new ConversationView({ theme: this.theme, album, code: this.#code }, settings);
    const closed = () => this.leave(exit.hungUp);
    const learned = (fact: TerminalFact) => this.#learned(fact);
    this.#holder = holdTerminal({ can, questions: flags.line && "none", title: "pith", closed, learned });
    this.terminal = this.#holder.terminal;
    this.submitter = new PersonSubmitter(this, remember);
    this.#composer = createComposer(this, (event) => pressed(event, this, between));
    // None of their rows enters history.
    const between = (flags.line ? linePanes : panes).map((make) =>
      Object.assign(make(this), { bounds: () => ({ live: 0 }) }),
    );
    const covers = () => this.composer.render(this.terminal.columns, this.terminal.rows).length + 1;
    this.#slot = createSlot(this, covers);
    const all = [this.view.pane, ...between, this.composer];
    this.screen = screenOn({ tty: this.terminal, panes: all, timers: systemTimers, graphics: album.graphics }, this);
    this.screen.focus.set(this.composer);
    this.#holder.show(this.screen);
    this.#notifier = createNotifier(this);
    const pictures = { hear: (event: ScreenEvent) => this.#insert(event) };
    const listeners = [this.view, ...between, this.#slot, this.#notifier, createCollector(systemTimers), pictures];
    this.#broadcast = createBroadcast(this, listeners, () => this.screen.requestPane(this.view.pane));
    this.activeTheme.follow((problem) => this.say("warn", problem));
    for (const warning of [this.keys.warnings.join("\n"), ...this.#composer.warnings])
      if (warning !== "") this.say("warn", warning);
  }

  get cwd(): string {
    return this.#workspace.cwd;
  }

  get settings(): Settings {
    return this.#workspace.settings;
  }

  get coder(): Coder | undefined {
    return this.#coder;
  }

  get composer(): ComposerEditor {
    return this.#composer.editor;
  }

  say(level: Notice["level"], text: string): void {
    this.view.say(level, text);
    this.screen.request();
  }

  show(outcome: Outcome): void {
    this.view.show(outcome);
    this.screen.request();
  }

  open(make: MakeDialog): Promise<void> {
    return this.#slot.open(make);
  }

  act(name: string, words = ""): void {
    actions.find((action) => action.name === name)?.run(this, words);
  }

  hotkeys(what: "keys" | "names"): string {
    return hotkeys(this.keys, actions, what);
  }

  suspend(): void {
    this.#holder.suspend();
  }

  repaint(): void {
    if (this.#coder) this.view.open(this.#coder, this.terminal.columns);
    this.screen.replace();
  }

  /** Shows this conversation from now on, perhaps of another workspace. */
  attach(coder: Coder, workspace: Workspace = this.#workspace): void {
    this.#broadcast.leave();
    const swapped = this.#coder !== undefined;
    this.#coder = coder;
    this.#workspace = workspace;
    coder.commands.cover(actionCommands(this, coder.commands.own));
    this.view.open(coder, this.terminal.columns);
    if (swapped) this.screen.replace();
    this.#broadcast.attend(coder);
    this.screen.request();
    this.submitter.attach();
  }

  /** Gives the terminal back. */
  async end(): Promise<void> {
    this.#broadcast.leave();
    this.#composer.flush();
    this.activeTheme[Symbol.dispose]();
    this.#slot.close();
    this.#notifier.end();
    await this.#holder.end();
  }

  /** Passes on a picture that a command of the person has written. */
  #insert(event: ScreenEvent): void {
    if (event.type === "picture" && this.can.images === "sixel") this.screen.insert?.(event.sixel);
  }

  #restyled(): void {
    this.#code.repaint();
    // Rows that are never drawn again keep their colours.
    if (this.flags.line || this.can.reader) this.screen.request();
    else this.screen.replace();
  }

  #learned(fact: TerminalFact): void {
    if (fact.fact === "sync") this.screen.setSync(fact.on);
    else if (fact.fact === "background") this.activeTheme.setSlot(slotOfGround(fact.rgb));
    else if (fact.fact === "appearance") this.activeTheme.setSlot(fact.scheme);
  }
}

function screenOn(options: ScreenOptions, { can, io, flags }: Pick<FullInterface, "can" | "io" | "flags">): Screen {
  if (can.reader) return createLinearScreen({ ...options, breaks: can.id === "dumb" ? "rows" : undefined });
  if (flags.line) return createScrollScreen(options);
  const trace = can.logsFrames ? frameLog(io.log) : undefined;
  return createScreen({ ...options, ...can, trace });
}

/** A terminal that can move nothing is written to as if somebody listened. */
function capabilitiesOf(flags: LaunchFlags, { env }: Io): TerminalCapabilities {
  const reader = flags["screen-reader"] || env.TERM === "dumb" ? { PITH_SCREEN_READER: "1" } : {};
  return detectCapabilities({ ...env, ...reader }, process.platform);
}
