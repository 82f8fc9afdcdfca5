import type { Request, StreamEvent } from "../message/stream.ts";

/** A wire format as a pure pair: a request becomes a body, payloads become events. It knows no network. */
export interface Protocol {
  /** Its name in session files. */
  readonly api: string;
  /** In pieces. Those of what was said before are the same strings in the next request, so that they are known. */
  encode(request: Request): readonly string[];
  /** A fresh decoder; one per answer. */
  decoder(request: Request): Decoder;
}

export interface Decoder {
  /** True after the one `stop` or `fail`; later payloads are ignored. */
  readonly ended: boolean;
  /**
   * True when the answer is whole and only figures or the end of the body may follow: a server that then keeps the
   * line open is not waited for.
   */
  readonly settled: boolean;
  /** Takes one payload of the framing and appends what it says to `out`. */
  push(payload: string, out: StreamEvent[]): void;
  /** The body is over; `rest` is a last payload that nothing terminated, whole or cut. */
  end(out: StreamEvent[], rest?: string): void;
}
