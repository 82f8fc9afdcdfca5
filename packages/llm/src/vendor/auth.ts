import type { ApiKey } from "../credential/credential.ts";
import type { Auth } from "../route/auth.ts";
import type { Api, AuthStyle } from "./api.ts";
import type { Vendor } from "./vendor.ts";

/** Usual header of each protocol; the others use a bearer token. */
const usual: Partial<Record<Api, AuthStyle>> = {
  "anthropic-messages": "x-api-key",
  "azure-openai-responses": "api-key",
  "google-generative-ai": "x-goog-api-key",
  "google-vertex": "x-goog-api-key",
};

const behindBearer: ReadonlySet<AuthStyle> = new Set(["bearer", "cf-aig-authorization"]);

/** Headers for a key; without a key there are none, which a local server accepts. */
export function authWith(key: ApiKey | undefined, vendor: Vendor, api: Api): Auth {
  const variable = key?.from ?? vendor.keys[0] ?? "apiKey in models.yml";
  if (!key) return { headers: {}, variable, secrets: [] };
  // A login is always sent as a bearer token.
  const style = key.kind === "oauth" ? "bearer" : (vendor.auth ?? usual[api] ?? "bearer");
  const name = style === "bearer" ? "authorization" : style;
  return {
    headers: { [name]: behindBearer.has(style) ? `Bearer ${key.secret}` : key.secret },
    variable,
    secrets: [key.secret],
  };
}
