import { type Field, toggle } from "../../field.ts";
import { type Compat, switches } from "../../model/compat.ts";
import type { FieldGroup } from "./schema.ts";

/** Reads `compat` of a vendor or a model, with the names that related programs use for the same switches. */
export function readCompat(of: FieldGroup): Compat | undefined {
  const group = of.group("compat");
  if (!group) return undefined;
  const compat: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<Field<unknown>>(switches)) {
    const value = group.read(name, field);
    if (value !== undefined) compat[name] = value;
  }
  for (const [name, ours] of Object.entries(synonyms)) {
    const value = group.read(name, toggle);
    if (value !== undefined) compat[ours] ??= value;
  }
  if (group.read("requiresAssistantContentForToolCalls", toggle)) compat.emptyContent ??= "text";
  group.end(relatives);
  return compat;
}

const synonyms: Readonly<Record<string, keyof Compat>> = {
  supportsLongPromptCacheRetention: "supportsLongCacheRetention",
  requiresReasoningContentForToolCalls: "requiresReasoningContentOnAssistantMessages",
};

/** Switches of related programs for things that pith never sends, or always does. */
const relatives = [
  "supportsTemperature supportsStrictTools supportsMidConvoEffort allowedFallbackModels reasoningEffortMap",
  "supportsMultipleSystemMessages supportsForcedToolChoice disableReasoningOnForcedToolChoice",
  "disableReasoningOnToolChoice toolStrictMode supportsContextManagement supportsReasoningParams promptCacheMode",
  "supportsReasoningSummary supportsConfigurationUpdate streamMarkupHealingPattern supportsImageDetailOriginal",
  "strictResponsesPairing allowAnthropicHeaderOverrides requiresToolResultId",
  "allowsSyntheticReasoningContentForToolCalls",
].flatMap((names) => names.split(" "));
