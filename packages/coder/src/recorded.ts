import type { Draft, Registry, Tree } from "@pith/agent";
import { type Effort, efforts, type Model, type ToolSpec } from "@pith/llm";

// What the record says about how its conversation is held, and what has to be added to it.

interface Prompt {
  system: readonly string[];
  tools: readonly ToolSpec[];
}

/** Facts to write before the first input: those that the path does not already hold. */
export function opening(tree: Tree, model: Model, effort: Effort | undefined, prompt: Prompt): Draft[] {
  const drafts: Draft[] = [];
  if (recordedModel(tree, "asked last") !== `${model.vendor}/${model.id}`)
    drafts.push({ type: "model_change", provider: model.vendor, modelId: model.id });
  if (effort && recordedEffort(tree) !== effort) drafts.push({ type: "thinking_level_change", thinkingLevel: effort });
  if (promptOf(tree) !== prompt) drafts.push({ type: "custom", customType: promptType, data: prompt });
  return drafts;
}

const promptType = "pith.prompt";

const promptOf = (tree: Tree): unknown => (tree.lastCustom(promptType) as { data?: unknown } | undefined)?.data;

/** The prompt of the session, word for word, so that the prefix stays the same; unless a tool it names is gone. */
export function recordedPrompt(tree: Tree, tools: Registry): Prompt | undefined {
  const data = promptOf(tree) as Prompt | undefined;
  return data &&
    Array.isArray(data.system) &&
    Array.isArray(data.tools) &&
    data.tools.every((spec) => tools.get(spec.name))
    ? data
    : undefined;
}

/** The model that was chosen last; in a file of a relative that did not note it so, the one that answered last. */
export function recordedModel(tree: Tree, which: "chosen" | "asked last"): string | undefined {
  const change = tree.last("model_change", (entry) => entry.type === "model_change" && entry.provider !== "unknown");
  if (change?.type === "model_change")
    return (which === "chosen" ? change.instead : undefined) ?? `${change.provider}/${change.modelId}`;
  const reply = tree.last("assistant");
  return reply?.type === "message" && reply.message.role === "assistant"
    ? `${reply.message.provider}/${reply.message.model}`
    : undefined;
}

/** Undefined when nobody ever asked for a level. A relative knows one above our highest. */
export function recordedEffort(tree: Tree): Effort | undefined {
  const { thinkingLevel: level } = (tree.last("thinking_level_change") ?? {}) as { thinkingLevel?: string };
  return level === "max" ? "xhigh" : efforts.find((effort) => effort === level);
}
