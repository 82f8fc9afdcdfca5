import type { Entry } from "@pith/agent";
import type { Usage } from "@pith/llm";

/** What a request is made of, in tokens. Files are long things that a person put into a prompt. */
export interface Categories {
  system: number;
  toolDefinitions: number;
  messages: number;
  toolResults: number;
  files: number;
  total: number;
}

/**
 * The tokens of a session's present context by category. Nobody outside counts tokens by category, so words are
 * counted, and the sum is set right by what the model reported of its last request.
 */
export function categoriesOf(entries: readonly Entry[]): Categories {
  const raw: Shares = { system: 0, toolDefinitions: 0, messages: 0, toolResults: 0, files: 0 };
  let scale = 1;
  for (const entry of entries) {
    // What the model counted is what stood before its answer.
    const reported =
      entry.type === "message" && entry.message.role === "assistant" ? promptTokens(entry.message.usage) : 0;
    if (reported > 0 && sum(raw) > 0) scale = reported / sum(raw);
    for (const [name, text] of Object.entries(shareOf(entry)) as [keyof Shares, string][]) raw[name] += estimate(text);
  }
  const scaled = Object.fromEntries(
    Object.entries(raw).map(([name, tokens]) => [name, Math.round(tokens * scale)]),
  ) as unknown as Shares;
  return { ...scaled, total: sum(scaled) };
}

type Shares = Omit<Categories, "total">;
const sum = (shares: Shares): number => Object.values(shares).reduce((all, tokens) => all + tokens, 0);

/** The texts that an entry puts into a request, by category. */
function shareOf(entry: Entry): Partial<Record<keyof Shares, string>> {
  switch (entry.type) {
    case "custom": {
      if (entry.customType !== "pith.prompt") return {};
      const { system, tools } = (entry.data ?? {}) as { system?: unknown; tools?: unknown };
      return { system: textsOf(system), toolDefinitions: JSON.stringify(tools ?? []) };
    }
    case "message": {
      const { role, content } = entry.message;
      if (role === "assistant") return { messages: JSON.stringify(content) };
      const text = textsOf(content);
      return role === "toolResult"
        ? { toolResults: text }
        : text.length > longPrompt
          ? { files: text }
          : { messages: text };
    }
    case "custom_message":
      return { messages: textsOf(entry.content) };
    case "compaction":
    case "branch_summary":
      return { messages: entry.summary };
    default:
      return {};
  }
}

const promptTokens = ({ input = 0, cacheRead = 0, cacheWrite = 0 }: Partial<Usage>): number =>
  input + cacheRead + cacheWrite;

const longPrompt = 500;

/** Thirteen tokens are about ten words. */
const estimate = (text: string): number => Math.ceil((text.match(/\S+/g)?.length ?? 0) * 1.3);

function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (typeof part === "string" ? part : typeof part?.text === "string" ? part.text : ""))
    .join("\n");
}
