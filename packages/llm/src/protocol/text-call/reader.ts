import type { StreamEvent, ToolSpec } from "../../message/stream.ts";
import { newCallId } from "../call-id.ts";
import { extract } from "./extract.ts";

/**
 * Reads the events of a model that writes calls into its text: shows the text up to where a call may begin, and at the end
 * gives the calls as calls. A thought between `<think>` tags at the start, or said once more as text, is a thought.
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
  #opening = true;
  #called = false;

  constructor(tools: readonly ToolSpec[], newId: () => string = newCallId) {
    this.#known = new Set(tools.map(({ name }) => name));
    this.#newId = newId;
  }

  read(events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (this.#held === "" && !this.#opening && this.#isPlain(events)) return events;
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
        const found = this.#finish(out);
        out.push(found && event.reason === "stop" ? { ...event, reason: "toolUse" } : event);
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
    if (this.#frozen || (this.#opening && !this.#openingPassed(out))) return;
    const at = this.#called ? { from: this.#held.length } : beginning(this.#held, this.#lineStart);
    this.#frozen = at.sure === true;
    this.#say(this.#held.slice(0, at.from), out);
    this.#held = this.#held.slice(at.from);
  }

  /** The first words may be a thought: between tags, or one that has been said. */
  #openingPassed(out: StreamEvent[]): boolean {
    const text = this.#held.trimStart();
    if (text.startsWith("<think>")) {
      const end = text.indexOf("</think>");
      if (end === -1) return false;
      out.push({ type: "thinking", index: this.#place(-1), delta: text.slice("<think>".length, end).trim() });
      this.#held = text.slice(end + "</think>".length).trimStart();
      this.#opening = false;
      return true;
    }
    if (text.length < "<think>".length && "<think>".startsWith(text)) return false;
    const thought = this.#thought.trim();
    if (thought.length >= leastEcho) {
      if (text.length < thought.length && thought.startsWith(text)) return false;
      if (text.startsWith(thought)) this.#held = text.slice(thought.length).trimStart();
    }
    this.#opening = false;
    return true;
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
    let found = false;
    // Half a thought is one, too.
    const rest = this.#opening && this.#held.trimStart().startsWith("<think>") ? "" : this.#held;
    if (rest === "" && this.#held !== "") out.push({ type: "thinking", index: this.#place(-1), delta: this.#held.trimStart().slice("<think>".length) });
    for (const piece of this.#called ? [{ text: rest }] : extract(rest, this.#known)) {
      if ("text" in piece) {
        // What stands behind a call is another block.
        if (found) this.#speaking = -2 - this.#next;
        this.#say(piece.text, out);
        continue;
      }
      found = true;
      const index = this.#next++;
      out.push({ type: "call", index, id: this.#newId(), name: piece.name }, { type: "args", index, delta: piece.args });
    }
    return found;
  }
}

/** Shorter thoughts may well be said again on purpose. */
const leastEcho = 16;

/** Where a call begins for sure, or may begin once more has come; the end of the text when nowhere. */
function beginning(text: string, lineStart: boolean): { from: number; sure?: true } {
  if (!/[<[{`]/.test(text)) return { from: text.length };
  const mark = /<tool_call>|<function=|\[TOOL_CALLS\]/.exec(text);
  const before = mark ? text.slice(0, mark.index) : text;
  for (let at = lineStart ? 0 : before.indexOf("\n") + 1 || before.length; at < before.length; at = before.indexOf("\n", at) + 1 || before.length) {
    const verdict = bareBeginning(before.slice(at));
    if (verdict !== "no") return { from: at, ...(verdict === "sure" ? { sure: true as const } : {}) };
  }
  if (mark) return { from: mark.index, sure: true };
  const last = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  const begun = last !== -1 && ["<tool_call>", "<function=", "[TOOL_CALLS]"].some((one) => one.startsWith(text.slice(last)));
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
