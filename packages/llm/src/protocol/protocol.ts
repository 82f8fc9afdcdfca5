import type { Request, StreamEvent } from "../message/stream.ts";

/** A wire format: encodes requests and decodes payloads. It does no I/O. */
export interface Protocol {
  /** Name in session files. */
  readonly api: string;
  /**
   * The body in pieces. Pieces of earlier messages are the same strings in the next request, so that they are
   * recognised.
   */
  encode(request: Request): readonly string[];
  /** Creates a decoder for one answer. */
  decoder(request: Request): Decoder;
}

export interface Decoder {
  /** True after the one `stop` or `fail`; later payloads are ignored. */
  readonly ended: boolean;
  /**
   * True when the answer is complete and only token counts or the end of the body may follow: a server that keeps the
   * connection open is not waited for.
   */
  readonly settled: boolean;
  /** Decodes one payload and appends its events to `out`. */
  push(payload: string, out: StreamEvent[]): void;
  /** Ends the body; `rest` is an unterminated last payload, whole or cut. */
  end(out: StreamEvent[], rest?: string): void;
}
