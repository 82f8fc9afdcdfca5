import { type Clock, fail, formatCount, nearest, ok, parseJson, type Result, recordOf, systemClock } from "@pith/kit";
import { guessedModel } from "./catalog/catalog.ts";
import { bestMatch } from "./catalog/find.ts";
import { type ModelRegistry, openRegistry } from "./catalog/registry.ts";
import { type ChosenModel, choose, chooseUsual, type ModelSources } from "./choose.ts";
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
  const runAndKeep = async (command: string, how?: "again") => {
    const key = await run?.(command, how);
    if (key?.ok) secrets.push(key.value.trim());
    return key as Result<string, "credential">;
  };
  const from: ResolveOptions = { ...given, run: run && runAndKeep };
  const open = async () => {
    const sources = await openSources(from);
    if (sources.ok) secrets.push(...secretsIn(sources.value));
    return sources;
  };
  const resolvedFor = (model: Model) => known.get(modelName(model));
  return {
    async resolve(name) {
      const resolved = await resolveWith(name, from, () => {
        opened ??= open();
        return opened;
      });
      if (resolved.ok) known.set(modelName(resolved.value.model), resolved.value);
      return resolved;
    },
    [Symbol.dispose]: () =>
      void opened?.then((sources) => sources.ok && sources.value.environment.store?.[Symbol.dispose]()),
    stream(request, signal) {
      const stream = resolvedFor(request.model)?.stream ?? notConnected;
      const word = request.completion;
      return word === undefined ? stream(request, signal) : withCompletion(stream, word, request, signal);
    },
    prepare: (request) => resolvedFor(request.model)?.stream.prepare?.(request),
    secrets: () => secrets,
    near: (model) => resolvedFor(model)?.near ?? false,
    served: async (model) => resolvedFor(model)?.served?.(),
    tap,
  };
}

/** Stored keys and logins, and the keys that stand in `models.yml` itself. */
function secretsIn({ registry, environment }: ModelSources): string[] {
  const stored = environment.store?.list() ?? [];
  const written = registry.vendors.map(({ custom }) => custom?.apiKey ?? "");
  return [
    ...stored.flatMap(({ secret, data }) => [secret, ...textsIn(data)]),
    ...written.filter((key) => !/^[!$]/.test(key)),
  ];
}

/** A stream that looks for the completion word. */
async function* withCompletion(
  stream: Stream,
  word: string,
  ...[request, signal]: Parameters<Stream>
): ReturnType<Stream> {
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

/**
 * Resolves a name: `vendor/id`, an id or a part of one that a catalog knows, `faux/<script>`, `cassette/<file>`, or a
 * script file; `:high` at the end sets the thinking level. Without a name it is the usual model of the first configured
 * vendor, else one on a local server.
 */
async function resolveWith(
  name: string | undefined,
  from: ResolveOptions,
  open: () => Promise<Result<ModelSources, ResolveFailure>>,
): Promise<Result<ResolvedModel, ResolveFailure>> {
  if (name?.startsWith("faux/")) return script(name.slice("faux/".length), from);
  if (name !== undefined && isScriptFile(name)) return script(name, from);
  if (name?.startsWith("cassette/")) return cassette(name.slice("cassette/".length), from);
  const opened = await open();
  if (!opened.ok) return opened;
  const sources = opened.value;
  if (name === undefined) {
    const usual = await chooseUsual(sources);
    return usual.ok ? connectChosen(usual.value, sources) : usual;
  }
  const exact = await choose(name, sources);
  const { stem, effort } = splitEffort(name);
  // An id may end like a level, so the whole name is tried first.
  const chosen = effort && (!exact.ok || exact.value.guessed) ? await choose(stem, sources) : exact;
  if (!chosen.ok) return chosen;
  const resolved = await connectChosen(chosen.value, sources);
  return resolved.ok && effort && chosen !== exact ? ok({ ...resolved.value, effort }) : resolved;
}

async function connectChosen(
  { vendor: named, id, note }: ChosenModel,
  sources: ModelSources,
): Promise<Result<ResolvedModel, ResolveFailure>> {
  const { registry } = sources;
  const row = customModel(named, id);
  const vendor = row?.baseUrl && named.custom ? { ...named, custom: { ...named.custom, baseUrl: row.baseUrl } } : named;
  const environment = await withRegion(vendor, sources.environment);
  const listed = await registry.find(vendor, id);
  const { found, notes = [] } = listed ? { found: listed } : await described(vendor, id, { registry, environment });
  const server = serverOf(vendor, environment.env);
  const { endpoint, moved } = server.ok ? server.value : { endpoint: undefined, moved: false };
  // At another address only the vendor's usual protocol is likely, and the catalog's switches describe another server.
  const api = row?.facts.api ?? (moved ? vendor.api : found.api);
  const compat = moved && found.known ? (row?.facts.compat ?? {}) : found.compat;
  const model = withSize(vendor, { ...found, api, compat });
  const url = moved ? undefined : catalogUrl(vendor, model.api, await registry.catalog(vendor));
  const stream = await connect(vendor, model, url, environment);
  if (!stream.ok) return stream;
  const isOllama = model.local && model.api === "ollama-chat";
  return ok({
    model,
    stream: stream.value,
    near: endpoint?.near ?? false,
    served: endpoint && isOllama ? () => windowServed(endpoint, id) : undefined,
    priced: isPriced(vendor, model),
    notes: [note ?? [], ...notes, ...registry.warnings].flat(),
    guess: model.known || row ? undefined : guessOf(model, await likeIt(vendor, id, moved, registry)),
  });
}

const windowServed = async (endpoint: Endpoint, id: string) =>
  (await import("./vendor/local.ts")).servedWindow({ endpoint, timeoutMs: 5000 }, id);

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
async function likeIt(
  vendor: Vendor,
  id: string,
  moved: boolean,
  registry: ModelRegistry,
): Promise<string | undefined> {
  if (moved && vendor.api === "openai-completions") return undefined;
  const ids = await registry.ids(vendor);
  return bestMatch(id, ids) ?? nearest(id, ids);
}

/** Adds the region of the AWS profile, where AWS's tools keep it. */
async function withRegion(vendor: Vendor, environment: ConnectEnvironment): Promise<ConnectEnvironment> {
  const { env } = environment;
  if (vendor.api !== "bedrock-converse-stream" || env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim())
    return environment;
  const region = (await import("./vendor/aws/profile.ts")).profileRegion(env);
  return region ? { ...environment, env: { ...env, AWS_REGION: region } } : environment;
}

/** Describing a model may load it, so it takes longer than listing names. */
const describeMs = 1600;

/**
 * Facts of an unlisted model: from its local server, over these the findings of a probe, over both what the user wrote.
 */
async function described(
  vendor: Vendor,
  id: string,
  { registry, environment: { env, home, raw } }: ModelSources,
): Promise<{ found: Model; notes?: string[] }> {
  const guess = guessedModel(vendor, id);
  const server = serverOf(vendor, env);
  if (!vendor.local || !server.ok) return { found: guess };
  const { endpoint } = server.value;
  const { describeModel, modelServed } = await import("./vendor/local.ts");
  const said = await describeModel({ vendor: vendor.id, endpoint, env, timeoutMs: describeMs }, id);
  const model = said ? modelServed(vendor, said) : guess;
  if (!said || home === undefined || raw) return { found: registry.over(vendor, model) };
  const { learnedFacts, learnedKey, readLearned } = await import("./probe/learned.ts");
  const { known, broken } = readLearned(home);
  const learned = known.get(learnedKey(endpoint.shown, said));
  const mute = learned?.calls === "none" ? `A probe found that ${modelName(model)} does not call tools.` : [];
  return {
    found: registry.over(vendor, { ...model, ...learnedFacts(learned, said.contextWindow) }),
    notes: [mute, broken ?? []].flat(),
  };
}

async function cassette(file: string, from: ResolveOptions): Promise<Result<ResolvedModel, ResolveFailure>> {
  const { clock = systemClock, patience, wire } = from;
  const { playCassette } = await import("./cassette/play.ts");
  if (wire?.record !== undefined) return fail("cassette", "what a cassette plays is not recorded again");
  const wrap = await wrapFor(wire, clock);
  if (!wrap.ok) return wrap;
  const played = await playCassette(file, clock, wrap.value);
  if (!played.ok) return played;
  const stream = withTimeouts(played.value.stream, { ...localTimeouts, ...patience });
  return ok({ model: played.value.model, stream, near: true, priced: true, notes: [] });
}

/** The wrapper around the network, if one was asked for. */
async function wrapFor(
  wire: TransportOptions | undefined,
  clock: Clock,
): Promise<Result<WrapTransport | undefined, "cassette">> {
  if (wire?.record === undefined && wire?.chaos === undefined) return ok(undefined);
  return (await import("./cassette/transport.ts")).wrapWith(wire, clock);
}

async function openSources(options: ResolveOptions): Promise<Result<ModelSources, ResolveFailure>> {
  const { home, env, run, clock = systemClock, patience = {}, wire, tap, raw } = options;
  const registry = await openRegistry(home, env);
  if (!registry.ok) return registry;
  const store = home === undefined ? ok(undefined) : await openKeyStore(keyStoreFile(home), "is nothing");
  if (!store.ok) return store;
  const wrap = await wrapFor(wire, clock);
  if (!wrap.ok) return wrap;
  const environment = { env, clock, store: store.value, patience, run, wrap: wrap.value, tap, home, raw };
  return ok({ registry: registry.value, environment });
}

async function script(name: string, from: ResolveOptions): Promise<Result<ResolvedModel, ResolveFailure>> {
  if (from.wire) return fail("script", "a scripted model has no wire to record or to disturb");
  const [loaded, { fauxModel, fauxStream }] = await Promise.all([
    loadScript(name, from.readFile),
    import("./faux/play.ts"),
  ]);
  if (!loaded.ok) return fail("script", loaded.message);
  const { value } = loaded;
  const stream = withTimeouts(fauxStream(value), { ...localTimeouts, ...from.patience });
  return ok({ model: fauxModel(name, value), stream, near: true, priced: true, notes: [], script: value });
}

/** Strings among the other fields of a login. */
const textsIn = (data: string): string[] =>
  Object.values(recordOf(parseJson(data))).filter((value) => typeof value === "string");

/** Splits `name:high`. */
function splitEffort(name: string): { stem: string; effort: Effort | undefined } {
  const colon = name.lastIndexOf(":");
  const effort = efforts.find((level) => level === name.slice(colon + 1));
  return effort && colon > 0 ? { stem: name.slice(0, colon), effort } : { stem: name, effort: undefined };
}

const notConnected: Stream = async function* ({ model }) {
  yield [{ type: "fail", failure: { kind: "missing", message: `${modelName(model)} is not connected` } }];
};
