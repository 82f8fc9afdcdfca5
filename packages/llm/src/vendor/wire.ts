import type { Key } from "../credential/credential.ts";
import type { Compat } from "../message/compat.ts";
import type { Endpoint } from "../route/endpoint.ts";
import type { Route } from "../route/route.ts";
import { sse } from "../route/sse.ts";
import type { Vendor } from "./registry.ts";
import type { Api, Door } from "./vendor.ts";

/** What of a route depends on the protocol. */
export type Wire = Pick<Route, "protocol" | "framing" | "path"> & Partial<Pick<Route, "headers">>;

export interface WireParts extends Door {
  vendor: Vendor;
  endpoint: Endpoint;
  compat: Compat;
  key: Key | undefined;
}

/** Loads a protocol and says how it is spoken at this place. */
export const wires: Readonly<Partial<Record<Api, (parts: WireParts) => Promise<Wire>>>> = {
  "openai-completions": async ({ compat }) => {
    const { openaiChat } = await import("../protocol/openai-chat.ts");
    return { protocol: openaiChat(compat), framing: sse, path: "/chat/completions" };
  },
};
