import { expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { resolveModel } from "../resolve.ts";
import { ask, collect, failureIn, user } from "../test/fixture.ts";
import { tlsFrom } from "./tls.ts";

// A certificate made for this test: for 127.0.0.1, valid for a hundred years.
const cert = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUEwqSEiO4rxqXxX6JrUJc5cYsev0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTIzMzAwNVoYDzIxMjYxMDIy
MjMzMDA1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARCEuzU1/nrKWlGyD8MohdWlCBss6PIRRubzxVlBwIU8+FhhytcrYdC
PI09Ur19S4cBm7BRsknyMRZoP2QeboqEo28wbTAdBgNVHQ4EFgQU7G9pX7CH1CGk
s2ayPxywyR3F5EgwHwYDVR0jBBgwFoAU7G9pX7CH1CGks2ayPxywyR3F5EgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
zj0EAwIDSAAwRQIgPV8h3wOfeII3xy5mw08KyCyPJKh/4PAjrhMf2EbxkJwCIQCP
NqeJ0vi3v9e0xLwYZazHyV9iUOE4g4zCaj/qV0iIaw==
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4KPtE/yVc4+VwT1f
zb3Dv6XNEXq1K/SqBbvxPQpp4GShRANCAARCEuzU1/nrKWlGyD8MohdWlCBss6PI
RRubzxVlBwIU8+FhhytcrYdCPI09Ur19S4cBm7BRsknyMRZoP2QeboqE
-----END PRIVATE KEY-----
`;
const inline = (pem: string) => pem.trim().replaceAll("\n", "\\n");

test("a server that asks for a certificate gets ours, from files or from the variables themselves", async () => {
  using dir = scratch();
  const files = {
    CLAUDE_CODE_CLIENT_CERT: dir.at("c.pem"),
    CLAUDE_CODE_CLIENT_KEY: dir.at("k.pem"),
    NODE_EXTRA_CA_CERTS: dir.at("c.pem"),
  };
  writeFileSync(files.CLAUDE_CODE_CLIENT_CERT, cert);
  writeFileSync(files.CLAUDE_CODE_CLIENT_KEY, key);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert, key, ca: cert, requestCert: true, rejectUnauthorized: true },
    fetch: () => Response.json({ error: { type: "invalid_request_error", message: "let in" } }, { status: 400 }),
  });
  const talk = async (env: Record<string, string>) => {
    const base = {
      CLAUDE_CODE_USE_FOUNDRY: "1",
      FOUNDRY_BASE_URL: `https://127.0.0.1:${server.port}`,
      ANTHROPIC_FOUNDRY_API_KEY: "key-0123456789",
    };
    const resolved = await resolveModel("anthropic/claude-opus-5", { env: { ...base, ...env } });
    if (!resolved.ok) throw new Error(resolved.message);
    return failureIn(await collect(resolved.value.stream, ask([user("hi")], { model: resolved.value.model })));
  };
  try {
    expect(await talk(files)).toMatchObject({ kind: "rejected", message: expect.stringContaining("let in") });
    const texts = {
      CLAUDE_CODE_CLIENT_CERT: inline(cert),
      CLAUDE_CODE_CLIENT_KEY: inline(key),
      NODE_EXTRA_CA_CERTS: inline(cert),
    };
    expect(await talk(texts)).toMatchObject({ kind: "rejected", message: expect.stringContaining("let in") });
    expect(await talk({ NODE_EXTRA_CA_CERTS: inline(cert) })).toMatchObject({ kind: "network" });
  } finally {
    server.stop(true);
  }
});

test("half a pair, a key of another certificate, and a file that is not there are told without what they hold", () => {
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
  expect(tlsFrom({ CLAUDE_CODE_CLIENT_CERT: cert })).toMatchObject({
    ok: false,
    message: expect.stringContaining("go together"),
  });
  const wrong = tlsFrom({ CLAUDE_CODE_CLIENT_CERT: cert, CLAUDE_CODE_CLIENT_KEY: other });
  expect(wrong).toMatchObject({
    ok: false,
    message: "CLAUDE_CODE_CLIENT_KEY is not the key of CLAUDE_CODE_CLIENT_CERT",
  });
  expect(tlsFrom({ NODE_EXTRA_CA_CERTS: "/nowhere.pem" })).toMatchObject({
    ok: false,
    message: expect.stringContaining("cannot be read"),
  });
  expect(tlsFrom({})).toEqual({ ok: true, value: undefined });
});
