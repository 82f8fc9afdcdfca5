import { hasher } from "@pith/kit";
import { guessedModel, type ModelFacts, unknownModel } from "../catalog/catalog.ts";
import type { Model } from "../model/model.ts";
import type { Endpoint } from "../route/endpoint.ts";
import { type ListingRow, listingRows, queryJson } from "../route/listing.ts";
import { parameterSize } from "./size.ts";
import type { Vendor } from "./vendor.ts";

/** A model as its server describes it. A changed `digest` is another model of the same name. */
export type ServedModel = { id: string; digest?: string } & Partial<
  Pick<ModelFacts, "contextWindow" | "input" | "reasoning" | "tools" | "size">
>;

/** Window for Ollama models unless set otherwise: a model's whole window may not fit into memory. */
const ollamaWindow = 32_768;

/**
 * Models that a server lists; undefined if it does not answer in time or in a known format. Anybody may listen on a
 * well-known local port, so a key is sent only where the user named the address.
 */
export async function listModels(
  vendor: string,
  endpoint: Endpoint,
  env: Env,
  timeoutMs: number,
  headers: Readonly<Record<string, string>> = {},
  failed?: (why: string) => void,
): Promise<ServedModel[] | undefined> {
  if (vendor === "ollama") return named(await get(endpoint, "/api/tags", timeoutMs), "models", "name");
  if (vendor === "lm-studio") {
    const answer = await get({ ...endpoint, url: new URL(endpoint.url.origin) }, "/api/v0/models", timeoutMs);
    const list = (listingRows(answer, "data") ?? []).filter((row) => row.type !== "embeddings");
    if (list.length > 0) return list.flatMap(heardAtLmStudio);
  }
  return named(await queryJson({ endpoint, path: "/models", init: { headers }, timeoutMs, failed }), "data", "id", env);
}

/** Details of one model from its server. */
export async function describeModel(
  vendor: string,
  endpoint: Endpoint,
  id: string,
  env: Env,
  timeoutMs: number,
): Promise<ServedModel | undefined> {
  if (vendor === "ollama") return heardAtOllama(id, await post(endpoint, "/api/show", { model: id }, timeoutMs), env);
  const heard = (await listModels(vendor, endpoint, env, timeoutMs))?.find((model) => model.id === id);
  if (vendor !== "llama.cpp" || heard?.contextWindow !== undefined) return heard;
  const props = (await get(endpoint, "/props", timeoutMs)) as
    | { default_generation_settings?: { n_ctx?: unknown }; modalities?: { vision?: unknown } }
    | undefined;
  const window = count(props?.default_generation_settings?.n_ctx);
  return {
    id,
    ...(window ? { contextWindow: window } : {}),
    ...(props?.modalities?.vision === true ? { input: ["text", "image"] as const } : {}),
  };
}

/** Window that an Ollama server has reserved for a loaded model. */
export async function servedWindow(endpoint: Endpoint, id: string, timeoutMs: number): Promise<number | undefined> {
  const rows = listingRows(await get(endpoint, "/api/ps", timeoutMs), "models") ?? [];
  const isIt = (name: unknown) => name === id || name === `${id}:latest`;
  return count(rows.find(({ name, model }) => isIt(name) || isIt(model))?.context_length);
}

/** A model with its server's description. One without a window counts as unknown. */
export function modelServed(vendor: Vendor, { digest: _, ...said }: ServedModel): Model {
  const guess = guessedModel(vendor, said.id);
  if (said.contextWindow === undefined) return { ...guess, ...said };
  const model = { ...unknownModel(vendor.id, said.id, vendor.api), ...said };
  return { ...model, maxOutput: Math.min(model.maxOutput, Math.ceil(model.contextWindow / 2)), known: true };
}

type Env = Readonly<Record<string, string | undefined>>;

function heardAtOllama(id: string, shown: unknown, env: Env): ServedModel | undefined {
  const {
    model_info: info,
    capabilities,
    details,
    modified_at,
  } = (shown ?? {}) as ListingRow & { model_info?: ListingRow };
  if (!info && !capabilities) return undefined;
  const key = Object.keys(info ?? {}).find((name) => name.endsWith(".context_length"));
  const [most, wanted] = [count(key && info?.[key]), count(Number(env.OLLAMA_CONTEXT_LENGTH)) ?? ollamaWindow];
  const can = Array.isArray(capabilities) ? capabilities : [];
  return {
    id,
    digest: hasher("sha256")
      .update(JSON.stringify([details, modified_at, capabilities]))
      .digest("hex"),
    ...sizeOf(String((details as ListingRow | undefined)?.parameter_size ?? "")),
    contextWindow: Math.min(most ?? wanted, wanted),
    input: can.includes("vision") ? ["text", "image"] : ["text"],
    reasoning: can.includes("thinking"),
    ...(Array.isArray(capabilities) && !can.includes("tools") ? { tools: false } : {}),
  };
}

function heardAtLmStudio(row: ListingRow): ServedModel[] {
  if (typeof row.id !== "string") return [];
  const window = count(row.loaded_context_length) ?? count(row.max_context_length);
  return [
    {
      id: row.id,
      ...(window ? { contextWindow: window } : {}),
      input: row.type === "vlm" ? ["text", "image"] : ["text"],
    },
  ];
}

function named(answer: unknown, list: string, key: string, env?: Env): ServedModel[] | undefined {
  return listingRows(answer, list)?.flatMap((row) => {
    const [id, meta] = [row[key], (row.meta ?? {}) as ListingRow];
    const [window, parameters] = [count(row.max_model_len) ?? count(meta.n_ctx), count(meta.n_params)];
    const size = parameters
      ? { size: parameters / 1e9 }
      : sizeOf(String((row.details as ListingRow)?.parameter_size ?? ""));
    return typeof id === "string" && id !== "" && (env === undefined || !/embed/i.test(id))
      ? [{ id, ...size, ...(window ? { contextWindow: window } : {}) }]
      : [];
  });
}

function sizeOf(said: string): { size?: number } {
  const size = parameterSize(said);
  return size === undefined ? {} : { size };
}

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

const get = (endpoint: Endpoint, path: string, timeoutMs: number) => queryJson({ endpoint, path, timeoutMs });
const post = (endpoint: Endpoint, path: string, body: unknown, timeoutMs: number) =>
  queryJson({
    endpoint,
    path,
    init: { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    timeoutMs,
  });
