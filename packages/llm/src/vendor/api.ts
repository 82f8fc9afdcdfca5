import type { Clock } from "@pith/kit";

/** Protocols by their names in session files and `models.yml`. */
export const apis = [
  "openai-completions",
  "openai-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "google-generative-ai",
  "google-vertex",
  "bedrock-converse-stream",
  "ollama-chat",
] as const;
export type Api = (typeof apis)[number];

/** The protocol of a name; two have a shorter name. */
export function apiNamed(name: string): Api | undefined {
  const long = name === "ollama" ? "ollama-chat" : name === "bedrock-converse" ? "bedrock-converse-stream" : name;
  return apis.find((api) => api === long);
}

/** Header that carries a key. */
export type AuthStyle = "bearer" | "x-api-key" | "api-key" | "x-goog-api-key" | "cf-aig-authorization";

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface VendorEnvironment {
  env: Env;
  clock: Clock;
}
