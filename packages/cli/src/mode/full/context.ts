import type { Notice, Outcome, UserInput } from "@pith/agent";
import type { Coder, SessionChoice } from "@pith/coder";
import type {
  Editor,
  EditorDraft,
  KeyEvent,
  Keymap,
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
import type { ConversationView } from "./transcript/transcript.ts";

/** The editor of the composer. */
export type ComposerEditor = Editor & {
  /** The draft that comes back when an answer in words has been typed. */
  setAside?: EditorDraft | undefined;
  /** Keeps a text that was entered among the drafts until it is in the record; the result lets it go. */
  hold?(text: string): () => void;
};

/** The directory of a conversation, and the settings that count there. */
export type Workspace = Pick<FrontendStart, "cwd" | "settings">;

export interface FullOptions extends FrontendStart {
  /** Keeps what was typed and entered. */
  remember(text: string): void;
  swap: ScreenContext["swap"];
}

/**
 * Everything that a pane, a dialog or an action may use. None of them knows another: what the conversation has come to
 * they read from `coder.scene`, and keep only the state of what they show.
 */
export interface ScreenContext extends Workspace {
  readonly io: Io;
  readonly flags: LaunchFlags;
  /** Undefined until the conversation is open; another one after `swap`. */
  readonly coder: Coder | undefined;
  /** The same object for as long as the interface lives; the theme that it paints with may change. */
  readonly theme: Theme;
  readonly activeTheme: ActiveTheme;
  readonly can: TerminalCapabilities;
  /** Not there yet while panes are made. */
  readonly screen: Screen;
  readonly terminal: Terminal;
  readonly timers: Timers;
  /** The editor in which a person types. */
  readonly composer: ComposerEditor;
  /** The transcript. */
  readonly view: Pick<ConversationView, "expand" | "style">;
  readonly leaving: Leaving;
  readonly keys: Keys;
  readonly submitter: Submitter;
  /** Adds words to the transcript that are no part of the conversation. */
  say(level: Notice["level"], text: string): void;
  show(outcome: Outcome): void;
  /** Opens a dialog; the one that is open is closed first. */
  open(make: MakeDialog): Promise<void>;
  /** Carries out an action by its name, with the words behind its command. */
  act(name: string, words?: string): void;
  /** Goes on with another session in the place of this one, perhaps in another directory. */
  swap(session: SessionChoice, cwd?: string): Promise<"swapped" | "stayed">;
  /** Paints the transcript again: the path of the session is another one. */
  repaint(): void;
  suspend(): void;
  leave(code: number): void;
  /** Lists which key does what, or the names of actions for keybindings.yml. */
  hotkeys(what: "keys" | "names"): string;
}

/** Keys that leave what is open, the uppermost first. */
export interface Leaving {
  escape(): void;
  clear(): void;
  exit(): void;
}

/** The keys in force: actions by key, and the keymap of the editor. */
export interface Keys {
  actions: ReadonlyMap<string, string>;
  editor: Keymap;
  /** The keys of an action or of an editing command. */
  of(name: string): readonly string[];
  /** The names of the editing commands. */
  readonly editing: readonly string[];
  /** Faults of keybindings.yml, each with its line. */
  warnings: readonly string[];
}

export interface PersonInput extends UserInput {
  when: "now" | "after";
  /** Called once it is in the record, or the person has it back. */
  release?: (() => void) | undefined;
}

/** Takes what a person enters: a slash command, a command for the shell, or words for the model. */
export interface Submitter {
  enter(input: PersonInput): void;
  /** Does this as soon as there is a conversation. */
  later(act: () => unknown): void;
  /** True while a slash command runs. */
  readonly performs: boolean;
  stopPerforming(): void;
}

/** Rows between the transcript and the composer. */
export interface ScreenPane extends Pane {
  /** Takes an event of the conversation, which the scene knows already, and asks for a frame where it matters. */
  hear?(event: ScreenEvent): void;
  /** Takes a key before the composer; a key that is used edits nothing. */
  key?(event: KeyEvent): "used" | "passed";
  /** Called with the first conversation, and with each that takes its place. */
  attach?(coder: Coder): void;
}
export type MakePane = (context: ScreenContext) => ScreenPane;

/** A window that a person opens and closes again, with all keys meanwhile. Escape and Ctrl+C always close it. */
export interface Dialog extends View {
  /** The words in the upper edge. */
  readonly title: string;
  /** The keys that it knows, for the lower edge. */
  readonly hint?: string;
  /** The rows that it has where there is room. */
  readonly rows?: number;
  hear?(event: ScreenEvent): void;
  /** Called when it is closed, by itself or by somebody else. */
  closed?(): void;
}
/** A dialog, or words where there is nothing to look at; no words where there is nothing to say either. */
export type DialogResult = Dialog | string;
export type MakeDialog = (context: ScreenContext, close: () => void) => DialogResult | Promise<DialogResult>;
