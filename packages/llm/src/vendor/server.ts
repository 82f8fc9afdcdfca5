import { fail, ok, type Result } from "@pith/kit";
import type { Catalog } from "../catalog/catalog.ts";
import { type Endpoint, endpointFrom } from "../route/endpoint.ts";
import type { Api, Env } from "./api.ts";
import { baseVariables } from "./table.ts";
import type { Vendor } from "./vendor.ts";

/** Address of a vendor's server; `moved` when the user set it, so it may be somebody else's server. */
export interface VendorServer {
  endpoint: Endpoint;
  moved: boolean;
}

/**
 * The address: the first variable that is set, else `models.yml`, else that of the catalog or the table for this
 * protocol.
 */
export function serverOf(
  vendor: Vendor,
  env: Env,
  known?: string,
  api: Api = vendor.api,
): Result<VendorServer, "vendor"> {
  const variables = baseVariables(vendor);
  const set = variables.find((variable) => env[variable]?.trim());
  const moved = set !== undefined || vendor.custom?.baseUrl !== undefined;
  const url =
    set === undefined
      ? filled(vendor.custom?.baseUrl ?? known ?? vendor.url, vendor, env)
      : ok(completed(set, env[set]?.trim() ?? ""));
  if (!url.ok) return url;
  const variable =
    set ??
    (vendor.custom?.baseUrl ? `baseUrl of ${vendor.id} in models.yml` : (variables[0] ?? "baseUrl in models.yml"));
  const endpoint = endpointFrom(variable, { [variable]: url.value }, vendor.url);
  return endpoint.ok ? ok({ endpoint: versioned(endpoint.value, api, env), moved }) : endpoint;
}

/** Address from the catalog, for a protocol other than the vendor's usual one. */
export const catalogUrl = (vendor: Vendor, api: string, catalog: Catalog | undefined): string | undefined =>
  api === vendor.api ? undefined : catalog?.urls[api];

/** Completes the version in the path, which users write or leave out. */
function versioned(endpoint: Endpoint, api: Api, env: Env): Endpoint {
  const url = new URL(endpoint.url);
  const path = url.pathname.replace(/\/+$/, "");
  if (api === "ollama-chat") url.pathname = path.replace(/\/v1$/, "");
  else if (api === "anthropic-messages" && !/\/v\d+$/.test(path)) url.pathname = `${path}/v1`;
  else if (api === "google-generative-ai" && !/\/v\d+(?:beta)?$/.test(path)) url.pathname = `${path}/v1beta`;
  else if (api === "google-vertex" && !/\/publishers\//.test(path))
    url.pathname = `${path.replace(/\/v1$/, "")}/v1${vertexProject(env)}/publishers/google`;
  else return endpoint;
  return { ...endpoint, url, shown: (url.origin + url.pathname).replace(/\/+$/, "") };
}

/** Project and location of Vertex; a key implies the project. */
function vertexProject(env: Env): string {
  const project = variableValue("GOOGLE_CLOUD_PROJECT", env);
  return project === undefined || env.GOOGLE_CLOUD_API_KEY?.trim()
    ? ""
    : `/projects/${encodeURIComponent(project)}/locations/${variableValue("GOOGLE_CLOUD_LOCATION", env)}`;
}

/**
 * Turns `OLLAMA_HOST` into an address: it is what the server listens on, often without a scheme, and not always one to
 * connect to.
 */
function completed(variable: string, address: string): string {
  if (variable !== "OLLAMA_HOST") return address;
  const url = URL.parse(/^https?:\/\//.test(address) ? address : `http://${address}`);
  if (url === null) return address;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  if (url.port === "" && url.protocol === "http:" && !/:80\b/.test(address)) url.port = "11434";
  return url.href.replace(/\/+$/, "");
}

/** Holes of an address, and the variables that fill them; the first one set wins. */
const holes: Readonly<Record<string, { variables: readonly string[]; otherwise?: string }>> = {
  AWS_REGION: { variables: ["AWS_REGION", "AWS_DEFAULT_REGION"], otherwise: "us-east-1" },
  GOOGLE_CLOUD_LOCATION: {
    variables: ["GOOGLE_VERTEX_LOCATION", "GOOGLE_CLOUD_LOCATION", "VERTEX_LOCATION"],
    otherwise: "global",
  },
  GOOGLE_CLOUD_PROJECT: { variables: ["GOOGLE_CLOUD_PROJECT", "GCP_PROJECT", "GCLOUD_PROJECT"] },
};

export function variableValue(hole: string, env: Env): string | undefined {
  const { variables, otherwise } = holes[hole] ?? { variables: [hole] };
  return variables.map((variable) => env[variable]?.trim()).find(Boolean) ?? otherwise;
}

function filled(url: string, vendor: Vendor, env: Env): Result<string, "vendor"> {
  let missing: string | undefined;
  // The user's address may be filled with a whole address, a shipped one only with names.
  const fits = vendor.custom?.baseUrl === undefined ? /^[\w.-]+$/ : /^\S+$/;
  const full = url.replace(/\$?\{(\w+)\}/g, (_, hole: string) => {
    const value = variableValue(hole, env);
    if (value === undefined || !fits.test(value)) missing ??= hole;
    return value ?? "";
  });
  const [variable] = baseVariables(vendor);
  if (missing !== undefined)
    return fail("vendor", `${vendor.id} needs ${missing}${variable ? `, or its whole address in ${variable}` : ""}`);
  // Google's global location has no prefix.
  return ok(full.replace("//global-", "//"));
}
