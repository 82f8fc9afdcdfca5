import type { AnthropicProvider } from "@ai-sdk/anthropic";
import { awsKeys, awsRegion } from "./fake/bedrock-signature.ts";

/** A model as other people's code speaks to it. */
export type Oracle = ReturnType<AnthropicProvider>;
type Options = Parameters<Oracle["doStream"]>[0];
export type Prompt = Options["prompt"];
type AssistantContent = Extract<Prompt[number], { role: "assistant" }>["content"];

export interface Heard {
  text: string;
  thinking: string;
  calls: { id: string; name: string; args: unknown }[];
  usage: { input: number; output: number; cacheRead: number };
  /** Content to send with the next request. */
  content: AssistantContent;
  finish: string;
  failed: boolean;
}

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** The provider of another project for a protocol; undefined where there is none. */
export async function oracleFor(
  api: string,
  baseURL: string,
  model: string,
  fetch?: Fetch,
): Promise<Oracle | undefined> {
  const parts = {
    apiKey: "key-for-tests",
    baseURL,
    ...(fetch ? { fetch: fetch as unknown as typeof globalThis.fetch } : {}),
  };
  const makers: Readonly<Record<string, () => Promise<Oracle>>> = {
    "openai-completions": async () =>
      (await import("@ai-sdk/openai-compatible")).createOpenAICompatible({
        ...parts,
        name: "fake",
        includeUsage: true,
      })(model),
    "openai-chat": async () => (await import("@ai-sdk/openai")).createOpenAI(parts).chat(model),
    "openai-responses": async () => (await import("@ai-sdk/openai")).createOpenAI(parts).responses(model),
    "anthropic-messages": async () => (await import("@ai-sdk/anthropic")).createAnthropic(parts)(model),
    "google-generative-ai": async () => (await import("@ai-sdk/google")).createGoogle(parts)(model),
    "bedrock-converse-stream": async () =>
      (await import("@ai-sdk/amazon-bedrock")).createAmazonBedrock({
        ...awsKeys,
        region: awsRegion,
        baseURL,
        ...(fetch ? { fetch: parts.fetch as never } : {}),
      })(model),
  };
  return makers[api]?.();
}

/** Asked for with every request: thinking, as each calls it. */
export const thinkingOptions: NonNullable<Options["providerOptions"]> = {
  anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } },
  openai: { store: false, include: ["reasoning.encrypted_content"], reasoningEffort: "high", reasoningSummary: "auto" },
  google: { thinkingConfig: { includeThoughts: true } },
  bedrock: { reasoningConfig: { type: "enabled", budgetTokens: 1024 } },
};

export async function hear(oracle: Oracle, prompt: Prompt, more: Partial<Options> = {}): Promise<Heard> {
  const { stream } = await oracle.doStream({ prompt, ...more });
  const heard: Heard = {
    text: "",
    thinking: "",
    calls: [],
    usage: { input: 0, output: 0, cacheRead: 0 },
    content: [],
    finish: "",
    failed: false,
  };
  const open = new Map<string, { text: string; providerOptions?: NonNullable<Options["providerOptions"]> }>();
  for await (const part of stream) {
    if (part.type === "text-delta") heard.text += part.delta;
    if (part.type === "reasoning-delta") heard.thinking += part.delta;
    if (part.type === "error") heard.failed = true;
    if (part.type.endsWith("-start") || part.type.endsWith("-delta") || part.type.endsWith("-end"))
      follow(part as Piece, open, heard.content);
    if (part.type === "tool-call") {
      const input = JSON.parse(part.input || "{}");
      heard.calls.push({ id: part.toolCallId, name: part.toolName, args: input });
      heard.content.push({
        type: "tool-call",
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        input,
        ...(part.providerMetadata ? { providerOptions: part.providerMetadata } : {}),
      });
    }
    if (part.type === "finish") {
      const { inputTokens, outputTokens } = part.usage;
      heard.usage = {
        input: inputTokens.total ?? 0,
        output: outputTokens.total ?? 0,
        cacheRead: inputTokens.cacheRead ?? 0,
      };
      heard.finish = part.finishReason.unified;
    }
  }
  return heard;
}

interface Piece {
  type: string;
  id: string;
  delta?: string;
  providerMetadata?: NonNullable<Options["providerOptions"]>;
}

/** Puts the pieces of a text or a thought together; what a provider says about it may come with any of them. */
function follow(
  { type, id, delta = "", providerMetadata }: Piece,
  open: Map<string, { text: string; providerOptions?: NonNullable<Options["providerOptions"]> }>,
  content: AssistantContent,
): void {
  const kind = type.startsWith("text") ? "text" : type.startsWith("reasoning") ? "reasoning" : undefined;
  if (!kind) return;
  const block = open.get(id) ?? { text: "" };
  open.set(id, block);
  block.text += delta;
  if (providerMetadata) block.providerOptions = { ...block.providerOptions, ...providerMetadata };
  if (!type.endsWith("-end")) return;
  content.push({
    type: kind,
    text: block.text,
    ...(block.providerOptions ? { providerOptions: block.providerOptions } : {}),
  });
  open.delete(id);
}
