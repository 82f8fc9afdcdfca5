import type { Cutter, Framing } from "./framing.ts";

/** Server-sent events: only the data is passed on; names, ids, comments and keep-alives are skipped. */
export const sse: Framing = () => new SseCutter();

class SseCutter implements Cutter {
  readonly #decoder = new TextDecoder();
  /** Beginning of an unfinished line. */
  #rest = "";
  /** Data lines of the current event. */
  #data: string | undefined;
  /** True for a CR at the end of a chunk: alone it ends a line, before an LF it is part of it. */
  #heldCr = false;

  get held(): number {
    return this.#rest.length + (this.#data?.length ?? 0);
  }

  push(bytes: Uint8Array): string[] {
    return this.#cut(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): string | undefined {
    const [whole] = this.#cut(`${this.#decoder.decode()}\n\n`);
    return whole;
  }

  #cut(decoded: string): string[] {
    const fresh = this.#unifyLineEnds(decoded);
    const payloads: string[] = [];
    if (!fresh.includes("\n")) {
      this.#rest += fresh;
      return payloads;
    }
    const text = this.#rest + fresh;
    if (this.#data !== undefined) this.#take(text, payloads);
    else if (text.startsWith("data: ")) this.#cutData(text, payloads);
    else this.#cutEvents(text, payloads);
    return payloads;
  }

  // Native splitting is four times as fast as a search for each line end. Nearly every event is a single data line, so
  // the text between two event ends is the payload.
  #cutData(text: string, payloads: string[]): void {
    const end = text.endsWith("\n\n") ? text.length - 2 : text.lastIndexOf("\n\n");
    if (end === -1) {
      this.#take(text, payloads);
      return;
    }
    const whole = text.slice(6, end);
    for (const event of whole.includes("\n") ? whole.split("\n\ndata: ") : [whole]) {
      if (event === "" || event.includes("\n")) this.#take(`data: ${event}\n\n`, payloads);
      else payloads.push(event);
    }
    this.#rest = "";
    if (end + 2 < text.length) this.#take(text.slice(end + 2), payloads);
  }

  #cutEvents(text: string, payloads: string[]): void {
    const events = text.split("\n\n");
    const rest = events.pop() ?? "";
    for (const event of events) {
      // The data starts after the event's name, if there is one.
      const at = event.startsWith("event:") ? event.indexOf("\n") + 1 : 0;
      const one = event.length > at + 6 && event.startsWith("data: ", at) && !event.includes("\n", at);
      if (one) payloads.push(event.slice(at + 6));
      else this.#take(`${event}\n\n`, payloads);
    }
    this.#take(rest, payloads);
  }

  #take(text: string, payloads: string[]): void {
    const lines = text.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        // An event without data is a keep-alive.
        if (this.#data) payloads.push(this.#data);
        this.#data = undefined;
      } else if (line.startsWith("data:")) {
        const value = line.slice(line.charCodeAt(5) === space ? 6 : 5);
        this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
      }
    }
  }

  #unifyLineEnds(decoded: string): string {
    if (!this.#heldCr && !decoded.includes("\r")) return decoded;
    let text = this.#heldCr ? `\r${decoded}` : decoded;
    this.#heldCr = text.endsWith("\r");
    if (this.#heldCr) text = text.slice(0, -1);
    text = text.replaceAll("\r\n", "\n");
    return text.includes("\r") ? text.replaceAll("\r", "\n") : text;
  }
}

const space = 32;
