import { type StreamEvent, taskComplete } from "../message/stream.ts";
import { fenceAfter } from "./fence.ts";

/** Protocols with signed thoughts, which must be sent back unchanged. */
const signs: ReadonlySet<string> = new Set([
  "anthropic-messages",
  "bedrock-converse-stream",
  "google-generative-ai",
  "google-vertex",
]);

/**
 * Removes the completion word from streamed text and thoughts; a possible beginning of it is held back until it is
 * clear. The word counts where it ends a text or a thought, outside of code, in an answer without calls. In thoughts
 * that may be signed it is detected and left in place.
 */
export class CompletionReader {
  readonly #word: string;
  readonly #spoken = new Map<number, Spoken>();
  readonly #signs: boolean;
  #called = false;

  constructor(word: string, api: string) {
    this.#word = word.toLowerCase();
    this.#signs = signs.has(api);
  }

  read(events: readonly StreamEvent[]): readonly StreamEvent[] {
    const out: StreamEvent[] = [];
    for (const event of events) this.#take(event, out);
    return out;
  }

  #take(event: StreamEvent, out: StreamEvent[]): void {
    if (event.type === "text" || event.type === "thinking") {
      const known = this.#spoken.get(event.index);
      const spoken = known ?? new Spoken(this.#word, event.type);
      if (!known) this.#spoken.set(event.index, spoken);
      const taken = spoken.take(event.delta);
      const delta = this.#isLeft(event.type) ? event.delta : taken;
      // A block with nothing but the word is not opened.
      if (delta !== "") out.push(delta === event.delta ? event : { ...event, delta });
      return;
    }
    if (event.type === "call") this.#called = true;
    if (event.type !== "stop" && event.type !== "fail") {
      out.push(event);
      return;
    }
    for (const [index, spoken] of this.#spoken) {
      const delta = spoken.rest();
      if (delta !== "" && !this.#isLeft(spoken.type)) out.push({ type: spoken.type, index, delta });
    }
    const ended = [...this.#spoken.values()].some(({ done }) => done) && !this.#called;
    out.push(event.type === "stop" && ended && event.reason === "stop" ? { ...event, raw: taskComplete } : event);
  }

  #isLeft(type: Spoken["type"]): boolean {
    return type === "thinking" && this.#signs;
  }
}

/** Reads one text or thought as it streams. */
class Spoken {
  readonly type: "text" | "thinking";
  readonly #word: string;
  readonly #pattern: RegExp;
  #held = "";
  /** Beginning of the current line, long enough to detect a fence. */
  #line = "";
  #fence = "";
  /** Emphasis marks before the word that are still to be closed. */
  #marks = 0;
  /** True when the word was said and nothing followed that counts. */
  done = false;

  constructor(word: string, type: "text" | "thinking") {
    this.#word = word;
    this.type = type;
    // The word may follow space and marks for bold or code.
    this.#pattern = new RegExp(`\\s{0,${mostSpace}}([*_\`]{0,3})\\${word[0]}`);
  }

  /** Takes a piece and returns what can be shown. */
  take(delta: string): string {
    let text = this.#held + delta;
    this.#held = "";
    let shown = "";
    for (;;) {
      text = this.#closed(text);
      const match = this.#pattern.exec(text);
      const from = match?.index ?? text.length - (before.exec(text.slice(-mostSpace - 3))?.[0].length ?? 0);
      shown += this.#say(text.slice(0, from));
      if (!match) {
        this.#held = text.slice(from);
        return shown;
      }
      const at = from + match[0].length - 1;
      const said = text.slice(at, at + this.#word.length).toLowerCase();
      if (this.#inCode(text.slice(from, at)) || !this.#word.startsWith(said)) {
        shown += this.#say(text.slice(from, at + 1));
        text = text.slice(at + 1);
      } else if (said === this.#word) {
        this.done = true;
        this.#marks = match[1]?.length ?? 0;
        text = text.slice(at + said.length);
      } else {
        this.#held = text.slice(from);
        return shown;
      }
    }
  }

  /** Returns what was held at the end of the answer; a beginning of the word is dropped, with the space before it. */
  rest(): string {
    const held = this.#held;
    this.#held = "";
    return this.done || held.trim().length > 3 ? "" : held;
  }

  #closed(text: string): string {
    const marks = new RegExp(`^[*_\`]{0,${this.#marks}}`).exec(text)?.[0].length ?? 0;
    this.#marks = text.length > marks ? 0 : this.#marks - marks;
    return text.slice(marks);
  }

  #say(text: string): string {
    if (/[^\s*_.`]/.test(text)) this.done = false;
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      if (at > 0) {
        this.#fence = fenceAfter(this.#fence, this.#line);
        this.#line = "";
      }
      this.#line = (this.#line + line).slice(0, mostLine);
    }
    return text;
  }

  /** True when text after `before` is code. */
  #inCode(before: string): boolean {
    const ended = before.includes("\n");
    const fence = ended ? fenceAfter(this.#fence, this.#line) : this.#fence;
    return fence !== "" && (ended || fenceAfter(fence, this.#line) !== "");
  }
}

const mostLine = 80;
/** Space and marks before the word are held only up to this length. */
const mostSpace = 40;
const before = new RegExp(`\\s{0,${mostSpace}}[*_\`]{0,3}$`);
