import { fail, nearest, ok, type Result } from "@pith/kit";
import { bestMatch } from "./catalog/find.ts";
import type { ModelRegistry } from "./catalog/registry.ts";
import type { ConnectEnvironment } from "./connect.ts";
import { deploymentsIn, isAzure } from "./vendor/azure.ts";
import { serverOf } from "./vendor/server.ts";
import { isConfigured, type Vendor, vendorIn } from "./vendor/vendor.ts";

/** Vendors, catalogs and stored keys; read once. */
export interface ModelSources {
  registry: ModelRegistry;
  environment: ConnectEnvironment;
}

/** The vendor and model that a name stands for. */
export interface ChosenModel {
  vendor: Vendor;
  id: string;
  /** The id is unknown and used as it is. */
  guessed: boolean;
  /** Tells the user how it was chosen. */
  note?: string;
}

/**
 * Finds the model that a name means. `vendor/id` is taken literally, known or not; an id or a part of one is looked for
 * among vendors with a key first.
 */
export async function choose(name: string, sources: ModelSources): Promise<Result<ChosenModel, "vendor" | "none">> {
  const { registry } = sources;
  const slash = name.indexOf("/");
  const vendor = slash === -1 ? undefined : vendorIn(registry.vendors, name.slice(0, slash));
  if (vendor) {
    if (name.length === slash + 1) return fail("vendor", `"${name}" names no model; write ${vendor.id}/<model>`);
    const id = name.slice(slash + 1);
    return ok({ vendor, id, guessed: (await registry.find(vendor, id)) === undefined });
  }
  const wanted = wantedIn(sources);
  const known = (await findListed(name, wanted, sources)) ?? (await findServed(name, wanted, sources));
  if (known) return ok(known);
  const whose = slash === -1 ? vendorIn(registry.vendors, name) : undefined;
  if (whose) return fail("vendor", `"${name}" names no model; write ${whose.id}/<model> (pith models tells which)`);
  // A private server has model names of its own. A name with a slash may be a typing error for another vendor's model,
  // so it is sent only to a server that lists it.
  const moved = wanted.find((vendor) => !vendor.local && isMoved(vendor, sources));
  if (moved && slash === -1) return ok({ vendor: moved, id: name, guessed: true });
  const anywhere = await findListed(name, registry.vendors, sources);
  if (anywhere) return ok(anywhere);
  if (slash !== -1) return fail("vendor", noVendor(name.slice(0, slash), name.slice(slash + 1), registry));
  const [only, ...others] = wanted;
  if (only && others.length === 0) return ok({ vendor: only, id: name, guessed: true });
  if (!only) return fail("none", howToConnect);
  const ids = wanted.map((row) => row.id).join(", ");
  return fail(
    "vendor",
    `no catalog knows the model "${name}"; write it as vendor/${name}, where vendor is one of ${ids}`,
  );
}

/** The model when none is named: the usual one of the first configured vendor, else one on a local server. */
export async function chooseUsual(sources: ModelSources): Promise<Result<ChosenModel, "none">> {
  for (const vendor of wantedIn(sources)) {
    const id = vendor.custom?.models[0]?.id ?? (await modelsNear(vendor, sources))[0] ?? vendor.usual;
    if (id !== undefined) return ok({ vendor, id, guessed: false });
  }
  for (const vendor of sources.registry.vendors.filter((vendor) => vendor.local)) {
    const [id] = await modelsNear(vendor, sources);
    const note = `No model is connected; using ${vendor.id}/${id}, found on this machine.`;
    if (id !== undefined) return ok({ vendor, id, guessed: false, note });
  }
  return fail("none", howToConnect);
}

function wantedIn({ registry, environment: { env, store } }: ModelSources): Vendor[] {
  const stored = new Set(store?.list().map((row) => row.vendor));
  return registry.vendors.filter((vendor) => isConfigured(vendor, env) || stored.has(vendor.id));
}

/** Looks for a name in the catalogs. */
async function findListed(
  name: string,
  vendors: readonly Vendor[],
  sources: ModelSources,
): Promise<ChosenModel | undefined> {
  const { registry, environment } = sources;
  for (const vendor of vendors)
    if ((await registry.find(vendor, name)) || (isAzure(vendor) && deploymentsIn(environment.env).has(name)))
      return { vendor, id: name, guessed: false };
  // A part of a name matches the catalog only where the catalog describes the server; a server that copies Chat
  // Completions has other names.
  const idsOf = async (vendor: Vendor) =>
    vendor.api === "openai-completions" && isMoved(vendor, sources)
      ? (vendor.custom?.models.map((model) => model.id) ?? [])
      : registry.ids(vendor);
  for (const vendor of vendors) {
    const match = matching(name, vendor, name.includes("/") ? [] : await idsOf(vendor));
    if (match) return match;
  }
  return undefined;
}

/** Looks for a name in the lists of local and moved servers. */
async function findServed(
  name: string,
  vendors: readonly Vendor[],
  sources: ModelSources,
): Promise<ChosenModel | undefined> {
  const near: [Vendor, string[]][] = [];
  for (const vendor of vendors) {
    if (!vendor.local && !isMoved(vendor, sources)) continue;
    const ids = await modelsNear(vendor, sources);
    if (ids.includes(name)) return { vendor, id: name, guessed: false };
    near.push([vendor, ids]);
  }
  for (const [vendor, ids] of near) {
    const match = matching(name, vendor, ids);
    if (match) return match;
  }
  return undefined;
}

/** The id that a part of a name means; a name with a slash is meant exactly. */
function matching(name: string, vendor: Vendor, ids: readonly string[]): ChosenModel | undefined {
  const id = name.includes("/") ? undefined : bestMatch(name, ids);
  return id === undefined ? undefined : { vendor, id, guessed: false, note: `${name} → ${vendor.id}/${id}` };
}

function isMoved(vendor: Vendor, { environment }: ModelSources): boolean {
  const server = serverOf(vendor, environment.env);
  return server.ok && server.value.moved;
}

/** Time for a nearby server to list its models. */
const listMs = 400;

/** Models that a nearby server lists; other servers are not asked. */
async function modelsNear(vendor: Vendor, { environment: { env } }: ModelSources): Promise<string[]> {
  const server = serverOf(vendor, env);
  if (!server.ok || !server.value.endpoint.near || !(vendor.local || vendor.api === "openai-completions")) return [];
  const { listModels } = await import("./vendor/local.ts");
  const { endpoint } = server.value;
  return (await listModels({ vendor: vendor.id, endpoint, env, timeoutMs: listMs }))?.map((model) => model.id) ?? [];
}

/** Says that there is no such vendor: with the nearest name, or with all of them when none is near. */
function noVendor(vendor: string, id: string, { vendors }: ModelRegistry): string {
  const known = [...vendors.flatMap((row) => [row.id, ...(row.also ?? [])]), "faux"];
  const meant = nearest(vendor, known);
  const hint = meant
    ? `did you mean ${meant}/${id}?`
    : `known are ${[...vendors.map((row) => row.id), "faux"].join(", ")}.`;
  return `there is no vendor "${vendor}"; ${hint} A model that your own server calls by a name with a slash is \
openai/<that name>, with OPENAI_BASE_URL set`;
}

const howToConnect = `no model is connected. Any of these connects one:
  export OPENAI_API_KEY=…                               a key; pith models tells the variable of every vendor
  pith auth add anthropic                               store a key
  export OPENAI_BASE_URL=http://127.0.0.1:11434/v1      a server that speaks its protocol; one of your own needs no key
  --model faux/tour                                     a scripted demonstration, without any model`;
