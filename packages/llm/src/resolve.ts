import { type Clock, fail, ok, type Result, systemClock } from "@pith/kit";
import { findModel, unknownModel } from "./catalog/catalog.ts";
import { isScriptFile, loadScript, type ReadFile } from "./faux/load.ts";
import type { Script } from "./faux/script.ts";
import { type Model, modelName } from "./message/model.ts";
import type { Stream } from "./message/stream.ts";
import { configured, type VendorRow, vendors } from "./vendor/registry.ts";

export interface Resolved {
  model: Model;
  stream: Stream;
  /** Lines a person should see. */
  notes: string[];
  /** Of a scripted model: it may bring a project. */
  script?: Script;
}
export type ResolveFailure = "vendor" | "credential" | "script" | "none";

export interface ResolveFrom {
  env: Readonly<Record<string, string | undefined>>;
  /** Reads a script file; relative paths are its matter. */
  readFile?: ReadFile;
  clock?: Clock;
}

/**
 * The model a name means: `vendor/id`, an id that a catalog knows, `faux/<script>`, or a script file. Without a name,
 * the usual model of the first vendor that is configured.
 */
export async function resolveModel(name: string | undefined, from: ResolveFrom): Promise<Result<Resolved, ResolveFailure>> {
  if (name === undefined) {
    const [first] = configured(from.env);
    return first ? connect(first, undefined, from) : fail("none", howToConnect);
  }
  if (name.startsWith("faux/")) return script(name.slice("faux/".length), from);
  if (isScriptFile(name)) return script(name, from);
  const slash = name.indexOf("/");
  if (slash === -1) return bare(name, from);
  const vendor = name.slice(0, slash);
  const row = vendors.find(({ id }) => id === vendor);
  if (!row) return fail("vendor", `there is no vendor "${vendor}"; ${knownVendors}`);
  if (name.length === slash + 1) return fail("vendor", `"${name}" names no model; write ${vendor}/<model>`);
  return connect(row, name.slice(slash + 1), from);
}

/** An id alone: the catalogs of configured vendors first, then all of them, so that a missing key is named as such. */
async function bare(id: string, from: ResolveFrom): Promise<Result<Resolved, ResolveFailure>> {
  const ready = configured(from.env);
  for (const row of [...ready, ...vendors]) if (await findModel(row.id, id)) return connect(row, id, from);
  const [only, ...others] = ready;
  if (only && others.length === 0) return connect(only, id, from);
  if (!only) return fail("none", howToConnect);
  return fail("vendor", `no catalog knows the model "${id}"; write it as vendor/${id}, where vendor is one of ${ready.map((row) => row.id).join(", ")}`);
}

async function connect(row: VendorRow, given: string | undefined, { env, clock = systemClock }: ResolveFrom): Promise<Result<Resolved, ResolveFailure>> {
  const vendor = await row.load();
  const connection = vendor.connect({ env, clock });
  if (!connection.ok) return connection;
  const { api, stream } = connection.value;
  const id = given ?? vendor.defaultModel;
  const known = await findModel(row.id, id);
  if (known) return ok({ model: { ...known, api }, stream, notes: [] });
  const model = unknownModel(row.id, id, api);
  const guess = `assuming ${grouped(model.contextWindow)} tokens of context, ${grouped(model.maxOutput)} of output, and text only`;
  return ok({ model, stream, notes: [`The catalog does not know ${modelName(model)}: using it as it is, ${guess}.`] });
}

async function script(name: string, from: ResolveFrom): Promise<Result<Resolved, ResolveFailure>> {
  const [loaded, { fauxModel, fauxStream }] = await Promise.all([loadScript(name, from.readFile), import("./faux/play.ts")]);
  if (!loaded.ok) return fail("script", loaded.message);
  return ok({ model: fauxModel(name, loaded.value), stream: fauxStream(loaded.value), notes: [], script: loaded.value });
}

/** 128,000. The runtime's own formatting loads its tables of all languages first, which costs more than the rest of the start. */
const grouped = (amount: number): string => String(amount).replace(/\B(?=(\d{3})+$)/g, ",");

const knownVendors = `known are ${[...vendors.map(({ id }) => id), "faux"].join(", ")}. A model that your own server calls by a name with a slash is openai/<that name>, with OPENAI_BASE_URL set`;

const howToConnect = `no model is connected. Any of these connects one:
  export OPENAI_API_KEY=…                               a key for OpenAI
  export OPENAI_BASE_URL=http://127.0.0.1:11434/v1      a server that speaks its protocol; one of your own needs no key
  --model faux/tour                                     a scripted demonstration, without any model`;
