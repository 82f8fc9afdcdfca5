import { ok } from "@pith/kit";
import { openaiChat } from "../protocol/openai-chat.ts";
import { bearer } from "../route/auth.ts";
import { endpointFrom } from "../route/endpoint.ts";
import { streamOf } from "../route/route.ts";
import { sse } from "../route/sse.ts";
import type { Vendor } from "./vendor.ts";

const own = "https://api.openai.com/v1";

export const openai: Vendor = {
  defaultModel: "gpt-5.5",
  connect({ env, clock }) {
    const endpoint = endpointFrom("OPENAI_BASE_URL", env, own);
    if (!endpoint.ok) return endpoint;
    const auth = bearer("openai", env, endpoint.value);
    if (!auth.ok) return auth;
    // Other servers of this protocol know the older name of the limit.
    const protocol = openaiChat({ maxTokensField: endpoint.value.shown === own ? "max_completion_tokens" : "max_tokens" });
    const stream = streamOf({ vendor: "openai", protocol, framing: sse, endpoint: endpoint.value, path: "/chat/completions", auth: auth.value, clock });
    return ok({ api: protocol.api, stream });
  },
};
