import type { Cutter, Framing } from "./framing.ts";

/** Server-sent events: only their data matters here; names, ids, comments and keep-alives are passed over. */
export const sse: Framing = () => new SseCutter();

class SseCutter implements Cutter {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not come. */
  #rest = "";
  /** Lines of the running event. */
  #data: string | undefined;
  /** A CR at the very end of a chunk: alone it ends a line, before a LF it is part of it. */
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

  // Splitting is native and four times as fast as looking for each end of line. Nearly every event is one line, and
  // where it has no name that line is its data: what stands between two ends of an event is then all there is to read.
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
      // Behind its name, where it has one.
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
