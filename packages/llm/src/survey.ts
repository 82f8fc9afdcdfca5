import { ok, type Result } from "@pith/kit";
import { guessedModel } from "./catalog/catalog.ts";
import { type ModelRegistry, openRegistry } from "./catalog/registry.ts";
import { type ApiKey, keysFor } from "./credential/credential.ts";
import { keyStoreFile, openKeyStore } from "./credential/store.ts";
import type { Model } from "./model/model.ts";
import { type LearnedModel, type LearnedModels, learnedFacts, learnedKey, readLearned } from "./probe/learned.ts";
import type { ResolveOptions } from "./resolve.ts";
import type { Endpoint } from "./route/endpoint.ts";
import type { Env } from "./vendor/api.ts";
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

/** Sources of all reports. */
interface SurveySources {
  registry: ModelRegistry;
  env: Env;
  learned: LearnedModels;
}

/**
 * Reports on every vendor. Only local servers, and vendors at an address of the user's, are asked for their models.
 */
export async function survey({
  env,
  home,
  run,
}: ResolveOptions): Promise<Result<{ vendors: VendorReport[]; warnings: readonly string[] }, "models" | "credential">> {
  const opened = await openRegistry(home, env);
  if (!opened.ok) return opened;
  const registry = opened.value;
  const stored = home === undefined ? ok(undefined) : await openKeyStore(keyStoreFile(home), "is nothing");
  if (!stored.ok) return stored;
  using store = stored.value;
  const learned: LearnedModels = home === undefined ? { known: new Map() } : readLearned(home);
  const sources = { registry, env, learned };
  const report = async (vendor: Vendor): Promise<VendorReport> => {
    const models = await modelsOf(vendor, sources);
    const none = (why: string) => ({ id: vendor.id, usable: false, why, models });
    const server = serverOf(vendor, env);
    if (!server.ok) return none(server.message);
    const { endpoint, moved } = server.value;
    if (vendor.local) return nearby(vendor, endpoint, models, sources);
    // A list must not ask for a password.
    if (vendor.custom?.apiKey?.startsWith("!") && !run)
      return { id: vendor.id, usable: true, why: "a command in models.yml", models };
    const keys = await keysFor(vendor, { env, store, run });
    if (!keys.ok) return none(keys.message);
    const usual = { id: vendor.id, models, ...availability(vendor, keys.value, endpoint.near, env) };
    return usual.usable && moved && lists.has(vendor.api)
      ? elsewhere(vendor, endpoint, usual, { env, key: keys.value[0] })
      : usual;
  };
  const warnings = [registry.warnings, learned.broken ?? []].flat();
  return ok({ vendors: await Promise.all(registry.vendors.map(report)), warnings });
}

/** Listed models of a vendor. Deployments at Azure are usable, known to the catalog or not. */
async function modelsOf(vendor: Vendor, { registry, env }: SurveySources): Promise<Model[]> {
  const ids = await registry.ids(vendor);
  const deployed = isAzure(vendor) ? [...deploymentsIn(env).keys()].filter((id) => !ids.includes(id)) : [];
  const found = (await Promise.all(ids.map((id) => registry.find(vendor, id)))).filter((model) => model !== undefined);
  return [...found, ...deployed.map((id) => guessedModel(vendor, id))];
}

/** Protocols whose servers list models in the same way. */
const lists: ReadonlySet<string> = new Set(["openai-completions", "openai-responses", "anthropic-messages"]);

/** Report on a local server at its usual port. */
async function nearby(
  vendor: Vendor,
  endpoint: Endpoint,
  listed: readonly Model[],
  { registry, env, learned }: SurveySources,
): Promise<VendorReport> {
  const none = (why: string, models: readonly Model[]) => ({ id: vendor.id, usable: false, why, models: [...models] });
  const server = { vendor: vendor.id, endpoint, env, timeoutMs: localTimeoutMs };
  const heard = await listModels(server);
  if (!heard) return none(`nobody answers at ${endpoint.shown}`, listed.map(known));
  if (heard.length + listed.length === 0) return none(`no models at ${endpoint.shown}`, []);
  const isProbed = (id: string) => learned.known.keys().some((key) => key.startsWith(`${endpoint.shown} ${id} `));
  const whole = async (said: ServedModel) =>
    said.contextWindow === undefined || isProbed(said.id) ? ((await describeModel(server, said.id)) ?? said) : said;
  const all = (await Promise.all(heard.map(whole))).map((said) => {
    const facts = learned.known.get(learnedKey(endpoint.shown, said));
    return { facts, model: { ...modelServed(vendor, said), ...learnedFacts(facts, said.contextWindow) } };
  });
  return {
    id: vendor.id,
    usable: true,
    why: `on this machine, ${endpoint.shown}`,
    models: [...listed, ...all.map(({ model }) => model)].map(known),
    learned: Object.fromEntries(all.flatMap(({ facts, model }) => (facts ? [[model.id, facts]] : []))),
  };

  function known(model: Model): Model {
    return withSize(vendor, registry.over(vendor, model));
  }
}

/**
 * Report on a vendor at an address of the user's: its server is asked for its models, with the key of a conversation.
 * Its models get the same facts as in a conversation.
 */
async function elsewhere(
  vendor: Vendor,
  endpoint: Endpoint,
  usual: VendorReport,
  { env, key }: { env: Env; key: ApiKey | undefined },
): Promise<VendorReport> {
  const version: Record<string, string> =
    vendor.api === "anthropic-messages" ? { "anthropic-version": "2023-06-01" } : {};
  const headers = { ...version, ...authWith(key, vendor, vendor.api).headers };
  let silence = "there is no list in its answer";
  const failed = (why: string) => {
    silence = why;
  };
  const timeoutMs = endpoint.near ? localTimeoutMs : farTimeoutMs;
  const heard = await listModels({ vendor: vendor.id, endpoint, env, timeoutMs, headers, failed });
  const named = new Set(vendor.custom?.models.map((model) => model.id));
  const own = usual.models.filter((model) => named.has(model.id));
  // A server that copies Chat Completions has models of its own; for other protocols the catalog may be right.
  const models = vendor.api === "openai-completions" ? own : usual.models;
  const without = (why: string) => `${usual.why}; ${endpoint.shown} does not tell its models: ${why}`;
  if (!heard) return { ...usual, why: without(silence), models };
  if (heard.length === 0 && own.length === 0) return { ...usual, why: without("its list is empty"), models: own };
  const others = heard.filter((said) => !named.has(said.id));
  const has = others.map(({ id }) => usual.models.find((model) => model.id === id) ?? guessedModel(vendor, id));
  return { ...usual, models: [...own, ...has] };
}

function availability(
  vendor: Vendor,
  [key, ...more]: readonly ApiKey[],
  near: boolean,
  env: Env,
): Pick<VendorReport, "usable" | "why"> {
  if (vendor.custom?.keyless) return { usable: true, why: "models.yml, without a key" };
  if (key) return { usable: true, why: `${key.from}${more.length > 0 ? ` and ${more.length} more` : ""}` };
  const sign = vendor.signs?.find((variable) => env[variable]?.trim());
  if (sign) return { usable: true, why: sign };
  if (near) return { usable: true, why: `${baseVariables(vendor)[0] ?? "models.yml"}, without a key` };
  return { usable: false, why: vendor.keys.length > 0 ? `set ${vendor.keys.at(-1)}` : "set apiKey in models.yml" };
}
