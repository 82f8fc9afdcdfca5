import { fail, ok, type Result } from "@pith/kit";
import { keyFor, keyVariable } from "../credential/credential.ts";
import type { Endpoint } from "./endpoint.ts";

/** Who we are to a server. */
export interface Auth {
  headers: Readonly<Record<string, string>>;
  /** What the user sets to change it. */
  variable: string;
  secrets: readonly string[];
  /** Headers that depend on what is sent. */
  sign?(message: Unsigned): Readonly<Record<string, string>>;
}

export interface Unsigned {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  now: number;
}

/** `authorization: Bearer`. A server nearby may do without a key; any other needs one. */
export function bearer(vendor: string, env: Readonly<Record<string, string | undefined>>, endpoint: Endpoint): Result<Auth, "credential"> {
  const variable = keyVariable(vendor);
  const key = keyFor(vendor, env);
  if (!key.ok) return key;
  if (key.value !== undefined) return ok({ headers: { authorization: `Bearer ${key.value}` }, variable, secrets: [key.value] });
  if (endpoint.near) return ok({ headers: {}, variable, secrets: [] });
  return fail("credential", `${vendor} needs a key: set ${variable}, or point ${endpoint.variable} at a server of your own`);
}
