import type { ErrorAnswer, Fake } from "../fake.ts";

/** Errors in the words of OpenAI. */
export function openaiError(kind: Parameters<Fake["error"]>[0], message: string): ErrorAnswer {
  const { status, type, code, text } = errors[kind];
  return { status, body: { error: { message: message || text, type, param: null, code } } };
}

const errors = {
  rate: { status: 429, type: "requests", code: "rate_limit_exceeded", text: "" },
  server: { status: 500, type: "server_error", code: null, text: "" },
  overflow: {
    status: 400,
    type: "invalid_request_error",
    code: "context_length_exceeded",
    text: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  },
  rejected: { status: 400, type: "invalid_request_error", code: null, text: "" },
  auth: { status: 401, type: "invalid_request_error", code: "invalid_api_key", text: "Incorrect API key provided" },
};
