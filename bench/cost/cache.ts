// The rules by which vendors keep the beginning of a request, applied to the requests of one play in their order.
import { countText, priced } from "../../packages/llm/src/index.ts";

/** Tokens of a request by what they cost. */
export interface Counts {
  input: number;
  cacheRead: number;
  cacheWrite: number;
}

export type Vendor = "anthropic" | "openai";

/** A piece of a request that stays as it is, and whether a mark for the cache stands on it. */
interface Block {
  text: string;
  tokens: number;
  isMarked: boolean;
}

/** Below this nothing is kept, at either vendor. */
const least = 1024;
/** A mark finds what was kept at most so many blocks before it. */
const lookback = 20;
/** Without marks prefixes are kept in steps. */
const step = 128;

/** Returns what counts the requests of a play, one after the other. */
export const cacheOf = (vendor: Vendor): ((body: Body) => Counts) =>
  vendor === "anthropic" ? markedCache() : stepCache();

/** Anthropic keeps the prefix up to each mark; what is kept is looked for at the marks and a few blocks before them. */
function markedCache(): (body: Body) => Counts {
  const kept = new Set<string>();
  return (body) => {
    const blocks = anthropicBlocks(body);
    const { sums, hashes } = prefixes(blocks);
    const all = sums.at(-1) ?? 0;
    const marks = blocks.flatMap(({ isMarked }, at) => (isMarked ? [at] : []));
    const found = marks.flatMap((mark) =>
      Array.from({ length: lookback + 1 }, (_, back) => mark - back).filter(
        (at) => at >= 0 && kept.has(hashes[at] ?? ""),
      ),
    );
    const cacheRead = Math.max(0, ...found.map((at) => sums[at] ?? 0));
    const written = marks.filter((at) => (sums[at] ?? 0) >= least);
    for (const at of written) kept.add(hashes[at] ?? "");
    const cacheWrite = Math.max(0, Math.max(0, ...written.map((at) => sums[at] ?? 0)) - cacheRead);
    return { input: all - cacheRead - cacheWrite, cacheRead, cacheWrite };
  };
}

/** OpenAI keeps every prefix by itself, and charges nothing for it. */
function stepCache(): (body: Body) => Counts {
  const kept = new Set<string>();
  return (body) => {
    const { sums, hashes } = prefixes(openaiBlocks(body));
    const all = sums.at(-1) ?? 0;
    const same = hashes.findLastIndex((hash) => kept.has(hash));
    for (const hash of hashes) kept.add(hash);
    const tokens = Math.floor((sums[same] ?? 0) / step) * step;
    const cacheRead = tokens < least ? 0 : tokens;
    return { input: all - cacheRead, cacheRead, cacheWrite: 0 };
  };
}

function prefixes(blocks: readonly Block[]): { sums: number[]; hashes: string[] } {
  let sum = 0;
  let hash = "";
  const sums: number[] = [];
  const hashes: string[] = [];
  for (const { text, tokens } of blocks) {
    sum += tokens;
    hash = Bun.hash(hash + text).toString(36);
    sums.push(Math.ceil(sum));
    hashes.push(hash);
  }
  return { sums, hashes };
}

interface Part {
  cache_control?: unknown;
}
export interface Body {
  tools?: readonly Part[];
  system?: string | readonly Part[];
  messages?: readonly { role: string; content: string | null | readonly Part[] }[];
  cache_control?: unknown;
}

/** Tools, then the system prompt, then the messages, as the vendor reads them. */
function anthropicBlocks({ tools = [], system = [], messages = [], cache_control }: Body): Block[] {
  const listed = (content: string | null | readonly Part[]) =>
    typeof content === "string" ? [{ type: "text", text: content } as Part] : (content ?? []);
  const parts = [
    ...tools.map((part) => blockOf("tool", part)),
    ...listed(system).map((part) => blockOf("system", part)),
    ...messages.flatMap(({ role, content }) => listed(content).map((part) => blockOf(role, part))),
  ];
  const last = parts.at(-1);
  if (last && cache_control !== undefined) last.isMarked = true;
  return parts;
}

const openaiBlocks = ({ tools = [], messages = [] }: Body): Block[] => [
  ...tools.map((part) => blockOf("tool", part)),
  ...messages.map((message) => blockOf("message", message as Part)),
];

/** Marks are no part of what is compared. */
function blockOf(role: string, part: Part): Block {
  const text = role + JSON.stringify(part, (key, value) => (key === "cache_control" ? undefined : value));
  return { text, tokens: countText(text), isMarked: JSON.stringify(part).includes('"cache_control"') };
}

type Price = Parameters<typeof priced>[1];

/** Dollars of a request and its answer. */
export const moneyOf = (counts: Counts, output: number, price: Price): number =>
  priced(Object.assign({ output, totalTokens: 0 }, counts), price).cost.total;
