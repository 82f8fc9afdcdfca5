import type { AssistantMessage, Message, Sealed } from "../message/message.ts";
import { sealedFor } from "../message/sealed.ts";
import type { ToolSpec } from "../message/stream.ts";
import type { Model } from "../model/model.ts";
import { countImage, type ImageSize, imageSize } from "./image.ts";
import { countText } from "./text.ts";

/** Overhead in tokens of a message, a call and a tool, on every protocol. */
const around = { message: 4, call: 8, tool: 8 };

interface Weight {
  tokens: number;
  images: readonly ImageSize[];
}
/** Messages never change, so each is counted once. */
const weights = new WeakMap<Message | Sealed, Weight>();

/** Estimates the tokens of a message in a request. */
export function countMessage(message: Message, model: Pick<Model, "id" | "vendor" | "api">): number {
  const sealed = sealedFor(message, model);
  const counted = sealed ?? message;
  let weight = weights.get(counted);
  if (!weight) {
    weight = sealed ? { tokens: weighSealed(sealed), images: [] } : weigh(message);
    weights.set(counted, weight);
  }
  return weight.images.reduce((sum, size) => sum + countImage(size, model), weight.tokens);
}

/** Estimates a sealed summary by its length: nobody but the vendor can read it. */
function weighSealed({ items, text }: Sealed): number {
  const letters = items.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
  return around.message * (items.length + 1) + Math.ceil(letters / lettersPerToken) + texts(text);
}
const lettersPerToken = 4;

function weigh(message: Message): Weight {
  if (message.role === "assistant") return { tokens: around.message + countReply(message.content), images: [] };
  const parts = typeof message.content === "string" ? [] : message.content;
  const said =
    typeof message.content === "string" ? [message.content] : parts.map((part) => "text" in part && part.text);
  return {
    tokens: around.message + texts(...said),
    images: parts.flatMap((part) => (part.type === "image" && typeof part.data === "string" ? [imageSize(part)] : [])),
  };
}

/** Thoughts are sent back only if the vendor signed them. */
function countReply(content: AssistantMessage["content"]): number {
  let tokens = 0;
  for (const part of content) {
    if (part.type === "text") tokens += texts(part.text);
    else if (part.type === "thinking") tokens += part.thinkingSignature ? texts(part.thinking) : 0;
    else tokens += around.call + texts(part.name, part.rawArguments ?? JSON.stringify(part.arguments));
  }
  return tokens;
}

/** Counts of lists that are the same in every request. */
const lists = new WeakMap<readonly unknown[], number>();

export function countTools(tools: readonly ToolSpec[]): number {
  const count = ({ name, description, parameters }: ToolSpec) =>
    around.tool + texts(name, description, JSON.stringify(parameters));
  return listed(tools, (all) => all.reduce((sum, tool) => sum + count(tool), 0));
}

export function countSystem(blocks: readonly string[]): number {
  return listed(blocks, (all) => texts(...all));
}

/** Tokens of texts; anything else in an untrusted record counts nothing. */
const texts = (...all: readonly unknown[]): number =>
  all.reduce((sum: number, text) => sum + (typeof text === "string" ? countText(text) : 0), 0);

function listed<T>(list: readonly T[], count: (list: readonly T[]) => number): number {
  let known = lists.get(list);
  if (known === undefined) {
    known = count(list);
    lists.set(list, known);
  }
  return known;
}
