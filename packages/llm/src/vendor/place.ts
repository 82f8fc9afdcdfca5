import { fail, ok, type Result } from "@pith/kit";
import { type Endpoint, endpointFrom } from "../route/endpoint.ts";
import type { Vendor } from "./registry.ts";
import { baseVariables } from "./table.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where a vendor's server is, and whether somebody moved it: then it may not be the vendor's own. */
export interface Place {
  endpoint: Endpoint;
  moved: boolean;
}

/** The first variable that is set, else `models.yml`, else the server for this protocol that the catalog or the table knows. */
export function placeOf(vendor: Vendor, env: Env, known?: string): Result<Place, "vendor"> {
  const variables = baseVariables(vendor);
  const set = variables.find((variable) => env[variable]?.trim());
  const moved = set !== undefined || vendor.own?.baseUrl !== undefined;
  const url = set === undefined ? filled(vendor.own?.baseUrl ?? known ?? vendor.url, vendor, env) : ok(completed(set, env[set]?.trim() ?? ""));
  if (!url.ok) return url;
  const variable = set ?? (vendor.own?.baseUrl ? `baseUrl of ${vendor.id} in models.yml` : (variables[0] ?? "baseUrl in models.yml"));
  const endpoint = endpointFrom(variable, { [variable]: url.value }, vendor.url);
  return endpoint.ok ? ok({ endpoint: endpoint.value, moved }) : endpoint;
}

/** `OLLAMA_HOST` is what the server listens on: often without a scheme, and not always an address one can call. */
function completed(variable: string, given: string): string {
  if (variable !== "OLLAMA_HOST") return given;
  const url = URL.parse(/^https?:\/\//.test(given) ? given : `http://${given}`);
  if (url === null) return given;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  if (url.port === "" && url.protocol === "http:" && !/:80\b/.test(given)) url.port = "11434";
  return url.href.replace(/\/+$/, "");
}

/** Holes of an address, and the variables that fill them, the first one set. */
const holes: Readonly<Record<string, { variables: readonly string[]; otherwise?: string }>> = {
  AWS_REGION: { variables: ["AWS_REGION", "AWS_DEFAULT_REGION"], otherwise: "us-east-1" },
  GOOGLE_CLOUD_LOCATION: { variables: ["GOOGLE_VERTEX_LOCATION", "GOOGLE_CLOUD_LOCATION", "VERTEX_LOCATION"], otherwise: "global" },
};

export function valueFor(hole: string, env: Env): string | undefined {
  const { variables, otherwise } = holes[hole] ?? { variables: [hole] };
  return variables.map((variable) => env[variable]?.trim()).find(Boolean) ?? otherwise;
}

function filled(url: string, vendor: Vendor, env: Env): Result<string, "vendor"> {
  let missing: string | undefined;
  const full = url.replace(/\{(\w+)\}/g, (_, hole: string) => {
    const value = valueFor(hole, env);
    if (value === undefined || !/^[\w.-]+$/.test(value)) missing ??= hole;
    return value ?? "";
  });
  if (missing !== undefined) return fail("vendor", `${vendor.id} needs ${missing}, or its whole address in ${baseVariables(vendor)[0]}`);
  // One place of Google's has no name of its own.
  return ok(full.replace("//global-", "//"));
}
