import { ok, type Result } from "@pith/kit";
import { guessedModel } from "./catalog/catalog.ts";
import { openRegistry } from "./catalog/registry.ts";
import { type ApiKey, keysFor } from "./credential/credential.ts";
import { keyStoreFile, openKeyStore } from "./credential/store.ts";
import type { Model } from "./model/model.ts";
import { type LearnedModel, type LearnedModels, learnedFacts, learnedKey, readLearned } from "./probe/learned.ts";
import type { ResolveOptions } from "./resolve.ts";
import type { Endpoint } from "./route/endpoint.ts";
import { authWith } from "./vendor/auth.ts";
import { deploymentsIn, isAzure } from "./vendor/azure.ts";
import { describeModel, listModels, modelServed, type ServedModel } from "./vendor/local.ts";
import { serverOf } from "./vendor/server.ts";
import { withSize } from "./vendor/size.ts";
import { baseVariables } from "./vendor/table.ts";
import type { Vendor } from "./vendor/vendor.ts";

/** A vendor's current state: whether it is usable, why, and its models. */
export interface VendorReport {
  id: string;
  usable: boolean;
  why: string;
  models: Model[];
  /** Findings of probes by model id. */
  learned?: Readonly<Record<string, LearnedModel>>;
}

/** Time for a local server to list its models. */
const localTimeoutMs = 500;
const farTimeoutMs = 3000;

/** Reports on every vendor. Only local servers, and vendors at an address of the user's, are asked for their models. */
export async function survey({
  env,
  home,
  run,
}: ResolveOptions): Promise<Result<{ vendors: VendorReport[]; warnings: readonly string[] }, "models" | "credential">> {
  const book = await openRegistry(home, env);
  if (!book.ok) return book;
  const opened = home === undefined ? ok(undefined) : await openKeyStore(keyStoreFile(home), "is nothing");
  if (!opened.ok) return opened;
  using store = opened.value;
  const lessons: LearnedModels = home === undefined ? { known: new Map() } : readLearned(home);
  const report = async (vendor: Vendor): Promise<VendorReport> => {
    const ids = await book.value.ids(vendor);
    // Deployments at Azure are usable, known to the catalog or not.
    const deployed = isAzure(vendor) ? [...deploymentsIn(env).keys()].filter((id) => !ids.includes(id)) : [];
    const found = (await Promise.all(ids.map((id) => book.value.find(vendor, id)))).filter(
      (model) => model !== undefined,
    );
    const known = [...found, ...deployed.map((id) => guessedModel(vendor, id))];
    const place = serverOf(vendor, env);
    if (!place.ok) return { id: vendor.id, usable: false, why: place.message, models: known };
    if (vendor.local) {
      const near = await nearby(vendor, place.value.endpoint, known, env, lessons);
      return { ...near, models: near.models.map((model) => withSize(vendor, book.value.over(vendor, model))) };
    }
    // A list must not ask for a password.
    if (vendor.custom?.apiKey?.startsWith("!") && !run)
      return { id: vendor.id, usable: true, why: "a command in models.yml", models: known };
    const keys = await keysFor(vendor, { env, store, run });
    if (!keys.ok) return { id: vendor.id, usable: false, why: keys.message, models: known };
    const stands = standing(vendor, keys.value, place.value.endpoint.near, env);
    const told = { id: vendor.id, ...stands, models: known };
    return stands.usable && place.value.moved && lists.has(vendor.api)
      ? elsewhere(vendor, place.value.endpoint, keys.value[0], told, env)
      : told;
  };
  const warnings = [...book.value.warnings, ...(lessons.broken === undefined ? [] : [lessons.broken])];
  return ok({ vendors: await Promise.all(book.value.vendors.map(report)), warnings });
}

/** Protocols whose servers list models in the same way. */
const lists: ReadonlySet<string> = new Set(["openai-completions", "openai-responses", "anthropic-messages"]);

/** Report on a local server at its usual port. */
async function nearby(
  vendor: Vendor,
  endpoint: Endpoint,
  known: readonly Model[],
  env: ResolveOptions["env"],
  lessons: LearnedModels,
): Promise<VendorReport> {
  const heard = await listModels(vendor.id, endpoint, env, localTimeoutMs);
  if (!heard) return { id: vendor.id, usable: false, why: `nobody answers at ${endpoint.shown}`, models: [...known] };
  if (heard.length + known.length === 0)
    return { id: vendor.id, usable: false, why: `no models at ${endpoint.shown}`, models: [] };
  const whole = async (said: ServedModel) =>
    said.contextWindow === undefined ||
    [...lessons.known.keys()].some((key) => key.startsWith(`${endpoint.shown} ${said.id} `))
      ? ((await describeModel(vendor.id, endpoint, said.id, env, localTimeoutMs)) ?? said)
      : said;
  const all = (await Promise.all(heard.map(whole))).map((said) => ({
    said,
    learned: lessons.known.get(learnedKey(endpoint.shown, said)),
  }));
  const models = all.map(({ said, learned }) => ({
    ...modelServed(vendor, said),
    ...learnedFacts(learned, said.contextWindow),
  }));
  const why = `on this machine, ${endpoint.shown}`;
  const learned = Object.fromEntries(all.flatMap(({ said, learned }) => (learned ? [[said.id, learned]] : [])));
  return { id: vendor.id, usable: true, why, models: [...known, ...models], learned };
}

/**
 * Report on a vendor at an address of the user's: its server is asked for its models, with the key of a conversation.
 * Its models get the same facts as in a conversation.
 */
async function elsewhere(
  vendor: Vendor,
  endpoint: Endpoint,
  key: ApiKey | undefined,
  told: VendorReport,
  env: ResolveOptions["env"],
): Promise<VendorReport> {
  const version: Record<string, string> =
    vendor.api === "anthropic-messages" ? { "anthropic-version": "2023-06-01" } : {};
  const headers = { ...version, ...authWith(key, vendor, vendor.api).headers };
  let silence = "there is no list in its answer";
  const timeoutMs = endpoint.near ? localTimeoutMs : farTimeoutMs;
  const heard = await listModels(vendor.id, endpoint, env, timeoutMs, headers, (why) => {
    silence = why;
  });
  const named = new Set(vendor.custom?.models.map((model) => model.id));
  const own = told.models.filter((model) => named.has(model.id));
  // A server that copies Chat Completions has models of its own; for other protocols the catalog may be right.
  const models = vendor.api === "openai-completions" ? own : told.models;
  const without = (why: string) => `${told.why}; ${endpoint.shown} does not tell its models: ${why}`;
  if (!heard) return { ...told, why: without(silence), models };
  if (heard.length === 0 && own.length === 0) return { ...told, why: without("its list is empty"), models: own };
  const others = heard.filter((said) => !named.has(said.id));
  const has = others.map(({ id }) => told.models.find((model) => model.id === id) ?? guessedModel(vendor, id));
  return { ...told, models: [...own, ...has] };
}

function standing(
  vendor: Vendor,
  [key, ...more]: readonly ApiKey[],
  near: boolean,
  env: ResolveOptions["env"],
): Pick<VendorReport, "usable" | "why"> {
  if (vendor.custom?.keyless) return { usable: true, why: "models.yml, without a key" };
  if (key) return { usable: true, why: `${key.from}${more.length > 0 ? ` and ${more.length} more` : ""}` };
  const sign = vendor.signs?.find((variable) => env[variable]?.trim());
  if (sign) return { usable: true, why: sign };
  if (near) return { usable: true, why: `${baseVariables(vendor)[0] ?? "models.yml"}, without a key` };
  return { usable: false, why: vendor.keys.length > 0 ? `set ${vendor.keys.at(-1)}` : "set apiKey in models.yml" };
}
