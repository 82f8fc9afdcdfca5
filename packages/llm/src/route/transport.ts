import type { Compat } from "../model/compat.ts";
import type { Model } from "../model/model.ts";

/** Sends a request and returns the response: `fetch`, or a replacement. */
export type Transport = (url: URL, init: RequestInit) => Promise<Response>;

/** Context of a request; with the body it is enough to repeat the request. */
export interface TransportContext {
  model: Model;
  compat: Compat;
  /** True when calls are also searched in the text of answers. */
  byText: boolean;
  /** Never written down. */
  secrets: readonly string[];
}

/** Wraps the transport of one route. */
export type WrapTransport = (context: TransportContext, transport: Transport) => Transport;

/** Text of a body. The caller may reuse the bytes once the request is sent, so take it before. */
export const bodyText = ({ body }: RequestInit): string =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body ?? "");

/** Options for a wrapped network. */
export interface TransportOptions {
  /** File of a new cassette. */
  record?: string | undefined;
  /** Called when recording has stopped, with the reason. */
  lost?: ((why: string) => void) | undefined;
  /** Seed for a misbehaving network. */
  chaos?: number | undefined;
}
