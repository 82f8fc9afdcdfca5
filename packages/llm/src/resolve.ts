import { type Clock, fail, ok, type Result, systemClock } from "@pith/kit";
import { type Book, openBook } from "./catalog/book.ts";
import { unknownModel } from "./catalog/catalog.ts";
import { bestMatch } from "./catalog/find.ts";
import { type ConnectParts, connect } from "./connect.ts";
import type { KeyParts } from "./credential/credential.ts";
import { openStore, type Store, storeFile } from "./credential/store.ts";
import { isScriptFile, loadScript, type ReadFile } from "./faux/load.ts";
import type { Script } from "./faux/script.ts";
import { type Effort, efforts, type Model, modelName } from "./message/model.ts";
import type { Stream } from "./message/stream.ts";
import { placeOf } from "./vendor/place.ts";
import { isWanted, type Vendor, vendorIn } from "./vendor/registry.ts";
import { localPatience, type Patience, watched } from "./watch.ts";

export interface Resolved {
  model: Model;
  stream: Stream;
  /** How long it shall think, where the name says so: `model:high`. */
  effort?: Effort;
  /** Its server is on this machine or in its own network. */
  near: boolean;
  /** Lines a person should see. */
  notes: string[];
  /** Of a scripted model: it may bring a project. */
  script?: Script;
}
export type ResolveFailure = "vendor" | "credential" | "script" | "models" | "none";

export interface ResolveFrom extends Pick<KeyParts, "run"> {
  env: Readonly<Record<string, string | undefined>>;
  /** The directory of pith's own files: `models.yml`, stored keys, refreshed catalogs. */
  home?: string;
  /** Reads a script file; relative paths are its matter. */
  readFile?: ReadFile;
  clock?: Clock;
  patience?: Partial<Patience>;
}

/** The models one can talk to. What was resolved once is connected: `stream` finds its way by the request's model. */
export interface Models {
  resolve(name: string | undefined): Promise<Result<Resolved, ResolveFailure>>;
  stream: Stream;
}

export function openModels(from: ResolveFrom): Models {
  const streams = new Map<string, Stream>();
  let opened: Promise<Result<Shelf, ResolveFailure>> | undefined;
  return {
    async resolve(name) {
      const resolved = await resolveOn(name, from, () => {
        opened ??= openShelf(from);
        return opened;
      });
      if (resolved.ok) streams.set(modelName(resolved.value.model), resolved.value.stream);
      return resolved;
    },
    stream: (request, signal) => (streams.get(modelName(request.model)) ?? nowhere)(request, signal),
  };
}

/** The same for one model alone. */
export const resolveModel = (name: string | undefined, from: ResolveFrom): Promise<Result<Resolved, ResolveFailure>> => openModels(from).resolve(name);

/** What is read once: vendors, catalogs, stored keys. */
interface Shelf {
  book: Book;
  parts: ConnectParts;
}

/**
 * The model a name means: `vendor/id`, an id or a few letters that a catalog knows, `faux/<script>`, or a script file;
 * `:high` at its end is how long it thinks. Without a name, the usual model of the first vendor that is configured, and
 * with none of them a server on this machine.
 */
async function resolveOn(
  name: string | undefined,
  from: ResolveFrom,
  shelf: () => Promise<Result<Shelf, ResolveFailure>>,
): Promise<Result<Resolved, ResolveFailure>> {
  if (name?.startsWith("faux/")) return script(name.slice("faux/".length), from);
  if (name !== undefined && isScriptFile(name)) return script(name, from);
  const open = await shelf();
  if (!open.ok) return open;
  const { book, parts } = open.value;
  if (name === undefined) return usual(book, parts);
  const exact = await choose(name, book, parts);
  const { stem, effort } = splitEffort(name);
  // An id may end like a level, so the whole name has the first word.
  const chosen = effort && (!exact.ok || exact.value.guessed) ? await choose(stem, book, parts) : exact;
  if (!chosen.ok) return chosen;
  const resolved = await take(chosen.value, book, parts);
  return resolved.ok && effort && chosen !== exact ? ok({ ...resolved.value, effort }) : resolved;
}

interface Choice {
  vendor: Vendor;
  id: string;
  /** Nothing knows this id: it is used as it stands. */
  guessed: boolean;
}

async function choose(name: string, book: Book, { env }: ConnectParts): Promise<Result<Choice, ResolveFailure>> {
  const slash = name.indexOf("/");
  const vendor = slash === -1 ? undefined : vendorIn(book.vendors, name.slice(0, slash));
  if (vendor) {
    if (name.length === slash + 1) return fail("vendor", `"${name}" names no model; write ${vendor.id}/<model>`);
    return ok(await within(vendor, name.slice(slash + 1), book, env));
  }
  const wanted = book.vendors.filter((own) => isWanted(own, env));
  const known = await lookIn(wanted, name, book, env);
  if (known) return ok(known);
  // A server of one's own has names that no catalog knows.
  const moved = wanted.find((own) => isMoved(own, env));
  if (moved) return ok({ vendor: moved, id: name, guessed: true });
  const anywhere = await lookIn(book.vendors, name, book, env);
  if (anywhere) return ok(anywhere);
  if (slash !== -1) return fail("vendor", `there is no vendor "${name.slice(0, slash)}"; ${knownVendors(book)}`);
  const [only, ...others] = wanted;
  if (only && others.length === 0) return ok({ vendor: only, id: name, guessed: true });
  if (!only) return fail("none", howToConnect);
  return fail("vendor", `no catalog knows the model "${name}"; write it as vendor/${name}, where vendor is one of ${wanted.map((row) => row.id).join(", ")}`);
}

async function lookIn(vendors: readonly Vendor[], name: string, book: Book, env: ConnectParts["env"]): Promise<Choice | undefined> {
  for (const vendor of vendors) if (await book.find(vendor, name)) return { vendor, id: name, guessed: false };
  for (const vendor of vendors) {
    const found = await near(vendor, name, book, env);
    if (found !== undefined) return { vendor, id: found, guessed: false };
  }
  return undefined;
}

function isMoved(vendor: Vendor, env: ConnectParts["env"]): boolean {
  const place = placeOf(vendor, env);
  return place.ok && place.value.moved;
}

async function within(vendor: Vendor, id: string, book: Book, env: ConnectParts["env"]): Promise<Choice> {
  if (await book.find(vendor, id)) return { vendor, id, guessed: false };
  const found = await near(vendor, id, book, env);
  return { vendor, id: found ?? id, guessed: found === undefined };
}

/** A few letters mean a model of the catalog only where the catalog speaks for the server. */
async function near(vendor: Vendor, letters: string, book: Book, env: ConnectParts["env"]): Promise<string | undefined> {
  const place = placeOf(vendor, env);
  if (place.ok && place.value.moved && vendor.own?.baseUrl === undefined) return undefined;
  return bestMatch(letters, place.ok && place.value.moved ? (vendor.own?.models.map((model) => model.id) ?? []) : await book.ids(vendor));
}

async function usual(book: Book, parts: ConnectParts): Promise<Result<Resolved, ResolveFailure>> {
  for (const vendor of book.vendors) {
    if (!isWanted(vendor, parts.env)) continue;
    const id = vendor.own?.models[0]?.id ?? (await firstAt(vendor, parts)) ?? vendor.usual;
    if (id !== undefined) return take({ vendor, id, guessed: false }, book, parts);
  }
  const stored = parts.store
    ?.list()
    .map((row) => vendorIn(book.vendors, row.vendor))
    .find((vendor) => vendor?.usual !== undefined);
  if (stored?.usual !== undefined) return take({ vendor: stored, id: stored.usual, guessed: false }, book, parts);
  for (const vendor of book.vendors.filter((own) => own.local)) {
    const id = await firstAt(vendor, parts);
    if (id === undefined) continue;
    const resolved = await take({ vendor, id, guessed: false }, book, parts);
    return resolved.ok
      ? ok({ ...resolved.value, notes: [`No model is connected; using ${vendor.id}/${id}, found on this machine.`, ...resolved.value.notes] })
      : resolved;
  }
  return fail("none", howToConnect);
}

/** How long a server on this machine may take to say what it has. */
const localTimeoutMs = 400;

/** The first model that a server nearby has; a vendor's usual one is hardly there. */
async function firstAt(vendor: Vendor, { env }: ConnectParts): Promise<string | undefined> {
  const place = placeOf(vendor, env);
  if (!place.ok || !place.value.endpoint.near || !(vendor.local || vendor.api === "openai-completions")) return undefined;
  const { modelsAt } = await import("./vendor/local.ts");
  return (await modelsAt(vendor.id, place.value.endpoint, env, localTimeoutMs))?.[0]?.id;
}

async function take({ vendor, id }: Choice, book: Book, parts: ConnectParts): Promise<Result<Resolved, ResolveFailure>> {
  const known = (await book.find(vendor, id)) ?? (await heard(vendor, id, parts));
  const urls = (await book.catalog(vendor))?.urls ?? {};
  const place = placeOf(vendor, parts.env);
  if (!place.ok && urls[known?.api ?? ""] === undefined) return place;
  // At another address only what the vendor usually speaks can be hoped for, and the catalog's notes are about another server.
  const moved = place.ok && place.value.moved;
  const api = moved || !known ? vendor.api : known.api;
  const own = vendor.own?.models.find((model) => model.id === id)?.facts;
  const model: Model = known ? { ...known, api: own?.api ?? api, ...(moved ? { compat: own?.compat ?? {} } : {}) } : unknownModel(vendor.id, id, api);
  const stream = await connect(vendor, model, moved ? undefined : urls[model.api], parts);
  if (!stream.ok) return stream;
  const near = place.ok && place.value.endpoint.near;
  const guess = `assuming ${grouped(model.contextWindow)} tokens of context, ${grouped(model.maxOutput)} of output, and text only`;
  const notes = known ? [] : [`The catalog does not know ${modelName(model)}: using it as it is, ${guess}.`];
  return ok({ model, stream: stream.value, near, notes: [...book.warnings, ...notes] });
}

/** A server on this machine knows its models best. */
async function heard(vendor: Vendor, id: string, { env }: ConnectParts): Promise<Model | undefined> {
  const place = placeOf(vendor, env);
  if (!vendor.local || !place.ok) return undefined;
  const { describe } = await import("./vendor/local.ts");
  const said = await describe(vendor.id, place.value.endpoint, id, env, localTimeoutMs * 4);
  if (said?.contextWindow === undefined) return undefined;
  const model = { ...unknownModel(vendor.id, id, vendor.api), ...said };
  return { ...model, maxOutput: Math.min(model.maxOutput, Math.ceil(model.contextWindow / 2)), known: true };
}

async function openShelf({ home, env, run, clock = systemClock, patience = {} }: ResolveFrom): Promise<Result<Shelf, ResolveFailure>> {
  const book = await openBook(home, env);
  if (!book.ok) return book;
  let store: Store | undefined;
  try {
    store = home === undefined ? undefined : await openStore(storeFile(home), "is nothing");
  } catch (error) {
    return fail("credential", `stored keys cannot be read (${storeFile(home ?? "")}): ${error instanceof Error ? error.message : String(error)}`);
  }
  return ok({ book: book.value, parts: { env, clock, store, patience, ...(run ? { run } : {}) } });
}

async function script(name: string, from: ResolveFrom): Promise<Result<Resolved, ResolveFailure>> {
  const [loaded, { fauxModel, fauxStream }] = await Promise.all([loadScript(name, from.readFile), import("./faux/play.ts")]);
  if (!loaded.ok) return fail("script", loaded.message);
  const stream = watched(fauxStream(loaded.value), { ...localPatience, ...from.patience });
  return ok({ model: fauxModel(name, loaded.value), stream, near: true, notes: [], script: loaded.value });
}

/** `name:high` in its two parts. */
function splitEffort(name: string): { stem: string; effort: Effort | undefined } {
  const colon = name.lastIndexOf(":");
  const effort = efforts.find((level) => level === name.slice(colon + 1));
  return effort && colon > 0 ? { stem: name.slice(0, colon), effort } : { stem: name, effort: undefined };
}

const nowhere: Stream = async function* ({ model }) {
  yield [{ type: "fail", failure: { kind: "missing", message: `${modelName(model)} is not connected` } }];
};

/** 128,000. The runtime's own formatting loads its tables of all languages first, which costs more than the rest of the start. */
const grouped = (amount: number): string => String(amount).replace(/\B(?=(\d{3})+$)/g, ",");

const knownVendors = ({ vendors }: Book) =>
  `known are ${[...vendors.map(({ id }) => id), "faux"].join(", ")}. A model that your own server calls by a name with a slash is openai/<that name>, with OPENAI_BASE_URL set`;

const howToConnect = `no model is connected. Any of these connects one:
  export OPENAI_API_KEY=…                               a key; pith models tells the variable of every vendor
  pith auth add anthropic                               a key that pith keeps
  export OPENAI_BASE_URL=http://127.0.0.1:11434/v1      a server that speaks its protocol; one of your own needs no key
  --model faux/tour                                     a scripted demonstration, without any model`;
