import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { scratch, until } from "@pith/kit/test";
import { keyStoreFile, openKeyStore } from "./credential/store.ts";
import { resolveModel } from "./resolve.ts";
import { ask, collect, failureIn, user } from "./test/fixture.ts";

const secret = "canary-0123456789abcdef";
interface Seen {
  path: string;
  headers: Headers;
  body: string;
}
const seen: Seen[] = [];
let answer: (headers: Headers) => Response = () => new Response("no", { status: 400 });
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const url = new URL(request.url);
    if (
      url.pathname === "/computeMetadata/v1/instance/service-accounts/default/token" &&
      request.headers.get("metadata-flavor") === "Google"
    )
      return Response.json({ access_token: `${secret}-machine`, expires_in: 3600 });
    if (url.pathname === "/token") return Response.json({ access_token: `${secret}-token`, expires_in: 3600 });
    if (url.pathname === "/lend" && request.headers.get("authorization") === "t")
      return Response.json({
        AccessKeyId: "AKIDLENT",
        SecretAccessKey: secret,
        Token: "lent-token",
        Expiration: new Date(Date.now() + 3_600_000).toISOString(),
      });
    if (url.pathname === "/sts")
      return new Response(
        `<Credentials><AccessKeyId>AKIDSTS</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey><SessionToken>s</SessionToken></Credentials>`,
      );
    if (url.pathname === "/api/v4/ai/third_party_agents/direct_access") {
      if (request.headers.get("authorization") !== `Bearer ${secret}`) return new Response(secret, { status: 403 });
      return Response.json({ token: `${secret}-lent`, headers: { "X-Gitlab-Realm": "saas", broken: 7 } });
    }
    seen.push({ path: url.pathname + url.search, headers: request.headers, body: await request.text() });
    return answer(request.headers);
  },
});
const base = `http://127.0.0.1:${server.port}`;
const folder = scratch();
const home = folder.path;
afterAll(() => {
  server.stop(true);
  folder[Symbol.dispose]();
});
beforeEach(() => {
  seen.length = 0;
  answer = () => new Response("no", { status: 400 });
});

async function talk(name: string, env: Record<string, string>, from: string | undefined = undefined) {
  const resolved = await resolveModel(name, { env, home: from });
  if (!resolved.ok) throw new Error(resolved.message);
  const events = await collect(resolved.value.stream, ask([user("hi")], { model: resolved.value.model }));
  return { events, model: resolved.value.model, seen: seen.at(-1) as Seen };
}

/** The store in a file that can be read. */
async function stored(...place: Parameters<typeof openKeyStore>) {
  const opened = await openKeyStore(...place);
  if (!opened.ok) throw new Error(opened.message);
  return opened.value;
}

describe("a request goes where its vendor serves its protocol, with the key in the right header", () => {
  test.each([
    [
      "openai/some-model",
      { OPENAI_API_KEY: secret, OPENAI_BASE_URL: `${base}/v1` },
      "/v1/chat/completions",
      "authorization",
      `Bearer ${secret}`,
    ],
    [
      "groq/openai/gpt-oss-120b",
      { GROQ_API_KEY: secret, GROQ_BASE_URL: `${base}/openai/v1` },
      "/openai/v1/chat/completions",
      "authorization",
      `Bearer ${secret}`,
    ],
    [
      "anthropic/claude-opus-5-5",
      { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: base },
      "/v1/messages",
      "x-api-key",
      secret,
    ],
    [
      "anthropic/claude-opus-5-5",
      { ANTHROPIC_OAUTH_TOKEN: secret, ANTHROPIC_BASE_URL: base },
      "/v1/messages",
      "authorization",
      `Bearer ${secret}`,
    ],
    [
      "gemini/gemini-2.5-pro",
      { GEMINI_API_KEY: secret, GEMINI_BASE_URL: base },
      "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
      "x-goog-api-key",
      secret,
    ],
    [
      "ollama/qwen3:8b",
      { OLLAMA_API_KEY: secret, OLLAMA_HOST: base },
      "/api/chat",
      "authorization",
      `Bearer ${secret}`,
    ],
    [
      "azure/gpt-5",
      { AZURE_OPENAI_API_KEY: secret, AZURE_OPENAI_BASE_URL: `${base}/openai/v1` },
      "/openai/v1/responses",
      "api-key",
      secret,
    ],
    [
      "bedrock/amazon.nova-pro-v1:0",
      { AWS_BEARER_TOKEN_BEDROCK: secret, BEDROCK_BASE_URL: base },
      "/model/amazon.nova-pro-v1%3A0/converse-stream",
      "authorization",
      `Bearer ${secret}`,
    ],
    [
      "vertex/gemini-2.5-pro",
      { GOOGLE_CLOUD_API_KEY: secret, GOOGLE_VERTEX_BASE_URL: base },
      "/v1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
      "x-goog-api-key",
      secret,
    ],
    [
      "cloudflare/x",
      { CLOUDFLARE_AI_GATEWAY_API_KEY: secret, CLOUDFLARE_AI_GATEWAY_BASE_URL: `${base}/anthropic` },
      "/anthropic/v1/messages",
      "cf-aig-authorization",
      `Bearer ${secret}`,
    ],
  ] as const)("%s", async (name, env, path, header, value) => {
    const { seen } = await talk(name, env);
    expect(seen.path).toBe(path);
    expect(seen.headers.get(header)).toBe(value);
  });

  test("with what GitLab lends in exchange for a token, which itself stays there", async () => {
    const env = { GITLAB_TOKEN: secret, GITLAB_URL: `${base}/`, GITLAB_DUO_BASE_URL: `${base}/proxy/anthropic` };
    const { seen } = await talk("gitlab-duo/claude-sonnet-4-5-20250929", env);
    expect([seen.path, seen.headers.get("authorization"), seen.headers.get("x-gitlab-realm")]).toEqual([
      ...["/proxy/anthropic/v1/messages", `Bearer ${secret}-lent`, "saas"],
    ]);
    expect(seen.headers.get("x-api-key")).toBeNull();
    const { events } = await talk("gitlab-duo/x", { ...env, GITLAB_TOKEN: "somebody-else-0123456789" });
    expect(failureIn(events)).toMatchObject({
      kind: "auth",
      message: expect.stringMatching(/^GitLab lends no access to its models \(403\)\. Check GITLAB_TOKEN/),
    });
  });

  test("with the credentials of Google that a variable names, also by a private way to it", async () => {
    const env = { GOOGLE_APPLICATION_CREDENTIALS: join(home, "gone.json"), GOOGLE_VERTEX_BASE_URL: base };
    const { events } = await talk("vertex/gemini-2.5-pro", { ...env, GOOGLE_CLOUD_PROJECT: "p" });
    expect(failureIn(events)).toMatchObject({ kind: "auth", message: expect.stringContaining("gone.json") });
  });

  test("with AWS keys, signed instead of sent", async () => {
    const { seen } = await talk("bedrock/amazon.nova-pro-v1:0", {
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: secret,
      BEDROCK_BASE_URL: base,
    });
    expect(seen.headers.get("authorization")).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock\/aws4_request/,
    );
    const file = join(home, "credentials");
    writeFileSync(
      file,
      `[default]\naws_access_key_id = no\naws_secret_access_key = no\n\n[work]\naws_access_key_id = AKIDWORK\naws_secret_access_key=${secret}\n`,
    );
    const profile = await talk("bedrock/x", {
      AWS_PROFILE: "work",
      AWS_SHARED_CREDENTIALS_FILE: file,
      AWS_REGION: "eu-west-1",
      BEDROCK_BASE_URL: base,
    });
    expect(profile.seen.headers.get("authorization")).toMatch(/Credential=AKIDWORK\/\d{8}\/eu-west-1\//);
    const container = await talk("bedrock/x", {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/lend`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: "t",
      BEDROCK_BASE_URL: base,
    });
    expect(container.seen.headers.get("authorization")).toMatch(/Credential=AKIDLENT\//);
    expect(container.seen.headers.get("x-amz-security-token")).toBe("lent-token");
    const identity = {
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ROLE_ARN: "arn:role",
      AWS_ENDPOINT_URL_STS: `${base}/sts`,
      BEDROCK_BASE_URL: base,
    };
    expect((await talk("bedrock/x", identity)).seen.headers.get("authorization")).toMatch(/Credential=AKIDSTS\//);
  });

  test("for an Azure deployment, under its name and version", async () => {
    const env = {
      AZURE_OPENAI_API_KEY: secret,
      AZURE_OPENAI_BASE_URL: base,
      AZURE_OPENAI_API_VERSION: "2026-01-01",
      AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "gpt-5=mine, x=y",
    };
    const { seen } = await talk("azure/gpt-5", env);
    expect(seen.path).toBe("/responses?api-version=2026-01-01");
    expect(JSON.parse(seen.body).model).toBe("mine");
  });

  test("with extra headers for a server that is not Anthropic's own", async () => {
    const { seen } = await talk("anthropic/x", {
      ANTHROPIC_API_KEY: secret,
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_CUSTOM_HEADERS: "X-Team: blue, x-two: 2\nX-Three: c",
    });
    expect(["x-team", "x-two", "x-three"].map((name) => seen.headers.get(name))).toEqual(["blue", "2", "c"]);
  });

  test("to OpenAI's newer protocol only at its own address and for models the catalog knows", async () => {
    const api = async (name: string, env: Record<string, string>) => {
      const resolved = await resolveModel(name, { env: { OPENAI_API_KEY: secret, ...env } });
      return resolved.ok && resolved.value.model.api;
    };
    expect(await api("openai/gpt-5", {})).toBe("openai-responses");
    expect(await api("openai/gpt-5", { OPENAI_BASE_URL: base })).toBe("openai-completions");
    expect(await api("openai/gpt-from-tomorrow", {})).toBe("openai-completions");
    expect(await api("opencode/claude-opus-5", { OPENCODE_API_KEY: secret })).toBe("anthropic-messages");
  });
});

test("the default credentials of a cloud are exchanged for a token that goes out as a bearer", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { googleTokens } = await import("./vendor/google.ts");
  const file = join(home, "adc.json");
  const clock = { now: () => 1_700_000_000_000 };
  for (const adc of [
    { client_id: "a", client_secret: "b", refresh_token: "c", token_uri: `${base}/token` },
    {
      client_email: "me@x",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
      token_uri: `${base}/token`,
    },
  ]) {
    writeFileSync(file, JSON.stringify(adc));
    expect(await googleTokens({ GOOGLE_APPLICATION_CREDENTIALS: file }, clock)()).toEqual({
      ok: true,
      value: `${secret}-token`,
    });
  }
  const machine = { GCE_METADATA_HOST: `127.0.0.1:${server.port}`, HOME: home };
  expect(await googleTokens(machine, clock)()).toEqual({ ok: true, value: `${secret}-machine` });
  const gone = { ...machine, GOOGLE_APPLICATION_CREDENTIALS: join(home, "none.json") };
  expect(await googleTokens(gone, clock)()).toMatchObject({
    ok: false,
    kind: "credential",
    message: expect.stringContaining("none.json"),
  });
});

test("several stored keys take turns at their limits, and the limit is remembered beyond this run", async () => {
  using store = await stored(keyStoreFile(home), "is made");
  for (const key of ["first-key-0123456789", "second-key-0123456789"])
    store?.add({ vendor: "groq", kind: "key", label: "x", secret: key, now: 0 });
  answer = (headers) =>
    headers.get("authorization")?.includes("first")
      ? new Response("slow down", { status: 429, headers: { "retry-after": "60" } })
      : new Response(
          `data: ${JSON.stringify({ choices: [{ delta: { content: "hello" }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
          {
            headers: { "content-type": "text/event-stream" },
          },
        );
  const { events } = await talk("groq/x", { GROQ_BASE_URL: base }, home);
  expect(failureIn(events)).toBeUndefined();
  expect(seen.map(({ headers }) => headers.get("authorization")?.slice(7, 12))).toEqual(["first", "secon"]);
  expect(store?.list("groq")[0]?.blockedUntil).toBeGreaterThan(Date.now() + 50_000);
  await talk("groq/x", { GROQ_BASE_URL: base }, home);
  expect(seen).toHaveLength(3);
});

test("a stored key is enough to be found by a few letters, and to be the default", async () => {
  using store = await stored(keyStoreFile(join(home, "other")), "is made");
  store?.add({ vendor: "deepseek", kind: "key", label: "x", secret: "key-0123456789abcdef", now: 0 });
  const from = { env: {}, home: join(home, "other") };
  expect(await resolveModel("v4-pro", from)).toMatchObject({
    ok: true,
    value: { model: { vendor: "deepseek", id: "deepseek-v4-pro" } },
  });
  expect(await resolveModel(undefined, from)).toMatchObject({ ok: true, value: { model: { vendor: "deepseek" } } });
});

test("a key that a server quotes back is not in the failure", async () => {
  answer = () => Response.json({ error: { message: `bad key ${secret}` } }, { status: 401 });
  for (const [name, env] of [
    ["openai/x", { OPENAI_API_KEY: secret, OPENAI_BASE_URL: base }],
    ["anthropic/x", { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: base }],
    ["gemini/x", { GEMINI_API_KEY: secret, GEMINI_BASE_URL: base }],
  ] as const) {
    const failure = failureIn((await talk(name, env)).events);
    expect(failure).toMatchObject({ kind: "auth" });
    expect(JSON.stringify(failure)).not.toContain("0123456789");
  }
});

test("nor is a secret that stands in a header of models.yml", async () => {
  const headersHome = join(home, "headers");
  mkdirSync(headersHome, { recursive: true });
  writeFileSync(
    join(headersHome, "models.yml"),
    `providers:\n  mine: { baseUrl: "${base}", headers: { x-token: MY_TOKEN }, models: [{ id: m }] }\n`,
  );
  answer = (headers) => Response.json({ error: { message: `no ${headers.get("x-token")}` } }, { status: 403 });
  const { events, seen } = await talk("mine/m", { MY_TOKEN: secret }, headersHome);
  expect(seen.headers.get("x-token")).toBe(secret);
  expect(JSON.stringify(failureIn(events))).not.toContain("0123456789");
});

test("a vendor far away without a key is refused before anything is sent", async () => {
  const resolved = await resolveModel("mistral/x", { env: {} });
  expect(resolved).toMatchObject({
    ok: false,
    kind: "credential",
    message: expect.stringMatching(/MISTRAL_API_KEY.*pith auth add mistral/),
  });
});

describe("before anything is said", () => {
  /** Listens, and reports connections and the first data. */
  async function hearing(env: Record<string, string> = {}) {
    const heard = { came: 0, said: "" };
    const ear = createServer((socket) => {
      heard.came++;
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        heard.said ||= bytes.toString().split(" ")[0] ?? "";
        socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\nno");
      });
    });
    await new Promise<void>((done) => ear.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(ear.address() as AddressInfo).port}/v1`;
    const resolved = await resolveModel("openai/some", {
      env: { OPENAI_API_KEY: secret, OPENAI_BASE_URL: url, ...env },
    });
    if (!resolved.ok) throw new Error(resolved.message);
    const { model, stream } = resolved.value;
    const request = { ...ask([user("hi")]), model };
    return { heard, stream, request, [Symbol.dispose]: () => void ear.close() };
  }

  test("the connection is not there yet, or a word is sent that nobody has said", async () => {
    using server = await hearing();
    const { heard, stream, request } = server;
    stream.prepare?.(request);
    await until(() => heard.came === 1, "somebody to come");
    stream.prepare?.(request);
    expect(heard.said).toBe("");
    await collect(stream, request);
    expect(heard).toEqual({ came: 1, said: "POST" });
  });

  test("somebody is gone to past a proxy", async () => {
    using behind = await hearing({ https_proxy: "http://127.0.0.1:9" });
    using open = await hearing();
    for (const { stream, request } of [behind, open]) stream.prepare?.(request);
    await until(() => open.heard.came === 1, "somebody to come where nobody is in between");
    expect(behind.heard.came).toBe(0);
  });
});
