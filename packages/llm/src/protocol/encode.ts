import type { ToolCall } from "../message/message.ts";
import type { Request, ToolSpec } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";

/** JSON of a text, without unpaired surrogates: JavaScript allows them and many servers refuse them. */
export const asJson = (text: string): string => JSON.stringify(text.toWellFormed());

/** The short fields of a body, without the closing bracket. */
export const openObject = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields).slice(0, -1);

/** Adds a list as the last field of a body; each item is one piece or several. */
export function bodyWithList(
  head: string,
  name: string,
  items: readonly (string | readonly string[])[],
  tail = "",
): string[] {
  const pieces = [`${head},"${name}":[`];
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as string | readonly string[];
    if (at > 0) pieces.push(",");
    if (typeof item === "string") pieces.push(item);
    else pieces.push(...item);
  }
  pieces.push(`]${tail}}`);
  return pieces;
}

/** A tool name in the form that every vendor accepts. */
export const toolName = (name: string): string => name.replace(/[^\w-]/g, "_").slice(0, 64) || "_";

/**
 * The tools of a request; without any, those that its history mentions: some servers refuse calls of tools that they
 * were not told of.
 */
export function toolsOrMentioned({ tools, messages }: Request): readonly ToolSpec[] {
  if (tools.length > 0) return tools;
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => part.type === "toolCall") : [],
  );
  return [...new Set(calls.map(({ name }) => toolName(name)))].map((name) => ({
    name,
    description: "Not available now.",
    parameters: { type: "object", properties: {} },
  }));
}

/** Objects as JSON, joined by commas. */
export const jsonItems = <T>(items: readonly T[], toObject: (item: T) => object): string =>
  items.map((item) => JSON.stringify(toObject(item))).join(",");

/** System prompt blocks with text in them. */
export const systemBlocks = ({ system }: Request): string[] => system.filter((block) => block.trim() !== "");

/** True when prompts shall stay in the cache for long, and can. */
export const cachesLong = ({ cacheRetention, supportsLongCacheRetention }: Compat): boolean =>
  cacheRetention === "long" && supportsLongCacheRetention !== false;

/**
 * Arguments of a call as JSON, which servers parse again: invalid JSON is wrapped in an object, and surrogates are
 * paired.
 */
export function argumentsJson(call: ToolCall): string {
  const value = call.rawArguments === undefined ? call.arguments : { unparsed: call.rawArguments };
  const json = JSON.stringify(value);
  return halfPair.test(json)
    ? JSON.stringify(value, (_, inner) => (typeof inner === "string" ? inner.toWellFormed() : inner))
    : json;
}
const halfPair = /\\ud[89a-f]/;

/** The vendor's word for the effort; undefined when none is requested or the model lacks the level. */
export function effortWord({ model, effort }: Pick<Request, "model" | "effort">): string | undefined {
  if (!effort || !model.reasoning) return undefined;
  const word = model.thinkingLevelMap?.[effort];
  return word === null ? undefined : (word ?? (effort === "off" ? undefined : effort));
}

export const thinks = ({ model, effort }: Pick<Request, "model" | "effort">): boolean =>
  model.reasoning && effort !== undefined && effort !== "off";

/**
 * The tool that must be called, if this can be requested. `free` is the protocol's default: many servers refuse it
 * while the model thinks.
 */
export const demandedTool = (request: Request, compat: Compat, free: boolean): string | undefined =>
  (compat.supportsToolChoice ?? free) && request.tools.some(({ name }) => name === request.demand)
    ? request.demand
    : undefined;

/** True when the request forbids calls. */
export const forbidsCalls = ({ calls, tools }: Request, compat: Compat): boolean =>
  calls === "none" && tools.length > 0 && compat.supportsToolChoice !== false;

/** Tokens of an answer that thinking may take, for vendors that count them. */
export function thinkingBudget({ model, effort }: Pick<Request, "model" | "effort">, limit: number): number {
  const wanted = budgets[effort ?? "medium"] ?? budgets.medium;
  // The rest is for the answer itself.
  return Math.max(least, Math.min(wanted, Math.min(limit, model.maxOutput) - least));
}

const least = 1024;
const budgets = { off: least, minimal: least, low: 4096, medium: 10_240, high: 20_480, xhigh: 32_768 };
