import type { ApiKey } from "../credential/credential.ts";
import type { Auth } from "../route/auth.ts";
import type { Api, AuthStyle } from "./api.ts";
import type { Vendor } from "./vendor.ts";

/** How each protocol carries a key, unless a vendor does it in its own way. */
const usual: Partial<Record<Api, AuthStyle>> = {
  "anthropic-messages": "x-api-key",
  "azure-openai-responses": "api-key",
  "google-generative-ai": "x-goog-api-key",
  "google-vertex": "x-goog-api-key",
};

const behindBearer: ReadonlySet<AuthStyle> = new Set(["bearer", "cf-aig-authorization"]);

/** The headers of a key; without a key there are none, and a server nearby is content with that. */
export function authWith(key: ApiKey | undefined, vendor: Vendor, api: Api): Auth {
  const variable = key?.from ?? vendor.keys[0] ?? "apiKey in models.yml";
  if (!key) return { headers: {}, variable, secrets: [] };
  // A login is a bearer everywhere.
  const style = key.kind === "oauth" ? "bearer" : (vendor.auth ?? usual[api] ?? "bearer");
  const name = style === "bearer" ? "authorization" : style;
  return {
    headers: { [name]: behindBearer.has(style) ? `Bearer ${key.secret}` : key.secret },
    variable,
    secrets: [key.secret],
  };
}
