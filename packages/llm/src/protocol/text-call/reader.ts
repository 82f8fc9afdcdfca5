import type { StreamEvent, ToolSpec } from "../../message/stream.ts";
import { newTextCallId } from "../call-id.ts";
import { positionAfter, startOfText } from "../fence.ts";
import { extractCalls } from "./extract.ts";
import { type KnownTools, knownTools } from "./known.ts";
import { beginning, hasSigns, isPlain } from "./mark.ts";

/**
 * Reads a stream whose text may contain calls: passes text on up to where a call may begin, and emits the calls at the
 * end. A thought between tags at the start, or repeated as text, becomes a thought.
 */
export class TextCallReader {
  readonly #known: KnownTools;
  readonly #isQuote: (call: string) => boolean;
  readonly #newId: () => string;
  /** Our block indexes by the model's. */
  readonly #places = new Map<number, number>();
  #next = 0;
  /** Block index of text that is held back. */
  #speaking: number | undefined;
  #held = "";
  /** True when a call has begun: nothing more is shown before the end. */
  #frozen = false;
  #lineStart = true;
  /** Text shown so far; its position is worked out only if a call follows. */
  readonly #shown: string[] = [];
  #thought = "";
  /** The answer may begin with a thought; a thought between tags lasts until its end tag. */
  #phase: "opening" | "thought" | "words" = "opening";
  #close = "";
  #called = false;

  constructor(tools: readonly ToolSpec[], isQuote = (_call: string): boolean => false, newId = newTextCallId) {
    this.#known = knownTools(tools);
    this.#isQuote = isQuote;
    this.#newId = newId;
  }

  read(events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (this.#held === "" && this.#phase === "words" && this.#isPlain(events)) return events;
    const out: StreamEvent[] = [];
    for (const event of events) this.#take(event, out);
    return out;
  }

  /** True for events of plain text, which is most of an answer; they are checked together and passed on unchanged. */
  #isPlain(events: readonly StreamEvent[]): boolean {
    const index = this.#speaking ?? -1;
    if (this.#places.get(index) !== index) return false;
    let text = "";
    for (const event of events) {
      if (event.type !== "text" || event.index !== index) return false;
      text = text === "" ? event.delta : text + event.delta;
    }
    if (this.#lineStart || hasSigns(text)) {
      if (!isPlain(text, this.#lineStart)) return false;
      this.#follow(text);
    }
    this.#shown.push(text);
    return true;
  }

  #take(event: StreamEvent, out: StreamEvent[]): void {
    switch (event.type) {
      case "text":
        this.#speaking = event.index;
        this.#held += event.delta;
        this.#show(out);
        return;
      case "thinking":
        this.#thought += event.delta;
        out.push({ ...event, index: this.#place(event.index) });
        return;
      case "call":
        this.#called = true;
        out.push({ ...event, index: this.#place(event.index) });
        return;
      case "args":
      case "signature":
        out.push({ ...event, index: this.#place(event.index) });
        return;
      case "stop": {
        const called = this.#finish(out, event.reason === "length");
        out.push(called && event.reason === "stop" ? { ...event, reason: "toolUse" } : event);
        return;
      }
      default:
        out.push(event);
    }
  }

  #place(index: number): number {
    const known = this.#places.get(index);
    if (known !== undefined) return known;
    this.#places.set(index, this.#next);
    return this.#next++;
  }

  /** Shows the held text up to a possible beginning of a call or thought. */
  #show(out: StreamEvent[]): void {
    if (this.#frozen) return;
    // The end of a thought may be followed by the mark of an answer or of another thought.
    for (let before = ""; before !== this.#phase && this.#phase !== "words"; ) {
      before = this.#phase;
      if (this.#phase === "opening") this.#open();
      else this.#think(out);
    }
    if (this.#phase !== "words") return;
    const whole: ReturnType<typeof beginning> = { from: this.#held.length };
    const begun = this.#called ? whole : beginning(this.#held, this.#lineStart);
    const at = begun.sure || whole.from - begun.from < mostHeld ? begun : whole;
    this.#frozen = at.sure === true;
    this.#say(this.#held.slice(0, at.from), out);
    this.#held = this.#held.slice(at.from);
  }

  /**
   * Decides whether the answer begins with a thought between tags, a repeated thought, or text; until that is clear the
   * text is held back.
   */
  #open(): void {
    const text = this.#held.trimStart();
    const thought = thoughts.find(({ open }) => text.startsWith(open));
    if (thought) {
      this.#phase = "thought";
      this.#close = thought.close;
      this.#held = text.slice(thought.open.length).trimStart();
      return;
    }
    const answer = answers.find((mark) => text.startsWith(mark));
    if (answer) this.#held = text.slice(answer.length).trimStart();
    else if (this.#held.length < mostHeld && openings.some((mark) => mark.startsWith(text))) return;
    const said = this.#thought.length < mostEcho ? this.#thought.trim() : "";
    if (!answer && said.length >= leastEcho) {
      if (text.length < said.length && said.startsWith(text)) return;
      if (text.startsWith(said)) this.#held = text.slice(said.length).trimStart();
    }
    this.#phase = "words";
  }

  #think(out: StreamEvent[]): void {
    const close = this.#close;
    const end = this.#held.indexOf(close);
    const last = this.#held.lastIndexOf(close[0] ?? "");
    const safe = end !== -1 ? end : last !== -1 && close.startsWith(this.#held.slice(last)) ? last : this.#held.length;
    if (safe > 0) out.push({ type: "thinking", index: this.#place(-1), delta: this.#held.slice(0, safe) });
    this.#held = end === -1 ? this.#held.slice(safe) : this.#held.slice(end + close.length).trimStart();
    // Some models mark their answer too.
    if (end !== -1) this.#phase = "opening";
  }

  #say(text: string, out: StreamEvent[]): void {
    if (text === "" || this.#speaking === undefined) return;
    this.#follow(text);
    this.#shown.push(text);
    out.push({ type: "text", index: this.#place(this.#speaking), delta: text });
  }

  /** Keeps track of whether the next text is at the start of a line. */
  #follow(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0 || this.#lineStart) this.#lineStart = text.slice(end).trim() === "";
  }

  /** Emits the held text; true when it contained calls. */
  #finish(out: StreamEvent[], isCut: boolean): boolean {
    let called = false;
    if (this.#phase === "thought") return false;
    const around = { before: positionAfter(startOfText, this.#shown.join("")), isCut, isQuote: this.#isQuote };
    for (const piece of this.#called ? [{ text: this.#held }] : extractCalls(this.#held, this.#known, around)) {
      if ("text" in piece) {
        // Text after a call is another block.
        if (called) this.#speaking = -2 - this.#next;
        this.#say(piece.text, out);
        continue;
      }
      called = true;
      const index = this.#next++;
      out.push(
        { type: "call", index, id: this.#newId(), name: piece.name },
        { type: "args", index, delta: piece.args },
      );
    }
    return called;
  }
}

/** Tags of thoughts. */
const thoughts = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
  { open: "[THINK]", close: "[/THINK]" },
  { open: "◁think▷", close: "◁/think▷" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
  { open: "<|channel|>analysis<|message|>", close: "<|end|>" },
  { open: "<|start|>assistant<|channel|>analysis<|message|>", close: "<|end|>" },
];
/** Marks before an answer. */
const answers = [
  ...["", "<|start|>assistant"].flatMap((start) =>
    ["final", "final <|constrain|>json", "commentary"].map((channel) => `${start}<|channel|>${channel}<|message|>`),
  ),
  "<|START_RESPONSE|>",
  "<|START_TEXT|>",
  "<|start_header_id|>assistant<|end_header_id|>",
];
const openings = [...thoughts.map(({ open }) => open), ...answers];
/** Shorter thoughts may be repeated on purpose; longer ones are not compared. */
const leastEcho = 16;
const mostEcho = 20_000;
/** Longest text that is held back, since it is checked again with every piece. */
const mostHeld = 10_000;
