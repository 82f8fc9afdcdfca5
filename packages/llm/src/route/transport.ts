import type { Compat } from "../model/compat.ts";
import type { Model } from "../model/model.ts";

/** What brings a request to a server and its answer back: the network, unless somebody stands in for it. */
export type Transport = (url: URL, init: RequestInit) => Promise<Response>;

/** What a request is made with; together with its body it can be made again. */
export interface TransportContext {
  model: Model;
  compat: Compat;
  /** Whether calls are also looked for in the text of answers. */
  byText: boolean;
  /** Never to be written down. */
  secrets: readonly string[];
}

/** Who stands between a passage and the network. */
export type WrapTransport = (passage: TransportContext, carrier: Transport) => Transport;

/** The words of a body; those who send may use its bytes again as soon as the request is on its way. */
export const bodyText = ({ body }: RequestInit): string =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body ?? "");

/** Who shall stand there. */
export interface TransportOptions {
  /** The file of a new cassette. */
  record?: string | undefined;
  /** Is told why nothing more is recorded. */
  lost?: ((why: string) => void) | undefined;
  /** The seed of a bad day. */
  chaos?: number | undefined;
}
