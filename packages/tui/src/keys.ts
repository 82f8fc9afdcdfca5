// The side door for whoever reads keys and opens no screen.
export { createDecoder, type DecodedEvent } from "./input/decoder.ts";
export { suspendable } from "./terminal/lifetime.ts";
