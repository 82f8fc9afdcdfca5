import type { Request } from "../../message/stream.ts";
import type { Compat, ThinkingFormat } from "../../model/compat.ts";
import { effortWord, thinks } from "../encode.ts";

/** Fields that request thinking, in the server's format. */
export function thinkingFields(request: Request, compat: Compat): Record<string, unknown> {
  if (!request.model.reasoning || request.effort === undefined) return {};
  const word = effortWord(request);
  const effort = word !== undefined && compat.supportsReasoningEffort !== false ? { reasoning_effort: word } : {};
  return formats[compat.thinkingFormat ?? "openai"]({
    on: thinks(request),
    word,
    effort,
    canStop: request.model.thinkingLevelMap?.off !== null,
    compat,
  });
}

interface Wish {
  on: boolean;
  word: string | undefined;
  /** `reasoning_effort`, if the server supports it. */
  effort: { reasoning_effort?: string };
  /** True when the model can answer without thinking. */
  canStop: boolean;
  compat: Compat;
}

const formats: Readonly<Record<ThinkingFormat, (wish: Wish) => Record<string, unknown>>> = {
  openai: ({ effort }) => effort,
  openrouter: ({ on, word, canStop }) =>
    on ? { reasoning: { effort: word } } : canStop ? { reasoning: { effort: word ?? "none" } } : {},
  deepseek: ({ on, effort, canStop }) =>
    on ? { thinking: { type: "enabled" }, ...effort } : canStop ? { thinking: { type: "disabled" } } : {},
  together: ({ on, effort }) => ({ reasoning: { enabled: on }, ...(on ? effort : {}) }),
  baseten: ({ on, word, effort, compat }) => ({
    ...filled("chat_template_args", compat.chatTemplateArgs, on, word),
    ...effort,
  }),
  zai: ({ on, effort }) =>
    on ? { thinking: { type: "enabled", clear_thinking: false }, ...effort } : { thinking: { type: "disabled" } },
  qwen: ({ on, effort }) => ({ enable_thinking: on, ...(on ? effort : {}) }),
  "chat-template": ({ on, word, compat }) => filled("chat_template_kwargs", compat.chatTemplateKwargs, on, word),
  "qwen-chat-template": ({ on }) => ({ chat_template_kwargs: { enable_thinking: on, preserve_thinking: true } }),
  "string-thinking": ({ on, word, canStop }) => (on || canStop ? { thinking: word ?? "none" } : {}),
  "ant-ling": ({ on, word }) => (on && word !== undefined ? { reasoning: { effort: word } } : {}),
};

function filled(
  field: string,
  template: Readonly<Record<string, unknown>> | undefined,
  on: boolean,
  word: string | undefined,
): Record<string, unknown> {
  if (!template) return {};
  const values: Readonly<Record<string, unknown>> = { "thinking.enabled": on, "thinking.effort": word };
  const entries = Object.entries(template).map(([name, value]) => {
    if (typeof value !== "object" || value === null || !("$var" in value)) return [name, value] as const;
    const left = "omitWhenOff" in value && value.omitWhenOff === true && !on;
    return [name, left ? undefined : values[String(value.$var)]] as const;
  });
  return { [field]: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}
