import { defined, hasher, recordOf } from "@pith/kit";
import { guessedModel, type ModelFacts, unknownModel } from "../catalog/catalog.ts";
import type { Model } from "../model/model.ts";
import type { Endpoint } from "../route/endpoint.ts";
import { type ListingRow, listingRows, queryJson } from "../route/listing.ts";
import type { Env } from "./api.ts";
import { parameterSize } from "./size.ts";
import type { Vendor } from "./vendor.ts";

/** A model as its server describes it. A changed `digest` is another model of the same name. */
export type ServedModel = { id: string; digest?: string } & Partial<
  Pick<ModelFacts, "contextWindow" | "input" | "reasoning" | "tools" | "size">
>;

/** Window for Ollama models unless set otherwise: a model's whole window may not fit into memory. */
const ollamaWindow = 32_768;

/** A server to ask for its models. */
export interface ModelServer {
  vendor: string;
  endpoint: Endpoint;
  env: Env;
  timeoutMs: number;
  headers?: Readonly<Record<string, string>>;
  /** Called with the reason when there is no answer. */
  failed?: (why: string) => void;
}

/**
 * Models that a server lists; undefined if it does not answer in time or in a known format. Anybody may listen on a
 * well-known local port, so a key is sent only where the user named the address.
 */
export async function listModels(server: ModelServer): Promise<ServedModel[] | undefined> {
  const { vendor, endpoint, headers = {}, timeoutMs, failed } = server;
  if (vendor === "ollama") return rowsOf(await get(server, "/api/tags"), "models", "name");
  if (vendor === "lm-studio") {
    const answer = await get({ ...server, endpoint: { ...endpoint, url: new URL(endpoint.url.origin) } }, lmStudioPath);
    const list = (listingRows(answer, "data") ?? []).filter((row) => row.type !== "embeddings");
    if (list.length > 0) return list.flatMap(lmStudioModel);
  }
  const rows = rowsOf(
    await queryJson({ endpoint, path: "/models", init: { headers }, timeoutMs, failed }),
    "data",
    "id",
  );
  return rows?.filter(({ id }) => !/embed/i.test(id));
}

/** Details of one model from its server. */
export async function describeModel(server: ModelServer, id: string): Promise<ServedModel | undefined> {
  if (server.vendor === "ollama") return ollamaModel(id, await post(server, "/api/show", { model: id }), server.env);
  const listed = (await listModels({ ...server, headers: {} }))?.find((model) => model.id === id);
  if (server.vendor !== "llama.cpp" || listed?.contextWindow !== undefined) return listed;
  const props = (await get(server, "/props")) as
    | { default_generation_settings?: { n_ctx?: unknown }; modalities?: { vision?: unknown } }
    | undefined;
  return {
    id,
    contextWindow: count(props?.default_generation_settings?.n_ctx),
    input: props?.modalities?.vision === true ? ["text", "image"] : undefined,
  };
}

/** Window that an Ollama server has reserved for a loaded model. */
export async function servedWindow(
  server: Pick<ModelServer, "endpoint" | "timeoutMs">,
  id: string,
): Promise<number | undefined> {
  const rows = listingRows(await get(server, "/api/ps"), "models") ?? [];
  const isIt = (name: unknown) => name === id || name === `${id}:latest`;
  return count(rows.find(({ name, model }) => isIt(name) || isIt(model))?.context_length);
}

/** A model with its server's description. One without a window counts as unknown. */
export function modelServed(vendor: Vendor, { digest: _, ...served }: ServedModel): Model {
  const said = defined(served);
  if (said.contextWindow === undefined) return { ...guessedModel(vendor, said.id), ...said };
  const model = { ...unknownModel(vendor.id, said.id, vendor.api), ...said };
  return { ...model, maxOutput: Math.min(model.maxOutput, Math.ceil(model.contextWindow / 2)), known: true };
}

const lmStudioPath = "/api/v0/models";

function ollamaModel(id: string, shown: unknown, env: Env): ServedModel | undefined {
  const { model_info, capabilities, details, modified_at } = recordOf(shown);
  if (!model_info && !capabilities) return undefined;
  const info = recordOf(model_info);
  const key = Object.keys(info).find((name) => name.endsWith(".context_length"));
  const [most, wanted] = [count(key && info[key]), count(Number(env.OLLAMA_CONTEXT_LENGTH)) ?? ollamaWindow];
  const can = Array.isArray(capabilities) ? capabilities : [];
  return {
    id,
    digest: hasher("sha256")
      .update(JSON.stringify([details, modified_at, capabilities]))
      .digest("hex"),
    size: sizeIn(details),
    contextWindow: Math.min(most ?? wanted, wanted),
    input: can.includes("vision") ? ["text", "image"] : ["text"],
    reasoning: can.includes("thinking"),
    tools: Array.isArray(capabilities) && !can.includes("tools") ? false : undefined,
  };
}

function lmStudioModel({ id, type, loaded_context_length, max_context_length }: ListingRow): ServedModel[] {
  if (typeof id !== "string") return [];
  const contextWindow = count(loaded_context_length) ?? count(max_context_length);
  return [{ id, contextWindow, input: type === "vlm" ? ["text", "image"] : ["text"] }];
}

function rowsOf(answer: unknown, list: string, key: string): ServedModel[] | undefined {
  return listingRows(answer, list)?.flatMap((row) => {
    const [id, meta] = [row[key], recordOf(row.meta)];
    const parameters = count(meta.n_params);
    const size = parameters ? parameters / 1e9 : sizeIn(row.details);
    const contextWindow = count(row.max_model_len) ?? count(meta.n_ctx);
    return typeof id === "string" && id !== "" ? [{ id, size, contextWindow }] : [];
  });
}

const sizeIn = (details: unknown) => parameterSize(String(recordOf(details).parameter_size ?? ""));

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

type Place = Pick<ModelServer, "endpoint" | "timeoutMs">;
const get = ({ endpoint, timeoutMs }: Place, path: string) => queryJson({ endpoint, path, timeoutMs });
const post = ({ endpoint, timeoutMs }: Place, path: string, body: unknown) =>
  queryJson({
    endpoint,
    path,
    init: { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    timeoutMs,
  });
