/**
 * Where a server differs from the protocol it speaks; data, so that a vendor or a user chooses and nothing forks. The
 * names are those of `models.yml`. What is left out is the protocol's own rule.
 */
export interface Compat {
  // OpenAI Chat Completions
  /** The field that limits the answer. */
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** The system prompt goes out as `developer`. */
  supportsDeveloperRole?: boolean;
  /** How thinking is asked for; `openai` is `reasoning_effort`. */
  thinkingFormat?: ThinkingFormat;
  supportsReasoningEffort?: boolean;
  /**
   * What `chat_template_kwargs` holds with the format `chat-template`; `{ "$var": "thinking.enabled" |
   * "thinking.effort" }` is filled in.
   */
  chatTemplateKwargs?: Readonly<Record<string, unknown>>;
  /** The same under `chat_template_args`, with the format `baseten`. */
  chatTemplateArgs?: Readonly<Record<string, unknown>>;
  /** False: `stream_options` is not sent. */
  supportsUsageInStreaming?: boolean;
  /** False: a stream that ends without a reason is believed. */
  supportsFinishReason?: boolean;
  /** `store: false` is sent. */
  supportsStore?: boolean;
  /** `strict: false` is sent with every tool. */
  supportsStrictMode?: boolean;
  requiresToolResultName?: boolean;
  requiresAssistantAfterToolResult?: boolean;
  /** Replies of calls alone say in words what they called: small models copy silence. */
  describesCalls?: boolean;
  /** Earlier thinking goes back as text. */
  requiresThinkingAsText?: boolean;
  /** Earlier thinking goes back as `reasoning_content`, and every reply has that field. */
  requiresReasoningContentOnAssistantMessages?: boolean;
  /** The name of that field. */
  reasoningContentField?: "reasoning_content" | "reasoning" | "reasoning_text";
  /** Call ids are exactly nine letters and digits. */
  requiresMistralToolIds?: boolean;
  /** What a reply of calls alone has for content; null unless said. */
  emptyContent?: "null" | "text" | "absent";
  /** Marks of another vendor's cache on the system prompt, the last tool and the last messages. */
  cacheControlFormat?: "anthropic";
  zaiToolStream?: boolean;
  openRouterRouting?: Readonly<Record<string, unknown>>;
  vercelGatewayRouting?: Readonly<Record<string, unknown>>;
  /** Among the requests of a vLLM server; the lowest first. */
  vllmPriority?: number;

  // OpenAI Responses
  /** Freeform tools are sent as such; otherwise as functions. */
  supportsOpenAIGrammarTools?: boolean;
  supportsMaxOutputTokens?: boolean;

  // Anthropic Messages
  /** Thinking by effort instead of by a budget of tokens. */
  forceAdaptiveThinking?: boolean;
  /** False: tools ask for streamed arguments by a header instead of a field. */
  supportsEagerToolInputStreaming?: boolean;
  supportsCacheControlOnTools?: boolean;
  /** Thinking without a signature is sent back with an empty one. */
  allowEmptySignature?: boolean;
  interleavedThinking?: boolean;

  // Ollama
  /** The context the server reserves (`num_ctx`); the model's own unless said. */
  numCtx?: number;
  keepAlive?: string | number;

  // OpenAI Chat Completions and Ollama
  /**
   * Where a template is strict: `joined`, two messages of the user in a row are one; `after replies`, one that follows
   * results ends the last of them, too.
   */
  userMessages?: "joined" | "after replies";

  // Several
  /** Whether a request may say which tool has to be called; unless said, where it is known to work. */
  supportsToolChoice?: boolean;
  /** Fields that go along with every request as they stand. */
  extraBody?: Readonly<Record<string, unknown>>;
  /** The session goes along in a header, so that its requests meet the same cache. */
  sendSessionAffinityHeaders?: boolean;
  sessionAffinityFormat?: "openai" | "openai-nosession" | "openrouter";
  /** How long a prompt stays in the vendor's cache. */
  cacheRetention?: "none" | "short" | "long";
  supportsLongCacheRetention?: boolean;
}

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
