import type { Request, StreamEvent } from "../message/stream.ts";
import type { Model } from "../model/model.ts";
import type { Framing } from "../route/framing/framing.ts";
import type { Listing } from "../route/listing.ts";

/** A wire protocol: encodes requests and decodes payloads. It does no I/O. */
export interface Protocol {
  /** Name in session files. */
  readonly api: string;
  readonly framing: Framing;
  /** Path below the endpoint, which includes the version; a query may follow. */
  path(model: Pick<Model, "id">): string;
  /** Path of the vendor's own summaries, if it has them. */
  readonly sealPath?: string;
  readonly headers?: (request: Request) => Readonly<Record<string, string>>;
  /** Format of the server's list of models. */
  readonly listing?: Listing;
  /** The body in pieces. Pieces of earlier messages are the same strings in the next request, so that they are recognised. */
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
