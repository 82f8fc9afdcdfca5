import type { Notice, Outcome } from "@pith/agent";
import type { Coder, SessionChoice, Settings } from "@pith/coder";
import type {
  Editor,
  EditorDraft,
  KeyEvent,
  OverlayOptions,
  Pane,
  Screen,
  Terminal,
  TerminalCapabilities,
  Theme,
  Timers,
  View,
} from "@pith/tui";
import type { LaunchFlags } from "../../argv/flag.ts";
import type { Io } from "../../io/io.ts";
import type { ActiveTheme } from "../../theme/active.ts";
import type { ScreenEvent } from "../../view/throttle.ts";
import type { FrontendStart } from "../frontend.ts";

/** What is being typed, and what was before an answer in words was wanted: that comes back. */
export type ComposerEditor = Editor & { setAside?: EditorDraft | undefined };

/** What may become another one while the face lives. */
export type Workspace = Pick<FrontendStart, "cwd" | "settings">;

export interface FullOptions extends FrontendStart {
  /** What was typed and entered is kept. */
  remember(text: string): void;
  swap: ScreenContext["swap"];
}

/**
 * Where a person sits: all that a pane, a dialog or an action may use. None of them knows another; what stands in the
 * conversation they read from `coder.scene`, and keep only the state of their look.
 */
export interface ScreenContext {
  readonly io: Io;
  readonly settings: Settings;
  readonly flags: LaunchFlags;
  readonly cwd: string;
  /** Undefined until the conversation is open; after `swap` another one. */
  readonly coder: Coder | undefined;
  /** One object for as long as the face lives: what it paints with may change below it (`restyle`). */
  readonly theme: Theme;
  /** The theme that it comes from. */
  readonly activeTheme: ActiveTheme;
  restyle(theme: Theme): void;
  readonly can: TerminalCapabilities;
  /** There from the first frame on: not yet while panes are made. */
  readonly screen: Screen;
  readonly terminal: Terminal;
  readonly timers: Timers;
  /** What is being typed. */
  readonly composer: ComposerEditor;
  /** What happens in the transcript that is no part of the conversation. */
  say(level: Notice["level"], text: string): void;
  show(outcome: Outcome): void;
  /** The one place for a dialog; one that is open is closed first. */
  open(make: MakeDialog): Promise<void>;
  readonly dialog: Dialog | undefined;
  /** Carries out an action of the table by its name; `words` is what stood behind its command. */
  act(name: string, words?: string): void;
  /** What was typed: a command, something for the shell, or words for the model. */
  enter(text: string, when?: "now" | "after"): void;
  /** What needs a conversation and was asked for before there is one. */
  later(act: () => unknown): void;
  /** Commands of ours that take their time: whether one does, and its end. */
  readonly performing: { stands(): boolean; stop(): void };
  /** Goes on with another session in the place of this one, perhaps in another directory. */
  swap(session: SessionChoice, cwd?: string): Promise<"swapped" | "stayed">;
  /** The path of the session is another one: the transcript is painted anew. */
  repaint(): void;
  leave(code: number): void;
  /** What only the face itself can do, by the name of its action. */
  own(name: string): void;
  /** The first key of an action, as it stands. */
  keyOf(name: string): string | undefined;
  /** Which key does what, as it stands. */
  hotkeys(what: "keys" | "names"): string;
}

/** A pane of the face: rows between the transcript and the composer, and what it hears to redraw them. */
export interface ScreenPane extends Pane {
  /** Every event of the conversation, after the scene took it; redraws are asked for by who draws. */
  hear?(event: ScreenEvent): void;
  /** Asked before anything is edited; what it uses never reaches what is typed. */
  key?(event: KeyEvent): "used" | "passed";
  /** There is another conversation (or the first one). */
  attach?(coder: Coder): void;
}
export type MakePane = (context: ScreenContext) => ScreenPane;

/** Something that a person opened and closes again; it has all keys meanwhile. Escape and Ctrl+C always close it. */
export interface Dialog extends View {
  /** Stands in its upper edge. */
  readonly title: string;
  /** In its lower edge: which keys it knows. */
  readonly hint?: string;
  /** Rows that it would like to have; there may be fewer. */
  readonly rows?: number;
  readonly placement?: OverlayOptions;
  hear?(event: ScreenEvent): void;
  /** It is closed, by itself or by somebody else. */
  closed?(): void;
}
/** Words instead of one: there is nothing to look at; no words where all is said. */
export type DialogResult = Dialog | string;
export type MakeDialog = (context: ScreenContext, close: () => void) => DialogResult | Promise<DialogResult>;
