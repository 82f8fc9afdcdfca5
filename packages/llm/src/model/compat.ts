import { anyNumber, anyOf, choice, type Field, filledText, group, toggle } from "../field.ts";

export const thinkingFormats = [
  "openai",
  "openrouter",
  "deepseek",
  "together",
  "baseten",
  "zai",
  "qwen",
  "chat-template",
  "qwen-chat-template",
  "string-thinking",
  "ant-ling",
] as const;
export type ThinkingFormat = (typeof thinkingFormats)[number];

const chat = {
  /** The field that limits the answer. */
  maxTokensField: choice(["max_tokens", "max_completion_tokens"]),
  /** Sends the system prompt as `developer`. */
  supportsDeveloperRole: toggle,
  /** Request for thinking; `openai` is `reasoning_effort`. */
  thinkingFormat: choice(thinkingFormats),
  supportsReasoningEffort: toggle,
  /**
   * `chat_template_kwargs` for the format `chat-template`; `{ "$var": "thinking.enabled" | "thinking.effort" }` is
   * filled in.
   */
  chatTemplateKwargs: group(),
  /** The same as `chat_template_args`, for the format `baseten`. */
  chatTemplateArgs: group(),
  /** False: `stream_options` is not sent. */
  supportsUsageInStreaming: toggle,
  /** False: a stream may end without a reason. */
  supportsFinishReason: toggle,
  /** Sends `store: false`. */
  supportsStore: toggle,
  /** Sends `strict: false` with every tool. */
  supportsStrictMode: toggle,
  requiresToolResultName: toggle,
  requiresAssistantAfterToolResult: toggle,
  /** Sends earlier thinking as text. */
  requiresThinkingAsText: toggle,
  /** Sends earlier thinking as `reasoning_content`, a field that every reply then has. */
  requiresReasoningContentOnAssistantMessages: toggle,
  /** The name of that field. */
  reasoningContentField: choice(["reasoning_content", "reasoning", "reasoning_text"]),
  /** Sends call ids of exactly nine letters and digits. */
  requiresMistralToolIds: toggle,
  /** Content of a reply that has only calls; null by default. */
  emptyContent: choice(["null", "text", "absent"]),
  /** Marks the system prompt, the last tool and the last messages for another vendor's cache. */
  cacheControlFormat: choice(["anthropic"]),
  zaiToolStream: toggle,
  openRouterRouting: group(),
  vercelGatewayRouting: group(),
  /** Priority among the requests of a vLLM server; the lowest comes first. */
  vllmPriority: anyNumber,
};

const responses = {
  /** Sends freeform tools as such instead of as functions. */
  supportsOpenAIGrammarTools: toggle,
  supportsMaxOutputTokens: toggle,
};

const anthropic = {
  /** Requests thinking by effort instead of by a budget of tokens. */
  forceAdaptiveThinking: toggle,
  /** False: streamed arguments are requested by a header instead of a field. */
  supportsEagerToolInputStreaming: toggle,
  supportsCacheControlOnTools: toggle,
  /** Sends thinking without a signature with an empty one. */
  allowEmptySignature: toggle,
  interleavedThinking: toggle,
};

const ollama = {
  /** The window the server reserves (`num_ctx`); the model's own by default. */
  numCtx: anyNumber,
  keepAlive: anyOf(filledText(), anyNumber),
};

const chatAndOllama = {
  /** Describes calls in replies without words: small models copy silence. */
  describesCalls: toggle,
  /**
   * Order of messages for strict templates: `joined` joins user messages in a row; `after replies` also appends one
   * that follows results to the last of them.
   */
  userMessages: choice(["joined", "after replies"]),
};

const several = {
  /** A request may name the tool to call; by default where it is known to work. */
  supportsToolChoice: toggle,
  /** Fields added to every request. */
  extraBody: group("fields with their values"),
  /** Sends the session in a header, so that its requests meet the same cache. */
  sendSessionAffinityHeaders: toggle,
  sessionAffinityFormat: choice(["openai", "openai-nosession", "openrouter"]),
  /** Time a prompt stays in the vendor's cache. */
  cacheRetention: choice(["none", "short", "long"]),
  supportsLongCacheRetention: toggle,
};

/** All switches by their names in `models.yml`, with the values they take. */
export const switches = { ...chat, ...responses, ...anthropic, ...ollama, ...chatAndOllama, ...several };

/** Deviations of a server from its protocol, chosen by a vendor or the user. An absent switch is the protocol's rule. */
export type Compat = {
  [Name in keyof typeof switches]?: (typeof switches)[Name] extends Field<infer Value> ? Value : never;
};
