import { graphemes } from "../text/width.ts";
import type { InputEvent, TerminalReply } from "./event.ts";
import { control, key, ss3, typed } from "./key.ts";
import { readCsi, readString } from "./reply.ts";

export type DecodedEvent = InputEvent | TerminalReply;

const maxSequence = 256;
const maxString = 64 * 1024;
const maxPaste = 64 * 1024 * 1024;
const pasteEnd = "\x1b[201~";

export const createDecoder = (expects?: (type: TerminalReply["type"]) => boolean): Decoder => new Decoder(expects);

/**
 * Turns bytes of a terminal, in portions of any size, into whole events. Answers of the terminal are told apart from
 * keys and never become text.
 */
export class Decoder {
  readonly #expects: (type: TerminalReply["type"]) => boolean;
  #held = "";
  #pasted: string[] | undefined;
  #pastedLength = 0;
  #events: DecodedEvent[] = [];

  constructor(expects: (type: TerminalReply["type"]) => boolean = () => false) {
    this.#expects = expects;
  }

  /** The kind of input that is incomplete: perhaps a key, the beginning of a sequence, a paste without its end. */
  get waiting(): "key" | "sequence" | "paste" | undefined {
    if (this.#pasted) return "paste";
    return this.#held === "" ? undefined : this.#held.length <= 2 ? "key" : "sequence";
  }

  feed(text: string): DecodedEvent[] {
    this.#held += text;
    while (this.#held !== "") {
      const taken = this.#pasted ? this.#paste(this.#pasted) : this.#next();
      if (taken === 0) break;
      this.#held = this.#held.slice(taken);
    }
    return this.#events.splice(0);
  }

  /** Ends what is incomplete, when no more bytes came for a while: a lone ESC was a key, a broken sequence is dropped. */
  flush(): DecodedEvent[] {
    const rest = this.#held;
    this.#held = "";
    if (this.#pasted) this.#endPaste([...this.#pasted, rest]);
    else if (rest === "\x1b") this.#events.push(key("escape"));
    else if (rest === "\x1b\x1b") this.#events.push(key("escape"), key("escape"));
    else if (rest.length === 2) this.#events.push(typed(rest[1] ?? "", ["alt"]));
    return this.#events.splice(0);
  }

  /** Takes all up to the end mark as text, whatever it looks like; a part of the mark may still be coming. */
  #paste(pasted: string[]): number {
    const end = this.#held.indexOf(pasteEnd);
    const sure = end !== -1 ? end : Math.max(0, this.#held.length - (pasteEnd.length - 1));
    this.#pastedLength += sure;
    if (sure > 0 && this.#pastedLength <= maxPaste) pasted.push(this.#held.slice(0, sure));
    if (end === -1) return sure;
    this.#endPaste(pasted);
    return end + pasteEnd.length;
  }

  #endPaste(pasted: readonly string[]): void {
    this.#events.push({ type: "paste", text: pasted.join("").replace(/\r\n?/g, "\n") });
    this.#pasted = undefined;
    this.#pastedLength = 0;
  }

  /** Decodes one event; returns the length of what it has used, 0 if more has to come. */
  #next(): number {
    const held = this.#held;
    if (held[0] === "\x1b") return this.#escaped(held);
    if (held.charCodeAt(0) < 32 || held[0] === "\x7f") return this.#push(control(held[0] ?? ""), 1);
    const run = printable.exec(held)?.[0] ?? "";
    if (run === "") return 1; // a C1 control: never a key
    for (const each of graphemes(run)) this.#events.push(typed(each));
    return run.length;
  }

  #push(event: DecodedEvent, length: number): number {
    this.#events.push(event);
    return length;
  }

  #escaped(held: string): number {
    const second = held[1];
    if (second === undefined) return 0;
    if (second === "[") return this.#csi(held);
    if (second === "O") return this.#single(held);
    if (second === "]" || second === "P" || second === "_") return this.#string(held, second);
    if (second === "\x1b") return this.#doubled(held.slice(1));
    if (second.charCodeAt(0) < 32 || second === "\x7f") return this.#push(control(second, ["alt"]), 2);
    const char = String.fromCodePoint(held.codePointAt(1) ?? 0);
    return this.#push(typed(char, ["alt"]), 1 + char.length);
  }

  #csi(held: string): number {
    const match = sequence.exec(held);
    if (!match) {
      if (held.length <= maxSequence && partial.test(held)) return 0;
      // The broken start is dropped, what follows it is input again.
      return broken.exec(held)?.[0].length ?? 2;
    }
    const [whole, body = "", final = ""] = match;
    // The oldest form of the mouse: not asked for, and no text.
    if (final === "M" && body === "") return held.length < 6 ? 0 : 6;
    if (whole === "\x1b[200~") this.#pasted = [];
    else {
      const event = readCsi(body, final, this.#expects);
      if (event) this.#events.push(event);
    }
    return whole.length;
  }

  #single(held: string): number {
    const [whole = "", body = ""] = singleShift.exec(held) ?? [];
    const event = ss3(body);
    if (event) return this.#push(event, whole.length);
    return startOfKey.test(held) ? 0 : this.#push(typed("O", ["alt"]), 2);
  }

  #string(held: string, kind: string): number {
    const match = stringEnd.exec(held);
    if (match) {
      const event = readString(kind, held.slice(2, match.index));
      if (event) this.#events.push(event);
      return match.index + match[0].length;
    }
    const again = held.indexOf("\x1b", 2);
    if (again !== -1 && again < held.length - 1) return again;
    return held.length > maxString ? held.length : 0;
  }

  /** Decodes what follows a first ESC: Alt with a key that is a sequence itself, or Escape twice. */
  #doubled(rest: string): number {
    const inner = wholeKey.exec(rest)?.[0];
    if (inner === undefined) return startOfKey.test(rest) ? 0 : this.#push(key("escape"), 1);
    const [event] = new Decoder(this.#expects).feed(inner);
    const held = (["ctrl", "shift", "super"] as const).filter(
      (each) => event?.type === "key" && event.combo.includes(`${each}+`),
    );
    if (event?.type === "key") this.#events.push(key(event.name, [...held, "alt"]));
    return 1 + inner.length;
  }
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const printable = /^[^\x00-\x1f\x7f-\x9f]+/;
// A number and a dollar is a whole key of rxvt; in every other sequence a dollar stands before the end.
const sequence = /^\x1b\[(\[|\d+(?=\$)|[0-?]*[ -/]*)((?<=^\x1b\[\d+)\$|[@-Z\\-~])/;
const partial = /^\x1b\[[0-?]*[ -/]*$|^\x1b\[\[$/;
const broken = /^\x1b\[[0-?]*[ -/]*/;
const stringEnd = /\x07|\x1b\\|\x9c/;
const wholeKey = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O\d?[A-Za-z])/;
const startOfKey = /^\x1b(?:\[[0-?]*[ -/]*|O\d?)?$/;
const singleShift = /^\x1bO(\d?[A-Za-z])/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
