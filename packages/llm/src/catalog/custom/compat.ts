import { type Compat, thinkingFormats } from "../../model/compat.ts";
import { choice, either, type FieldGroup, type FieldKind, number, record, text, toggle } from "./schema.ts";

/** Reads `compat` of a vendor or a model, with the names that related programs use for the same switches. */
export function readCompat(of: FieldGroup): Compat | undefined {
  const group = of.group("compat");
  if (!group) return undefined;
  group.pass([...Object.keys(kinds), ...Object.keys(synonyms), "requiresAssistantContentForToolCalls"], relatives);
  const compat: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries<FieldKind<unknown>>(kinds)) {
    const value = group.read(name, kind);
    if (value !== undefined) compat[name] = value;
  }
  for (const [name, ours] of Object.entries(synonyms)) {
    const value = group.read(name, toggle);
    if (value !== undefined) compat[ours] ??= value;
  }
  if (group.read("requiresAssistantContentForToolCalls", toggle)) compat.emptyContent ??= "text";
  return compat;
}

/** Type of each switch. */
const kinds: Readonly<Record<keyof Compat, FieldKind<unknown>>> = {
  maxTokensField: choice(["max_tokens", "max_completion_tokens"]),
  supportsDeveloperRole: toggle,
  thinkingFormat: choice(thinkingFormats),
  supportsReasoningEffort: toggle,
  chatTemplateKwargs: record(),
  chatTemplateArgs: record(),
  supportsUsageInStreaming: toggle,
  supportsFinishReason: toggle,
  supportsStore: toggle,
  supportsStrictMode: toggle,
  supportsToolChoice: toggle,
  requiresToolResultName: toggle,
  requiresAssistantAfterToolResult: toggle,
  describesCalls: toggle,
  userMessages: choice(["joined", "after replies"]),
  requiresThinkingAsText: toggle,
  requiresReasoningContentOnAssistantMessages: toggle,
  reasoningContentField: choice(["reasoning_content", "reasoning", "reasoning_text"]),
  requiresMistralToolIds: toggle,
  emptyContent: choice(["null", "text", "absent"]),
  cacheControlFormat: choice(["anthropic"]),
  zaiToolStream: toggle,
  openRouterRouting: record(),
  vercelGatewayRouting: record(),
  vllmPriority: number,
  supportsOpenAIGrammarTools: toggle,
  supportsMaxOutputTokens: toggle,
  forceAdaptiveThinking: toggle,
  supportsEagerToolInputStreaming: toggle,
  supportsCacheControlOnTools: toggle,
  allowEmptySignature: toggle,
  interleavedThinking: toggle,
  numCtx: number,
  keepAlive: either(text(), number),
  sendSessionAffinityHeaders: toggle,
  sessionAffinityFormat: choice(["openai", "openai-nosession", "openrouter"]),
  cacheRetention: choice(["none", "short", "long"]),
  supportsLongCacheRetention: toggle,
  extraBody: record("fields with their values"),
};

const synonyms: Readonly<Record<string, keyof Compat>> = {
  supportsLongPromptCacheRetention: "supportsLongCacheRetention",
  requiresReasoningContentForToolCalls: "requiresReasoningContentOnAssistantMessages",
};

/** Switches of related programs for things that pith never sends, or always does. */
const relatives = [
  ...[
    "supportsTemperature",
    "supportsStrictTools",
    "supportsMidConvoEffort",
    "allowedFallbackModels",
    "supportsMultipleSystemMessages",
  ],
  ...[
    "supportsToolChoice",
    "supportsForcedToolChoice",
    "disableReasoningOnForcedToolChoice",
    "disableReasoningOnToolChoice",
    "toolStrictMode",
  ],
  ...[
    "supportsContextManagement",
    "supportsReasoningParams",
    "supportsReasoningSummary",
    "supportsConfigurationUpdate",
    "streamMarkupHealingPattern",
  ],
  ...[
    "supportsImageDetailOriginal",
    "strictResponsesPairing",
    "allowAnthropicHeaderOverrides",
    "requiresToolResultId",
    "promptCacheMode",
  ],
  ...["allowsSyntheticReasoningContentForToolCalls", "reasoningEffortMap"],
];
