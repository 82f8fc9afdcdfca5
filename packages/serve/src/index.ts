export { readBody } from "./body.ts";
export type { Access, Tokens } from "./guard.ts";
export { type Admitted, createTokens, type Handler, listenAtAddress, listenAtSocket } from "./listen.ts";
export { jsonResponse, refused, streamResponse } from "./response.ts";
export { eventStream, type LineQueue, type LineSource } from "./sse.ts";
