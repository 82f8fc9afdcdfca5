import { describe, expect, test } from "bun:test";
import { cleanMessage, httpFailure, networkFailure, type RequestTarget } from "./failure.ts";
import { retryAfter } from "./retry-after.ts";

const key = "sk-secret-0123456789";
const address: RequestTarget = {
  vendor: "openai",
  shown: "http://host/v1/chat/completions",
  baseVariable: "OPENAI_BASE_URL",
  keyVariable: "OPENAI_API_KEY",
  secrets: [key, "x"],
};
const failed = (status: number, body: string, headers: Record<string, string> = {}) =>
  httpFailure({ status, headers: new Headers(headers) }, { body, model: "some-model", now: 1_000_000 }, address);
const said = (message: string) => JSON.stringify({ error: { message } });

describe("an HTTP failure", () => {
  test("of the key names the variable and never the key, not even a part of it", () => {
    const failure = failed(401, said(`Incorrect API key provided: ${key} (also sk-secre*********6789).`));
    expect(failure).toMatchObject({ kind: "auth", status: 401 });
    expect(failure.message).toContain("OPENAI_API_KEY");
    expect(failure.message).not.toMatch(/secre/);
  });

  test("of an unknown model names the model, the address and the variable", () => {
    const { kind, message } = failed(404, said("no such model"));
    expect(kind).toBe("missing");
    for (const part of ["some-model", address.shown, "OPENAI_BASE_URL", "no such model"])
      expect(message).toContain(part);
  });

  test("that redirects says where to, and that nobody followed", () => {
    expect(failed(307, "", { location: "https://other.example/v1" })).toMatchObject({
      kind: "missing",
      message: expect.stringContaining("https://other.example/v1"),
    });
  });

  test("with a web page for a body shows its title and no markup", () => {
    expect(failed(502, "<html><head><title>Bad Gateway</title></head><body>…").message).toBe(
      "openai answered 502: Bad Gateway",
    );
    expect(failed(502, "<html>no title").message).toBe("openai answered 502.");
  });

  test("with an empty or an odd body still says what happened", () => {
    expect(failed(500, "").message).toBe("openai answered 500.");
    expect(failed(400, "just text")).toEqual({
      kind: "rejected",
      status: 400,
      message: "openai answered 400: just text",
    });
  });

  test("is short and cannot write to the terminal", () => {
    const { message } = failed(500, said(`\u001b]0;evil\u0007\u001b[31mred\r\n${"x".repeat(2000)}`));
    expect(message).toStartWith("openai answered 500: red xxx");
    expect(message.length).toBeLessThan(600);
  });

  test("carries how long to wait", () => {
    expect(failed(429, said("slow"), { "retry-after": "2" })).toMatchObject({ kind: "rate", retryAfterMs: 2000 });
    expect(failed(429, said("slow"))).toMatchObject({ retryAfterMs: undefined });
    for (const [words, ms] of [
      ["Rate limit reached for gpt. Please try again in 1m2.5s. Visit us.", 62_500],
      ["Limit 3 / min. Please try again in 898ms.", 898],
      ["Please retry after 26 seconds.", 26_000],
      ["Please retry in 36.2s.", 36_200],
    ] as const)
      expect(failed(429, said(words))).toMatchObject({ kind: "rate", retryAfterMs: ms });
    expect(failed(429, said("try again in a while"))).toMatchObject({ retryAfterMs: undefined });
  });
});

test("a placeholder key does not tear holes into messages", () => {
  expect(cleanMessage("next example", ["x"])).toBe("next example");
});

test("a server that cannot be reached is named, with the reason and the variable", () => {
  const { kind, message } = networkFailure(
    Object.assign(new TypeError("Unable to connect"), { code: "ECONNREFUSED" }),
    address,
  );
  expect(kind).toBe("network");
  for (const part of [address.shown, "refused", "OPENAI_BASE_URL"]) expect(message).toContain(part);
  const tls = Object.assign(new Error("The TLS handshake failed. Does the server speak TLS on this port?"), {
    code: "EPROTO",
  });
  expect(networkFailure(tls, address).message).toContain(
    ": there is no TLS at this address (http instead of https?).\n",
  );
  const odd = new Error('Something_Odd fetching "http://x/v1". For more information, pass `verbose: true`');
  expect(networkFailure(odd, address).message).toContain(": Something_Odd.\n");
  expect(networkFailure(new TypeError("certificate has expired"), address).message).toContain(
    "certificate has expired",
  );
  expect(networkFailure(new TypeError("fetch failed", { cause: { code: "ENOTFOUND" } }), address).message).toContain(
    "no such host",
  );
});

describe("the time to wait", () => {
  const now = Date.parse("2030-01-01T00:00:00Z");
  test.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0.25" }, 250],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after": "Tue, 01 Jan 2030 00:00:30 GMT" }, 30_000],
    [{ "retry-after": "Tue, 01 Jan 2030 00:00:30 GMT", date: "Tue, 01 Jan 2030 00:00:20 GMT" }, 10_000],
    [{ "retry-after": "Mon, 31 Dec 2029 00:00:00 GMT" }, 0],
    [{ "retry-after": "1m30s" }, 90_000],
    [
      { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-reset-tokens": "9h" },
      360_000,
    ],
    [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "120ms" }, 120],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Date.parse("2030-01-01T00:00:05Z")) }, 5000],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Date.parse("2030-01-01T00:00:05Z") / 1000) }, 5000],
    [
      {
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-reset": "2030-01-01T00:00:42Z",
      },
      42_000,
    ],
    [
      { "anthropic-ratelimit-tokens-remaining": "900", "anthropic-ratelimit-tokens-reset": "2030-01-01T00:00:42Z" },
      undefined,
    ],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{}, undefined],
  ] as [Record<string, string>, number | undefined][])("%j", (headers, ms) => {
    expect(retryAfter(new Headers(headers), now)).toBe(ms as never);
  });
});
