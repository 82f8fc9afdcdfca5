import { expect, test } from "bun:test";
import { failureKind, readError, tokenLimitIn } from "./failure.ts";

test.each([
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  "the request exceeds the available context size. try increasing the context size or enable context shift",
  "Context size has been exceeded.",
  "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.",
  "The number of tokens to keep from the initial prompt is greater than the context length.",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "Please reduce the length of the messages or completion.",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "Your request exceeded model token limit: 262144",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  "Requested tokens (2285) exceed context window of 2048",
  "Input is too long for requested model.",
  "prompt token count of 70000 exceeds the limit of 64000",
  "Prompt exceeds max length",
  "Range of input length should be [1, 129024]",
  "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
  "Input length 300000 exceeds the maximum allowed input length of 262144 tokens",
])("a context that is too long is recognised: %s", (message) => {
  expect(failureKind({ message, status: 400 })).toBe("overflow");
});

test.each([
  [{ message: "Rate limit reached: too many tokens per min (TPM)", status: 429 }, "rate"],
  [
    {
      message: "Request too large for gpt-4 on tokens per min (TPM): Limit 30000, Requested 41000",
      status: 429,
      code: "rate_limit_exceeded",
    },
    "overflow",
  ],
  [{ message: "You exceeded your current quota", status: 429, code: "insufficient_quota" }, "auth"],
  [
    { message: "The model x does not exist", status: 404, code: "model_not_found", type: "invalid_request_error" },
    "missing",
  ],
  [{ message: "image exceeds 5 MB maximum: 7000000 bytes > 5242880 bytes", status: 400 }, "rejected"],
  [{ message: "Unsupported parameter", status: 400, type: "invalid_request_error" }, "rejected"],
  [
    { message: "max_tokens is too large: 99999. This model supports at most 16384 completion tokens", status: 400 },
    "rejected",
  ],
  [
    {
      message:
        "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string with length 116 instead.",
      status: 400,
    },
    "rejected",
  ],
  [{ message: "the context is fine, the key is not", status: 401 }, "auth"],
  [{ message: "", status: 413 }, "overflow"],
  [{ message: "", status: 408 }, "timeout"],
  [{ message: "", status: 529 }, "overload"],
  [{ message: "", status: 500 }, "server"],
  [{ message: "", status: 418 }, "rejected"],
  [{ message: "", status: 302 }, "missing"],
  [{ message: "Too many tokens, please wait before trying again.", type: "ThrottlingException" }, "rate"],
  [{ message: "Input is too long for requested model.", type: "ValidationException" }, "overflow"],
  [{ message: "no", type: "AccessDeniedException" }, "auth"],
  [{ message: "no idea" }, "server"],
] as const)("%j is %s", (report, kind) => {
  expect(failureKind(report)).toBe(kind);
});

test.each([
  [{ error: { message: "m", code: "c", type: "t" } }, { message: "m", code: "c", type: "t" }],
  [{ error: { message: "m", code: 429 } }, { message: "m", status: 429 }],
  [[{ error: { message: "m", status: "INVALID", code: 400 } }], { message: "m", status: 400, type: "INVALID" }],
  [
    {
      error: {
        message: "m",
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "x" }, { "@type": "x.RetryInfo", retryDelay: "3.5s" }],
      },
    },
    { message: "m", status: 429, type: "RESOURCE_EXHAUSTED", retryAfterMs: 3500 },
  ],
  [
    { __type: "ThrottlingException", message: "m" },
    { message: "m", type: "ThrottlingException" },
  ],
  [{ error: "plain" }, { message: "plain" }],
  [
    { object: "error", message: "m", code: 404 },
    { message: "m", status: 404 },
  ],
  [{ detail: "Not Found" }, { message: "Not Found" }],
  [{ message: "m" }, { message: "m" }],
])("the error in %j is found", (body, report) => {
  expect(readError(body)).toEqual(report);
});

test("a body without an error has none", () => {
  for (const body of [null, 1, "x", [], {}, { choices: [] }, { error: null }]) expect(readError(body)).toBeUndefined();
});

test.each([
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9100 tokens (8100 in the messages).",
    8192,
  ],
  ["request (10000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096],
  ["when context the overflows. However, the model is loaded with context length of only 32768 tokens", 32_768],
  ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["This model's maximum prompt length is 131,072 but the request contains 537,812 tokens.", 131_072],
  ["`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens", 4096],
  ["Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32_768],
  ["prompt is too long", undefined],
  ["Your input exceeds the context window of this model. Request 93842910 was not processed.", undefined],
])("what a server takes at most is read from its words: %s", (message, limit) => {
  expect(tokenLimitIn(message)).toBe(limit);
});
