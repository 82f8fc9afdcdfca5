export type Modifier = "ctrl" | "alt" | "shift" | "super";

export interface KeyEvent {
  readonly type: "key";
  /** `a`, `enter`, `up`, `f5`, `space` …: the key, without modifiers, letters in lower case. */
  readonly name: string;
  /** The key with its modifiers, always in the order ctrl, alt, shift, super: `ctrl+shift+left`. Bindings name it. */
  readonly combo: string;
  /** The text that the key types; empty for keys that type nothing. */
  readonly text: string;
  readonly phase: "press" | "repeat" | "release";
}
export interface PasteEvent {
  readonly type: "paste";
  readonly text: string;
}
export interface FocusEvent {
  readonly type: "focus";
  readonly inside: boolean;
}
export type InputEvent = KeyEvent | PasteEvent | FocusEvent;

/** Answers of the terminal; they never reach a view. */
export type TerminalReply =
  | { readonly type: "device" }
  | { readonly type: "mode"; readonly mode: number; readonly state: "set" | "reset" | "permanent" | "unknown" }
  | { readonly type: "keyboard"; readonly flags: number }
  | { readonly type: "position"; readonly row: number; readonly column: number }
  | { readonly type: "colour"; readonly slot: number; readonly rgb: readonly [number, number, number] }
  | { readonly type: "notification"; readonly body: string }
  | { readonly type: "appearance"; readonly scheme: "dark" | "light" }
  | { readonly type: "size"; readonly columns: number; readonly rows: number };
