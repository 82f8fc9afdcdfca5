import type { Image, Message, Text, ToolCall, ToolResultMessage, UserMessage } from "../message/message.ts";
import type { Request, ToolSpec } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";

/** Half a surrogate pair is legal in our strings and refused by many servers. */
export const asJson = (text: string): string => JSON.stringify(text.toWellFormed());

/** The beginning of a body: what stands before the long parts of it. */
export const openObject = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields).slice(0, -1);

/** A body whose last field is a list: each of its items is a piece, or some. */
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

/**
 * The parts of a message that can be sent: no blank texts, which some servers refuse, and words in place of images for
 * a model that cannot see.
 */
export function sendableParts(content: UserMessage["content"], sees: boolean): (Text | Image)[] {
  const parts: (Text | Image)[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts
    .map((part) => (part.type === "image" && !sees ? leftOut(part) : part))
    .filter((part) => part.type === "image" || part.text.trim() !== "");
}

/** A result as one text, and the images it shows. */
export function resultContent({ content }: ToolResultMessage, sees: boolean): { text: string; images: Image[] } {
  const parts = sendableParts(content, sees);
  const images = parts.filter((part) => part.type === "image");
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { text: text || (images.length > 0 ? "(an image)" : "(no output)"), images };
}

/** A name in the history as every vendor accepts it. */
export const toolName = (name: string): string => name.replace(/[^\w-]/g, "_").slice(0, 64) || "_";

/**
 * The tools a history speaks of: some servers refuse to read of a tool they were not told about, though none may be
 * called.
 */
export function toolsInHistory(messages: readonly Message[]): ToolSpec[] {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => part.type === "toolCall") : [],
  );
  return [...new Set(calls.map(({ name }) => toolName(name)))].map((name) => ({
    name,
    description: "Not available now.",
    parameters: { type: "object", properties: {} },
  }));
}

/**
 * The arguments of a call as JSON. Servers look at them again, so what was not JSON travels inside some, and every
 * text is whole.
 */
export function argumentsJson(call: ToolCall): string {
  const value = call.rawArguments === undefined ? call.arguments : { unparsed: call.rawArguments };
  const json = JSON.stringify(value);
  return halfPair.test(json)
    ? JSON.stringify(value, (_, inner) => (typeof inner === "string" ? inner.toWellFormed() : inner))
    : json;
}
const halfPair = /\\ud[89a-f]/;

/** The vendor's word for the effort that is asked for. Undefined: nothing is asked, or the model has no such level. */
export function effortWord({ model, effort }: Pick<Request, "model" | "effort">): string | undefined {
  if (!effort || !model.reasoning) return undefined;
  const word = model.thinkingLevelMap?.[effort];
  return word === null ? undefined : (word ?? (effort === "off" ? undefined : effort));
}

export const thinks = ({ model, effort }: Pick<Request, "model" | "effort">): boolean =>
  model.reasoning && effort !== undefined && effort !== "off";

/**
 * The tool that has to be called, where this can be asked for: servers of this protocol refuse it while they think,
 * unless they are known to take it.
 */
export const demandedTool = (request: Request, compat: Compat, free: boolean): string | undefined =>
  (compat.supportsToolChoice ?? free) && request.tools.some(({ name }) => name === request.demand)
    ? request.demand
    : undefined;

/** Whether the server is told that nothing is to be called. */
export const forbidsCalls = ({ calls, tools }: Request, compat: Compat): boolean =>
  calls === "none" && tools.length > 0 && compat.supportsToolChoice !== false;

/** How much of an answer thinking may take, for vendors that count it in tokens. */
export function thinkingBudget({ model, effort }: Pick<Request, "model" | "effort">, limit: number): number {
  const wanted = budgets[effort ?? "medium"] ?? budgets.medium;
  // The rest is for the answer itself.
  return Math.max(least, Math.min(wanted, Math.min(limit, model.maxOutput) - least));
}

const least = 1024;
const budgets = { off: least, minimal: least, low: 4096, medium: 10_240, high: 20_480, xhigh: 32_768 };

const leftOut = ({ mimeType }: Image): Text => ({
  type: "text",
  text: `[${mimeType} left out: this model reads text only]`,
});
