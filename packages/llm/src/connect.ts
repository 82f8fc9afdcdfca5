import { fail, ok, type Result } from "@pith/kit";
import { type ApiKey, type KeyEnvironment, keysFor, resolveValue } from "./credential/credential.ts";
import type { KeyStore } from "./credential/store.ts";
import type { Stream } from "./message/stream.ts";
import type { Compat } from "./model/compat.ts";
import type { Model } from "./model/model.ts";
import { fetchSafely } from "./platform.ts";
import { protocols } from "./protocol/protocols.ts";
import { type KeyStream, rotateKeys } from "./rotate.ts";
import type { Auth } from "./route/auth.ts";
import type { Endpoint } from "./route/endpoint.ts";
import { type Route, streamOf } from "./route/route.ts";
import type { Tap } from "./route/tap.ts";
import type { WrapTransport } from "./route/transport.ts";
import { localTimeouts, type StreamTimeouts, usualTimeouts, withTimeouts } from "./timeout.ts";
import { type Api, apiNamed, type VendorEnvironment } from "./vendor/api.ts";
import { authWith } from "./vendor/auth.ts";
import { azureProtocol } from "./vendor/azure.ts";
import { serverOf } from "./vendor/server.ts";
import { customModel, type Vendor } from "./vendor/vendor.ts";

/** The environment of a connection. */
export interface ConnectEnvironment extends VendorEnvironment, Omit<KeyEnvironment, "env"> {
  store: KeyStore | undefined;
  patience: Partial<StreamTimeouts>;
  /** Wraps the network: records or disturbs it. */
  carry?: WrapTransport | undefined;
  tap?: Tap | undefined;
  /** Directory of pith's own files; set in conversations, for what probes have learned. */
  home?: string | undefined;
  /** Leaves calls in text as text. */
  raw?: true | undefined;
}

/** Connects a model: protocol, server, keys, and timeouts. */
export async function connect(
  vendor: Vendor,
  model: Model,
  url: string | undefined,
  surroundings: ConnectEnvironment,
): Promise<Result<Stream, "vendor" | "credential">> {
  const api = apiNamed(model.api);
  const load = api && protocols[api];
  if (!api || !load) return fail("vendor", `${vendor.id} speaks ${model.api}, which pith does not know`);
  const place = serverOf(vendor, surroundings.env, url, api);
  if (!place.ok) return place;
  const { endpoint, moved } = place.value;
  const keys = await keysFor(vendor, surroundings);
  if (!keys.ok) return keys;
  const headers = await ownHeaders(vendor, model.id, endpoint, surroundings);
  if (!headers.ok) return headers;
  const compat = { ...usualCompat(vendor, moved, surroundings.env), ...localCompat(vendor, model), ...vendor.compat };
  const usual = await load(compat);
  const protocol = api === "azure-openai-responses" ? azureProtocol(usual, surroundings.env) : usual;
  const certified = vendor.id === "anthropic" && !isAnthropics(endpoint);
  const tls = certified ? (await import("./vendor/tls.ts")).tlsFrom(surroundings.env) : ok(undefined);
  if (!tls.ok) return tls;
  const route: Unauthorised = {
    vendor: vendor.id,
    endpoint,
    clock: surroundings.clock,
    ...protocol,
    tls: tls.value,
    tap: surroundings.tap,
    preconnects: !surroundings.carry && !tls.value && !proxies.some((name) => surroundings.env[name]),
  };
  // Local servers serve models that write calls as text, and let some calls of other models through as text.
  const byText = !surroundings.raw && (model.tools === false || vendor.local === true);
  const { carry } = surroundings;
  if (carry) {
    const secrets = [...keys.value.map(({ secret }) => secret), ...Object.values(headers.value)];
    route.transport = carry({ model, compat, byText, secrets }, fetchSafely);
  }
  const lanes = await lanesOf({ route, keys: keys.value, headers: headers.value, vendor, api }, surroundings);
  if (!lanes.ok) return lanes;
  const rotated = rotateKeys(lanes.value, {
    clock: surroundings.clock,
    onBlocked: (key, until) => key.id !== undefined && surroundings.store?.block(key.id, until),
  });
  const waited = withTimeouts(rotated, {
    ...(endpoint.near ? localTimeouts : usualTimeouts),
    ...surroundings.patience,
  });
  const stream = byText ? (await import("./protocol/text-call/text-call.ts")).withTextCalls(waited) : waited;
  if (rotated.prepare) stream.prepare = rotated.prepare;
  return ok(stream);
}

/** Variables from which the runtime takes a proxy. */
const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

type Unauthorised = Omit<Route, "auth">;
interface LaneSources {
  route: Unauthorised;
  keys: readonly ApiKey[];
  headers: Readonly<Record<string, string>>;
  vendor: Vendor;
  api: Api;
}

/** A stream per key. Without a key: the two clouds that sign requests, or a server that needs none. */
async function lanesOf(
  { route, keys, headers, vendor, api }: LaneSources,
  { env, clock, run }: ConnectEnvironment,
): Promise<Result<KeyStream[], "credential">> {
  const lane = (key: ApiKey | undefined): KeyStream => {
    const auth = authWith(key, vendor, api);
    const login = key?.kind === "oauth" && api === "anthropic-messages" ? { headers: withLogin(route.headers) } : {};
    // A header that the user wrote may hold a secret too.
    const secrets = [...auth.secrets, ...(vendor.custom || vendor.id === "anthropic" ? Object.values(headers) : [])];
    return {
      key,
      stream: streamOf({ ...route, ...login, auth: { ...auth, headers: { ...auth.headers, ...headers }, secrets } }),
    };
  };
  const owned = (auth: Authorise, key?: ApiKey): KeyStream => ({
    key,
    stream: (request, signal) => authorised(auth, route, headers, request, signal),
  });
  if (vendor.custom?.keyless) return ok([lane(undefined)]);
  if (vendor.exchange && keys.length > 0) {
    const { gitlabAuth } = await import("./vendor/gitlab.ts");
    return ok(keys.map((key) => owned(gitlabAuth(key, env, clock), key)));
  }
  if (keys.length > 0) return ok(keys.map(lane));
  if (api === "bedrock-converse-stream") {
    const auth = (await import("./vendor/aws/auth.ts")).awsAuth(env, clock, run);
    const first = await auth();
    return first.ok ? ok([owned(auth)]) : first;
  }
  // A private endpoint of Google needs its login like the public one; a local stand-in has none.
  if (api === "google-vertex" && (!route.endpoint.near || env.GOOGLE_APPLICATION_CREDENTIALS?.trim()))
    return ok([owned((await import("./vendor/google.ts")).googleAuth(env, clock))]);
  return route.endpoint.near ? ok([lane(undefined)]) : fail("credential", noKey(vendor, route.endpoint.variable));
}

/** Fetches credentials for a request: those of a cloud expire during a conversation. */
type Authorise = () => Promise<Result<Auth, "credential">>;

async function* authorised(
  authorise: Authorise,
  route: Unauthorised,
  headers: Readonly<Record<string, string>>,
  ...[request, signal]: Parameters<Stream>
): ReturnType<Stream> {
  const auth = await authorise();
  if (!auth.ok) return yield [{ type: "fail", failure: { kind: "auth", message: auth.message } }];
  yield* streamOf({ ...route, auth: { ...auth.value, headers: { ...auth.value.headers, ...headers } } })(
    request,
    signal,
  );
}

/** Adds the header that Anthropic requires with a login instead of a key. */
const withLogin =
  (headers: Route["headers"]): NonNullable<Route["headers"]> =>
  (request) => {
    const said = headers?.(request) ?? {};
    return { ...said, "anthropic-beta": [said["anthropic-beta"], "oauth-2025-04-20"].filter(Boolean).join(",") };
  };

/**
 * Switches that follow from the vendor and the environment. Servers other than OpenAI know the older name of the output
 * limit.
 */
function usualCompat(vendor: Vendor, moved: boolean, env: ConnectEnvironment["env"]): Compat {
  return {
    maxTokensField: vendor.id === "openai" && !moved ? "max_completion_tokens" : "max_tokens",
    ...(env.PITH_CACHE_RETENTION === "long" ? { cacheRetention: "long" } : {}),
    ...(env.PITH_NO_INTERLEAVED_THINKING === "1" ? { interleavedThinking: false } : {}),
  };
}

/** Switches for local servers: the chat templates of small models are strict, those of some families most of all. */
function localCompat({ local }: Vendor, { id }: Model): Compat {
  if (!local) return {};
  return { describesCalls: true, userMessages: strict.test(id) ? "after replies" : "joined" };
}

const strict = /gemma|mistral|mixtral|ministral|magistral|devstral|codestral|mathstral|pixtral/i;

async function ownHeaders(
  vendor: Vendor,
  id: string,
  endpoint: Endpoint,
  { env, run }: ConnectEnvironment,
): Promise<Result<Record<string, string>, "credential">> {
  const wanted = { ...vendor.headers, ...customModel(vendor, id)?.headers };
  const headers: Record<string, string> =
    vendor.id === "anthropic" && !isAnthropics(endpoint) ? customHeaders(env) : {};
  for (const [name, text] of Object.entries(wanted)) {
    const value = vendor.custom ? await resolveValue(text, env, run) : ok(text);
    if (!value.ok) return value;
    headers[name.toLowerCase()] = value.value.trim();
  }
  return ok(headers);
}

const isAnthropics = ({ url }: Endpoint): boolean => url.hostname === "api.anthropic.com";

/**
 * Headers from `ANTHROPIC_CUSTOM_HEADERS`, `name: value` by line or comma; sent only to servers other than Anthropic's
 * own.
 */
function customHeaders(env: ConnectEnvironment["env"]): Record<string, string> {
  const pairs = (env.ANTHROPIC_CUSTOM_HEADERS ?? "")
    .split(/[\n,]/)
    .map((line) => /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1]?.toLowerCase() ?? "", pair[2] ?? ""]] : [])));
}

function noKey({ id, keys, custom }: Vendor, baseVariable: string): string {
  const variable = keys.at(-1);
  const file = custom ? "models.yml" : "the settings";
  if (variable === undefined) return `${id} needs a key: set apiKey for it in ${file}, or run pith auth add ${id}`;
  const elsewhere = `point ${baseVariable} at a server of your own`;
  return `${id} needs a key: set ${variable}, run pith auth add ${id}, or ${elsewhere}`;
}
