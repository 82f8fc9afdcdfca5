import type { StreamEvent, ToolSpec } from "../../message/stream.ts";
import { newCallId } from "../call-id.ts";
import { extract } from "./extract.ts";

/**
 * Reads the events of a model that writes calls into its text: shows the text up to where a call may begin, and at the
 * end gives the calls as calls. A thought between `<think>` tags at the start, or said once more as text, is a thought.
 */
export class TextCallReader {
  readonly #known: ReadonlySet<string>;
  readonly #newId: () => string;
  /** Places in our reply by places in the model's. */
  readonly #places = new Map<number, number>();
  #next = 0;
  /** Where words go that are not yet shown. */
  #speaking: number | undefined;
  #held = "";
  /** A call has begun: nothing more is shown before the end. */
  #frozen = false;
  #lineStart = true;
  #thought = "";
  /** The first words may be a thought, and a thought between tags goes on until its end tag. */
  #phase: "opening" | "thought" | "words" = "opening";
  #called = false;

  constructor(tools: readonly ToolSpec[], newId: () => string = newCallId) {
    this.#known = new Set(tools.map(({ name }) => name));
    this.#newId = newId;
  }

  read(events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (this.#held === "" && this.#phase === "words" && this.#isPlain(events)) return events;
    const out: StreamEvent[] = [];
    for (const event of events) this.#take(event, out);
    return out;
  }

  /** Most of an answer: words in which nothing can begin. They pass as they are, looked at together. */
  #isPlain(events: readonly StreamEvent[]): boolean {
    const index = this.#speaking ?? -1;
    if (this.#places.get(index) !== index) return false;
    let text = "";
    for (const event of events) {
      if (event.type !== "text" || event.index !== index) return false;
      text += event.delta;
    }
    if (/[<[{`]/.test(text)) return false;
    this.#follow(text);
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
        const called = this.#finish(out);
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

  /** Shows as much of what is held as cannot be the beginning of something else. */
  #show(out: StreamEvent[]): void {
    if (this.#frozen) return;
    if (this.#phase === "opening") this.#open();
    if (this.#phase === "thought") this.#think(out);
    if (this.#phase !== "words") return;
    const whole: ReturnType<typeof beginning> = { from: this.#held.length };
    const begun = this.#called ? whole : beginning(this.#held, this.#lineStart);
    const at = begun.sure || whole.from - begun.from < mostHeld ? begun : whole;
    this.#frozen = at.sure === true;
    this.#say(this.#held.slice(0, at.from), out);
    this.#held = this.#held.slice(at.from);
  }

  /**
   * Decides what the answer begins with: a thought between tags, one that has been said, or words. Until that is clear
   * it is held.
   */
  #open(): void {
    const text = this.#held.trimStart();
    if (text.startsWith(openTag)) {
      this.#phase = "thought";
      this.#held = text.slice(openTag.length).trimStart();
      return;
    }
    if (openTag.startsWith(text) && this.#held.length < mostHeld) return;
    const thought = this.#thought.length < mostEcho ? this.#thought.trim() : "";
    if (thought.length >= leastEcho) {
      if (text.length < thought.length && thought.startsWith(text)) return;
      if (text.startsWith(thought)) this.#held = text.slice(thought.length).trimStart();
    }
    this.#phase = "words";
  }

  #think(out: StreamEvent[]): void {
    const end = this.#held.indexOf(closeTag);
    const last = this.#held.lastIndexOf("<");
    const safe =
      end !== -1 ? end : last !== -1 && closeTag.startsWith(this.#held.slice(last)) ? last : this.#held.length;
    if (safe > 0) out.push({ type: "thinking", index: this.#place(-1), delta: this.#held.slice(0, safe) });
    this.#held = end === -1 ? this.#held.slice(safe) : this.#held.slice(end + closeTag.length).trimStart();
    if (end !== -1) this.#phase = "words";
  }

  #say(text: string, out: StreamEvent[]): void {
    if (text === "" || this.#speaking === undefined) return;
    this.#follow(text);
    out.push({ type: "text", index: this.#place(this.#speaking), delta: text });
  }

  /** Whether the next word stands at the start of a line. */
  #follow(text: string): void {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    this.#lineStart = line.trim() === "" && (this.#lineStart || line.length < text.length);
  }

  /** Gives what was held; true when there were calls in it. */
  #finish(out: StreamEvent[]): boolean {
    let called = false;
    if (this.#phase === "thought") return false;
    for (const piece of this.#called ? [{ text: this.#held }] : extract(this.#held, this.#known)) {
      if ("text" in piece) {
        // What stands behind a call is another block.
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

const openTag = "<think>";
const closeTag = "</think>";
/** Shorter thoughts may well be said again on purpose; longer ones are not compared. */
const leastEcho = 16;
const mostEcho = 20_000;
/** What may begin a call is looked at again with every word that comes; nothing real stays in doubt for so long. */
const mostHeld = 10_000;

/** Where a call begins for sure, or may begin once more has come; the end of the text when nowhere. */
function beginning(text: string, lineStart: boolean): { from: number; sure?: boolean } {
  if (!/[<[{`]/.test(text)) return { from: text.length };
  const mark = /<tool_call>|<function=|\[TOOL_CALLS\]/.exec(text);
  const before = mark ? text.slice(0, mark.index) : text;
  for (
    let at = lineStart ? 0 : before.indexOf("\n") + 1 || before.length;
    at < before.length;
    at = before.indexOf("\n", at) + 1 || before.length
  ) {
    const verdict = bareBeginning(before.slice(at));
    if (verdict !== "no") return { from: at, sure: verdict === "sure" };
    // The blank lines after it would be judged by the same words.
    const blank = /^\s*\n/.exec(before.slice(at))?.[0].length ?? 0;
    at += Math.max(0, blank - 1);
  }
  if (mark) return { from: mark.index, sure: true };
  const last = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  const begun =
    last !== -1 &&
    ["<tool_call>", "<function=", "[TOOL_CALLS]"].some((opening) => opening.startsWith(text.slice(last)));
  return { from: begun ? last : text.length };
}

/** A line that begins a JSON object with the name of a tool, perhaps inside a fence. */
function bareBeginning(text: string): "sure" | "maybe" | "no" {
  const fence = /^[ \t]*(`{1,3})(\w*)[ \t]*(\n?)\s*/.exec(text);
  const body = fence ? text.slice(fence[0].length) : text.trimStart();
  if (fence && (fence[1]?.length ?? 0) < 3) return body === "" && fence[2] === "" ? "maybe" : "no";
  if (fence && fence[3] === "") return body === "" ? "maybe" : "no";
  if (body === "") return fence ? "maybe" : "no";
  if (/^\{\s*"(?:name|tool|function)"/.test(body)) return "sure";
  const begun = /^\{\s*(?:"(\w*))?$/.exec(body);
  return begun && ["name", "tool", "function"].some((key) => key.startsWith(begun[1] ?? "")) ? "maybe" : "no";
}
