import { fail, ok, type Result } from "@pith/kit";
import { type Key, type KeyParts, keysFor, meaning } from "./credential/credential.ts";
import type { Store } from "./credential/store.ts";
import type { Compat } from "./message/compat.ts";
import type { Model } from "./message/model.ts";
import type { Stream } from "./message/stream.ts";
import { rotating } from "./rotate.ts";
import { streamOf } from "./route/route.ts";
import { authWith } from "./vendor/auth.ts";
import { type Place, placeOf } from "./vendor/place.ts";
import type { Vendor } from "./vendor/registry.ts";
import { apiNamed, type Door } from "./vendor/vendor.ts";
import { wires } from "./vendor/wire.ts";
import { localPatience, type Patience, patience, watched } from "./watch.ts";

export interface ConnectParts extends Door, Omit<KeyParts, "env"> {
  store: Store | undefined;
  patience: Partial<Patience>;
}

/** A stream to a model: its protocol, its server, its keys, and a watch that ends silence. */
export async function connect(vendor: Vendor, model: Model, url: string | undefined, parts: ConnectParts): Promise<Result<Stream, "vendor" | "credential">> {
  const place = placeOf(vendor, parts.env, url);
  if (!place.ok) return place;
  const api = apiNamed(model.api);
  if (!api) return fail("vendor", `${vendor.id} speaks ${model.api}, which pith does not know`);
  const keys = await keysFor(vendor, parts);
  if (!keys.ok) return keys;
  const { endpoint } = place.value;
  if (keys.value.length === 0 && !endpoint.near && !vendor.signs?.some((sign) => parts.env[sign]?.trim()))
    return fail("credential", noKey(vendor, endpoint.variable));
  const headers = await ownHeaders(vendor, model.id, parts);
  if (!headers.ok) return headers;

  const [first] = keys.value;
  const compat = { ...usualCompat(vendor, place.value), ...vendor.compat };
  const speak = wires[api];
  if (!speak) return fail("vendor", `${api} is not spoken yet`);
  const wire = await speak({ ...parts, vendor, endpoint, compat, key: first });
  const lane = (key: Key | undefined) => {
    const auth = authWith(key, vendor, api);
    return {
      key,
      stream: streamOf({ vendor: vendor.id, endpoint, clock: parts.clock, ...wire, auth: { ...auth, headers: { ...auth.headers, ...headers.value } } }),
    };
  };
  const lanes = keys.value.length === 0 ? [lane(undefined)] : keys.value.map(lane);
  const stream = rotating(lanes, { clock: parts.clock, onBlocked: (key, until) => key.id !== undefined && parts.store?.block(key.id, until) });
  return ok(watched(stream, { ...(endpoint.near ? localPatience : patience), ...parts.patience }));
}

/** Other servers of OpenAI's protocol know the older name of the limit. */
const usualCompat = (vendor: Vendor, { moved }: Place): Compat => ({
  maxTokensField: vendor.id === "openai" && !moved ? "max_completion_tokens" : "max_tokens",
});

async function ownHeaders(vendor: Vendor, id: string, { env, run }: ConnectParts): Promise<Result<Record<string, string>, "credential">> {
  const given = { ...vendor.headers, ...vendor.own?.models.find((model) => model.id === id)?.headers };
  if (!vendor.own) return ok(given);
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(given)) {
    const value = await meaning(text, env, run);
    if (!value.ok) return value;
    headers[name.toLowerCase()] = value.value.trim();
  }
  return ok(headers);
}

function noKey({ id, keys, own }: Vendor, baseVariable: string): string {
  const variable = keys.at(-1);
  if (variable === undefined) return `${id} needs a key: set apiKey for it in ${own ? "models.yml" : "the settings"}, or run pith auth add ${id}`;
  return `${id} needs a key: set ${variable}, run pith auth add ${id}, or point ${baseVariable} at a server of your own`;
}
