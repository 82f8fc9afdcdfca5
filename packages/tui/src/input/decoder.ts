import { graphemes } from "../text/width.ts";
import type { InputEvent, TerminalReply } from "./event.ts";
import { control, key, ss3, typed } from "./key.ts";
import { readCsi, readString } from "./reply.ts";

export type DecodedEvent = InputEvent | TerminalReply;

/**
 * Bytes of a terminal in any portions, whole events out. Answers of the terminal are told apart from keys and never
 * become text.
 */
export interface Decoder {
  feed(text: string): DecodedEvent[];
  /**
   * No more bytes came for a while: what looks like the start of a sequence was a key, or a sequence that nobody will
   * end.
   */
  flush(): DecodedEvent[];
  /** What is held back: something that may be a key, the beginning of a sequence, a paste without its end. */
  readonly waiting: "key" | "sequence" | "paste" | undefined;
}

const maxSequence = 256;
const maxString = 64 * 1024;
const maxPaste = 64 * 1024 * 1024;
const pasteEnd = "\x1b[201~";

export function createDecoder(expects: (type: TerminalReply["type"]) => boolean = () => false): Decoder {
  let held = "";
  let pasted: string[] | undefined;
  let pastedLength = 0;

  function feed(text: string): DecodedEvent[] {
    held += text;
    const out: DecodedEvent[] = [];
    while (held !== "") {
      const taken = pasted ? paste(out) : next(out);
      if (taken === 0) break;
      held = held.slice(taken);
    }
    return out;
  }

  // Everything up to the end mark is text, whatever it looks like. A part of the mark may still be coming.
  function paste(out: DecodedEvent[]): number {
    const end = held.indexOf(pasteEnd);
    const sure = end !== -1 ? end : Math.max(0, held.length - (pasteEnd.length - 1));
    if (sure > 0) {
      pastedLength += sure;
      if (pastedLength <= maxPaste) pasted?.push(held.slice(0, sure));
    }
    if (end === -1) return sure;
    out.push(pasteEvent());
    return end + pasteEnd.length;
  }
  function pasteEvent(): DecodedEvent {
    const text = (pasted ?? []).join("").replace(/\r\n?/g, "\n");
    pasted = undefined;
    return { type: "paste", text };
  }

  function next(out: DecodedEvent[]): number {
    if (held[0] === "\x1b") return escaped(out);
    if (held.charCodeAt(0) < 32 || held[0] === "\x7f") {
      out.push(control(held[0] ?? ""));
      return 1;
    }
    const run = printable.exec(held)?.[0] ?? "";
    if (run === "") return 1; // a C1 control: never a key
    for (const each of graphemes(run)) out.push(typed(each));
    return run.length;
  }

  function escaped(out: DecodedEvent[]): number {
    const second = held[1];
    if (second === undefined) return 0;
    if (second === "[") return csi(out);
    if (second === "O") return single(out);
    if (isString(second)) return string(out, second);
    if (second === "\x1b") return doubled(out);
    if (second.charCodeAt(0) < 32 || second === "\x7f") out.push(control(second, ["alt"]));
    else {
      const char = String.fromCodePoint(held.codePointAt(1) ?? 0);
      out.push(typed(char, ["alt"]));
      return 1 + char.length;
    }
    return 2;
  }

  function csi(out: DecodedEvent[]): number {
    const match = sequence.exec(held);
    if (match) {
      const [whole, body = "", final = ""] = match;
      // The oldest form of the mouse: not asked for, and no text.
      if (final === "M" && body === "") return held.length < 6 ? 0 : 6;
      if (whole === "\x1b[200~") {
        pasted = [];
        pastedLength = 0;
      } else {
        const heard = readCsi(body, final, expects);
        if (heard) out.push(heard);
      }
      return whole.length;
    }
    if (held.length <= maxSequence && partial.test(held)) return 0;
    // Abandoned: the broken start is dropped, what follows it is input again.
    return broken.exec(held)?.[0].length ?? 2;
  }

  function single(out: DecodedEvent[]): number {
    const match = singleShift.exec(held);
    const heard = match ? ss3(match[1] ?? "") : undefined;
    if (heard) {
      out.push(heard);
      return match?.[0].length ?? 3;
    }
    if (startOfKey.test(held)) return 0;
    out.push(typed("O", ["alt"]));
    return 2;
  }

  function string(out: DecodedEvent[], kind: string): number {
    const match = stringEnd.exec(held);
    if (match) {
      const heard = readString(kind, held.slice(2, match.index));
      if (heard) out.push(heard);
      return match.index + match[0].length;
    }
    const again = held.indexOf("\x1b", 2);
    if (again !== -1 && again < held.length - 1) return again;
    return held.length > maxString ? held.length : 0;
  }

  // Alt with a key that is a sequence itself, or Escape twice.
  function doubled(out: DecodedEvent[]): number {
    const inner = wholeKey.exec(held.slice(1));
    if (inner) {
      const [heard] = createDecoder(expects).feed(inner[0]);
      if (heard?.type === "key") out.push(key(heard.name, [...modifiersIn(heard.combo), "alt"]));
      return 1 + inner[0].length;
    }
    if (startOfKey.test(held.slice(1))) return 0;
    out.push(key("escape"));
    return 1;
  }

  return {
    feed,
    flush() {
      const out: DecodedEvent[] = [];
      const rest = held;
      held = "";
      if (pasted) {
        pasted.push(rest);
        out.push(pasteEvent());
        return out;
      }
      if (rest === "\x1b") out.push(key("escape"));
      else if (rest === "\x1b\x1b") out.push(key("escape"), key("escape"));
      else if (rest.length === 2) out.push(typed(rest[1] ?? "", ["alt"]));
      return out;
    },
    get waiting() {
      if (pasted) return "paste";
      return held === "" ? undefined : held.length <= 2 ? "key" : "sequence";
    },
  };
}

const isString = (char: string) => char === "]" || char === "P" || char === "_";
const modifiersIn = (combo: string) =>
  (["ctrl", "shift", "super"] as const).filter((each) => combo.includes(`${each}+`));
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const printable = /^[^\x00-\x1f\x7f-\x9f]+/;
// A number and a dollar is a whole key of rxvt; in every other sequence a dollar stands before the end.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const sequence = /^\x1b\[(\[|\d+(?=\$)|[0-?]*[ -/]*)((?<=^\x1b\[\d+)\$|[@-Z\\-~])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const partial = /^\x1b\[[0-?]*[ -/]*$|^\x1b\[\[$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const broken = /^\x1b\[[0-?]*[ -/]*/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const stringEnd = /\x07|\x1b\\|\x9c/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const wholeKey = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O\d?[A-Za-z])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const startOfKey = /^\x1b(?:\[[0-?]*[ -/]*|O\d?)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const singleShift = /^\x1bO(\d?[A-Za-z])/;
