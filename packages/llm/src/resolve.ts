import { type Clock, fail, formatCount, nearest, ok, type Result, systemClock } from "@pith/kit";
import { guessedModel } from "./catalog/catalog.ts";
import { bestMatch } from "./catalog/find.ts";
import { type ModelRegistry, openRegistry } from "./catalog/registry.ts";
import { type ChosenModel, choose, chooseUsual } from "./choose.ts";
import { type ConnectEnvironment, connect } from "./connect.ts";
import type { KeyEnvironment } from "./credential/credential.ts";
import { keyStoreFile, openKeyStore } from "./credential/store.ts";
import { isScriptFile, loadScript, type ReadFile } from "./faux/load.ts";
import type { Script } from "./faux/script.ts";
import type { Request, Stream } from "./message/stream.ts";
import { type Effort, efforts, type Model, modelName } from "./model/model.ts";
import type { Endpoint } from "./route/endpoint.ts";
import type { Tap } from "./route/tap.ts";
import type { TransportOptions, WrapTransport } from "./route/transport.ts";
import { localTimeouts, type StreamTimeouts, withTimeouts } from "./timeout.ts";
import { catalogUrl, serverOf } from "./vendor/server.ts";
import { runsLocally, withSize } from "./vendor/size.ts";
import { customModel, type Vendor } from "./vendor/vendor.ts";

export interface ResolvedModel {
  model: Model;
  stream: Stream;
  /** Thinking level that the name asks for: `model:high`. */
  effort?: Effort;
  /** True when its server is on this machine or in the local network. */
  near: boolean;
  /** Window that the server has reserved, where it reports one. */
  served?: () => Promise<number | undefined>;
  /** True when the cost is known: the model has prices, or costs nothing. */
  priced: boolean;
  /** Lines to show to the user. */
  notes: string[];
  /** Assumptions about an unknown model; shown once per conversation. */
  guess?: string;
  /** Script of a scripted model, which may bring a project. */
  script?: Script;
}
export type ResolveFailure = "vendor" | "credential" | "script" | "models" | "none" | "cassette";

export interface ResolveOptions extends Pick<KeyEnvironment, "run"> {
  env: Readonly<Record<string, string | undefined>>;
  /** Directory of pith's own files: `models.yml`, stored keys, refreshed catalogs. */
  home?: string;
  /** Reads a script file; it resolves relative paths. */
  readFile?: ReadFile;
  clock?: Clock;
  patience?: Partial<StreamTimeouts>;
  /** Records or disturbs the network. */
  wire?: TransportOptions | undefined;
  /** Captures the servers' answers. */
  tap?: Tap | undefined;
  /** Set by probes: calls in text stay text, and earlier findings are ignored. */
  raw?: true;
}

/** Models by name. A resolved model stays connected: `stream` picks the connection by the request's model. */
export interface Models extends Disposable {
  resolve(name: string | undefined): Promise<Result<ResolvedModel, ResolveFailure>>;
  stream: Stream;
  /** Prepares for a request like this one; sends nothing. */
  prepare(request: Request): void;
  /** All keys read so far, so that they can be hidden. */
  secrets(): readonly string[];
  /** True when the server of a resolved model is on this machine or in the local network. */
  near(model: Model): boolean;
  /** Window that the server has reserved for a loaded model, where it reports one. */
  served(model: Model): Promise<number | undefined>;
  /** Recent raw answers of servers. */
  tap?: Tap | undefined;
}

export function openModels(given: ResolveOptions): Models {
  const known = new Map<string, ResolvedModel>();
  let opened: Promise<Result<ModelSources, ResolveFailure>> | undefined;
  const secrets: string[] = [];
  const { run, tap } = given;
  const from: ResolveOptions = {
    ...given,
    ...(run && {
      async run(command, how) {
        const key = await run(command, how);
        if (key.ok) secrets.push(key.value.trim());
        return key;
      },
    }),
  };
  const keep = ({ book, surroundings }: ModelSources) => {
    const stored = surroundings.store?.list() ?? [];
    const written = book.vendors.map(({ custom }) => custom?.apiKey ?? "");
    secrets.push(
      ...stored.flatMap(({ secret, data }) => [secret, ...textsIn(data)]),
      ...written.filter((key) => !/^[!$]/.test(key)),
    );
  };
  return {
    async resolve(name) {
      const resolved = await resolveOn(name, from, () => {
        opened ??= openShelf(from).then((shelf) => {
          if (shelf.ok) keep(shelf.value);
          return shelf;
        });
        return opened;
      });
      if (resolved.ok) known.set(modelName(resolved.value.model), resolved.value);
      return resolved;
    },
    [Symbol.dispose]: () =>
      void opened?.then((shelf) => shelf.ok && shelf.value.surroundings.store?.[Symbol.dispose]()),
    stream(request, signal) {
      const stream = known.get(modelName(request.model))?.stream ?? nowhere;
      const word = request.completion;
      return word === undefined ? stream(request, signal) : withSignal(stream, word, request, signal);
    },
    prepare: (request) => known.get(modelName(request.model))?.stream.prepare?.(request),
    secrets: () => secrets,
    near: (model) => known.get(modelName(model))?.near ?? false,
    served: async (model) => known.get(modelName(model))?.served?.(),
    tap,
  };
}

async function* withSignal(stream: Stream, word: string, ...[request, signal]: Parameters<Stream>): ReturnType<Stream> {
  const { CompletionReader } = await import("./protocol/completion.ts");
  const reader = new CompletionReader(word, request.model.api);
  for await (const events of stream(request, signal)) {
    const read = reader.read(events);
    if (read.length > 0) yield read;
  }
}

/** Resolves one model. */
export const resolveModel = (
  name: string | undefined,
  from: ResolveOptions,
): Promise<Result<ResolvedModel, ResolveFailure>> => openModels(from).resolve(name);

/** Vendors, catalogs and stored keys; read once. */
interface ModelSources {
  book: ModelRegistry;
  surroundings: ConnectEnvironment;
}

/**
 * Resolves a name: `vendor/id`, an id or a part of one that a catalog knows, `faux/<script>`, `cassette/<file>`, or a
 * script file; `:high` at the end sets the thinking level. Without a name it is the usual model of the first configured
 * vendor, else one on a local server.
 */
async function resolveOn(
  name: string | undefined,
  from: ResolveOptions,
  shelf: () => Promise<Result<ModelSources, ResolveFailure>>,
): Promise<Result<ResolvedModel, ResolveFailure>> {
  if (name?.startsWith("faux/")) return script(name.slice("faux/".length), from);
  if (name !== undefined && isScriptFile(name)) return script(name, from);
  if (name?.startsWith("cassette/")) return cassette(name.slice("cassette/".length), from);
  const open = await shelf();
  if (!open.ok) return open;
  const { book, surroundings } = open.value;
  if (name === undefined) {
    const first = await chooseUsual(book, surroundings);
    return first.ok ? take(first.value, book, surroundings) : first;
  }
  const exact = await choose(name, book, surroundings);
  const { stem, effort } = splitEffort(name);
  // An id may end like a level, so the whole name is tried first.
  const chosen = effort && (!exact.ok || exact.value.guessed) ? await choose(stem, book, surroundings) : exact;
  if (!chosen.ok) return chosen;
  const resolved = await take(chosen.value, book, surroundings);
  return resolved.ok && effort && chosen !== exact ? ok({ ...resolved.value, effort }) : resolved;
}

async function take(
  { vendor: named, id, note }: ChosenModel,
  book: ModelRegistry,
  usual: ConnectEnvironment,
): Promise<Result<ResolvedModel, ResolveFailure>> {
  const row = customModel(named, id);
  const vendor = row?.baseUrl && named.custom ? { ...named, custom: { ...named.custom, baseUrl: row.baseUrl } } : named;
  const surroundings = await placed(vendor, usual);
  const listed = await book.find(vendor, id);
  const { found, notes = [] } = listed ? { found: listed } : await heard(vendor, id, book, surroundings);
  const place = serverOf(vendor, surroundings.env);
  // At another address only the vendor's usual protocol is likely, and the catalog's switches describe another server.
  const moved = place.ok && place.value.moved;
  const api = row?.facts.api ?? (moved ? vendor.api : found.api);
  const compat = moved && found.known ? { compat: row?.facts.compat ?? {} } : {};
  const model = withSize(vendor, { ...found, api, ...compat });
  const stream = await connect(
    vendor,
    model,
    moved ? undefined : catalogUrl(vendor, model.api, await book.catalog(vendor)),
    surroundings,
  );
  if (!stream.ok) return stream;
  return ok({
    model,
    stream: stream.value,
    near: place.ok && place.value.endpoint.near,
    ...(place.ok && model.local && model.api === "ollama-chat" && servedBy(place.value.endpoint, id)),
    priced: isPriced(vendor, model),
    notes: [...(note ? [note] : []), ...notes, ...book.warnings],
    ...(model.known || row ? {} : { guess: guessOf(model, await likeIt(vendor, id, moved, book)) }),
  });
}

const servedBy = (endpoint: Endpoint, id: string): Pick<ResolvedModel, "served"> => ({
  served: async () => (await import("./vendor/local.ts")).servedWindow(endpoint, id, servedMs),
});
const servedMs = 5000;

/**
 * True when prices are known or there are none: a local model costs nothing, but one behind a local proxy may. Half a
 * price does not count, since the other half would be taken for nothing.
 */
const isPriced = (vendor: Vendor, { id, cost }: Model): boolean =>
  runsLocally(vendor) ||
  (cost.input > 0 && cost.output > 0) ||
  /\bfree\b/i.test(id) ||
  [...(vendor.custom?.models ?? []), ...(vendor.custom?.overrides ?? [])].some(
    ({ id: named, facts }) => named === id && facts.cost?.input !== undefined && facts.cost.output !== undefined,
  );

function guessOf(model: Model, like: string | undefined): string {
  const [context, output] = [formatCount(model.contextWindow), formatCount(model.maxOutput)];
  const meant = like === undefined ? "" : ` (did you mean ${model.vendor}/${like}?)`;
  return `The catalog does not know ${modelName(model)}${meant}: using it as it is, assuming ${context} tokens of \
context, ${output} of output, and text only. models.yml can tell more of it (pith help models).`;
}

/** The known model most like an unknown id. Not for a server that copies Chat Completions, which has other names. */
async function likeIt(vendor: Vendor, id: string, moved: boolean, book: ModelRegistry): Promise<string | undefined> {
  if (moved && vendor.api === "openai-completions") return undefined;
  const ids = await book.ids(vendor);
  return bestMatch(id, ids) ?? nearest(id, ids);
}

/** Adds the region of the AWS profile, where AWS's tools keep it. */
async function placed(vendor: Vendor, surroundings: ConnectEnvironment): Promise<ConnectEnvironment> {
  const { env } = surroundings;
  if (vendor.api !== "bedrock-converse-stream" || env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim())
    return surroundings;
  const region = (await import("./vendor/aws/profile.ts")).profileRegion(env);
  return region ? { ...surroundings, env: { ...env, AWS_REGION: region } } : surroundings;
}

/** Describing a model may load it, so it takes longer than listing names. */
const describeMs = 1600;

/**
 * Facts of an unlisted model: from its local server, over these the findings of a probe, over both what the user wrote.
 */
async function heard(
  vendor: Vendor,
  id: string,
  book: ModelRegistry,
  { env, home, raw }: ConnectEnvironment,
): Promise<{ found: Model; notes?: string[] }> {
  const guess = guessedModel(vendor, id);
  const place = serverOf(vendor, env);
  if (!vendor.local || !place.ok) return { found: guess };
  const { describeModel, modelServed } = await import("./vendor/local.ts");
  const said = await describeModel(vendor.id, place.value.endpoint, id, env, describeMs);
  if (!said) return { found: book.over(vendor, guess) };
  const model = modelServed(vendor, said);
  if (home === undefined || raw) return { found: book.over(vendor, model) };
  const { learnedFacts, learnedKey, readLearned } = await import("./probe/learned.ts");
  const { known, broken } = readLearned(home);
  const learned = known.get(learnedKey(place.value.endpoint.shown, said));
  const mute = learned?.calls === "none" ? [`A probe found that ${modelName(model)} does not call tools.`] : [];
  return {
    found: book.over(vendor, { ...model, ...learnedFacts(learned, said.contextWindow) }),
    notes: [...mute, ...(broken === undefined ? [] : [broken])],
  };
}

async function cassette(file: string, from: ResolveOptions): Promise<Result<ResolvedModel, ResolveFailure>> {
  const { clock = systemClock, patience, wire } = from;
  const { playCassette } = await import("./cassette/play.ts");
  if (wire?.record !== undefined) return fail("cassette", "what a cassette plays is not recorded again");
  const carry = await carryFor(wire, clock);
  if (!carry.ok) return carry;
  const played = await playCassette(file, clock, carry.value);
  if (!played.ok) return played;
  const { model, stream } = played.value;
  return ok({
    model,
    stream: withTimeouts(stream, { ...localTimeouts, ...patience }),
    near: true,
    priced: true,
    notes: [],
  });
}

/** The wrapper around the network, if one was asked for. */
async function carryFor(
  wire: TransportOptions | undefined,
  clock: Clock,
): Promise<Result<WrapTransport | undefined, "cassette">> {
  if (wire?.record === undefined && wire?.chaos === undefined) return ok(undefined);
  const { wrapWith } = await import("./cassette/transport.ts");
  return wrapWith(wire, clock);
}

async function openShelf({
  home,
  env,
  run,
  clock = systemClock,
  patience = {},
  wire,
  tap,
  raw,
}: ResolveOptions): Promise<Result<ModelSources, ResolveFailure>> {
  const book = await openRegistry(home, env);
  if (!book.ok) return book;
  const store = home === undefined ? ok(undefined) : await openKeyStore(keyStoreFile(home), "is nothing");
  if (!store.ok) return store;
  const carry = await carryFor(wire, clock);
  if (!carry.ok) return carry;
  const surroundings = { env, clock, store: store.value, patience, run, carry: carry.value, tap, home, raw };
  return ok({ book: book.value, surroundings });
}

async function script(name: string, from: ResolveOptions): Promise<Result<ResolvedModel, ResolveFailure>> {
  if (from.wire) return fail("script", "a scripted model has no wire to record or to disturb");
  const [loaded, { fauxModel, fauxStream }] = await Promise.all([
    loadScript(name, from.readFile),
    import("./faux/play.ts"),
  ]);
  if (!loaded.ok) return fail("script", loaded.message);
  const stream = withTimeouts(fauxStream(loaded.value), { ...localTimeouts, ...from.patience });
  return ok({
    model: fauxModel(name, loaded.value),
    stream,
    near: true,
    priced: true,
    notes: [],
    script: loaded.value,
  });
}

/** Strings among the other fields of a login. */
function textsIn(data: string): string[] {
  try {
    return Object.values(JSON.parse(data) as object).filter((value) => typeof value === "string");
  } catch {
    return [];
  }
}

/** Splits `name:high`. */
function splitEffort(name: string): { stem: string; effort: Effort | undefined } {
  const colon = name.lastIndexOf(":");
  const effort = efforts.find((level) => level === name.slice(colon + 1));
  return effort && colon > 0 ? { stem: name.slice(0, colon), effort } : { stem: name, effort: undefined };
}

const nowhere: Stream = async function* ({ model }) {
  yield [{ type: "fail", failure: { kind: "missing", message: `${modelName(model)} is not connected` } }];
};
