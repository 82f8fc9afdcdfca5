import { defined, fail, ok, type Result } from "@pith/kit";
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
  wrap?: WrapTransport | undefined;
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
  environment: ConnectEnvironment,
): Promise<Result<Stream, "vendor" | "credential">> {
  const { env, clock, store, wrap, tap, raw, patience } = environment;
  const api = apiNamed(model.api);
  const load = api && protocols[api];
  if (!api || !load) return fail("vendor", `${vendor.id} speaks ${model.api}, which pith does not know`);
  const server = serverOf(vendor, env, url, api);
  if (!server.ok) return server;
  const { endpoint, moved } = server.value;
  const keys = await keysFor(vendor, environment);
  if (!keys.ok) return keys;
  const headers = await ownHeaders(vendor, model.id, endpoint, environment);
  if (!headers.ok) return headers;
  const compat = { ...usualCompat(vendor, moved, env), ...localCompat(vendor, model), ...vendor.compat };
  const usual = await load(compat);
  const protocol = api === "azure-openai-responses" ? azureProtocol(usual, env) : usual;
  const certified = vendor.id === "anthropic" && !isAnthropics(endpoint);
  const tls = certified ? (await import("./vendor/tls.ts")).tlsFrom(env) : ok(undefined);
  if (!tls.ok) return tls;
  const preconnects = !wrap && !tls.value && !proxies.some((name) => env[name]);
  const route: Unauthorised = { vendor: vendor.id, endpoint, clock, ...protocol, tls: tls.value, tap, preconnects };
  // Local servers serve models that write calls as text, and let some calls of other models through as text.
  const byText = !raw && (model.tools === false || vendor.local === true);
  const secrets = [...keys.value.map(({ secret }) => secret), ...Object.values(headers.value)];
  route.transport = wrap?.({ model, compat, byText, secrets }, fetchSafely);
  const streams = await keyStreams({ route, keys: keys.value, headers: headers.value, vendor, api }, environment);
  if (!streams.ok) return streams;
  const rotated = rotateKeys(streams.value, {
    clock,
    onBlocked: (key, until) => key.id !== undefined && store?.block(key.id, until),
  });
  const waited = withTimeouts(rotated, { ...(endpoint.near ? localTimeouts : usualTimeouts), ...patience });
  const stream = byText ? (await import("./protocol/text-call/text-call.ts")).withTextCalls(waited) : waited;
  if (rotated.prepare) stream.prepare = rotated.prepare;
  return ok(stream);
}

/** Variables from which the runtime takes a proxy. */
const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

type Unauthorised = Omit<Route, "auth">;
interface KeyedRoute {
  route: Unauthorised;
  keys: readonly ApiKey[];
  headers: Readonly<Record<string, string>>;
  vendor: Vendor;
  api: Api;
}

/** A stream per key. Without a key: the two clouds that sign requests, or a server that needs none. */
async function keyStreams(
  { route, keys, headers, vendor, api }: KeyedRoute,
  { env, clock, run }: ConnectEnvironment,
): Promise<Result<KeyStream[], "credential">> {
  const streamWith = (auth: Auth, usual = route.headers) =>
    streamOf({ ...route, headers: usual, auth: { ...auth, headers: { ...auth.headers, ...headers } } });
  const withKey = (key?: ApiKey): KeyStream => {
    const auth = authWith(key, vendor, api);
    // A header that the user wrote may hold a secret too.
    const own = vendor.custom || vendor.id === "anthropic" ? Object.values(headers) : [];
    const isLogin = key?.kind === "oauth" && api === "anthropic-messages";
    const usual = isLogin ? withLogin(route.headers) : route.headers;
    return { key, stream: streamWith({ ...auth, secrets: [...auth.secrets, ...own] }, usual) };
  };
  // Credentials of a cloud are fetched for each request: they expire during a conversation.
  const lent = (fetchAuth: () => Promise<Result<Auth, "credential">>, key?: ApiKey): KeyStream => ({
    key,
    stream: async function* (request, signal) {
      const auth = await fetchAuth();
      if (auth.ok) yield* streamWith(auth.value)(request, signal);
      else yield [{ type: "fail", failure: { kind: "auth", message: auth.message } }];
    },
  });
  if (vendor.custom?.keyless) return ok([withKey()]);
  if (vendor.exchange && keys.length > 0) {
    const { gitlabAuth } = await import("./vendor/gitlab.ts");
    return ok(keys.map((key) => lent(gitlabAuth(key, env, clock), key)));
  }
  if (keys.length > 0) return ok(keys.map(withKey));
  if (api === "bedrock-converse-stream") {
    const auth = (await import("./vendor/aws/auth.ts")).awsAuth(env, clock, run);
    const first = await auth();
    return first.ok ? ok([lent(auth)]) : first;
  }
  // A private endpoint of Google needs its login like the public one; a local stand-in has none.
  if (api === "google-vertex" && (!route.endpoint.near || env.GOOGLE_APPLICATION_CREDENTIALS?.trim()))
    return ok([lent((await import("./vendor/google.ts")).googleAuth(env, clock))]);
  return route.endpoint.near ? ok([withKey()]) : fail("credential", noKey(vendor, route.endpoint.variable));
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
  return defined({
    maxTokensField: vendor.id === "openai" && !moved ? ("max_completion_tokens" as const) : ("max_tokens" as const),
    cacheRetention: env.PITH_CACHE_RETENTION === "long" ? ("long" as const) : undefined,
    interleavedThinking: env.PITH_NO_INTERLEAVED_THINKING === "1" ? false : undefined,
  });
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
