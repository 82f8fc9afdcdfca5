import type {
  AssistantMessage,
  Image,
  Message,
  Text,
  Thinking,
  ToolCall,
  ToolResultMessage,
} from "../message/message.ts";
import type { Request } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";
import { type EncodeCache, encodeWith } from "./encode-cache.ts";
import { missingStart } from "./history.ts";

/** Encoded blocks of a message, joined by commas. */
export interface EncodedBlocks {
  /** Empty when there is nothing to send. */
  json: string;
  /** Blocks that must follow all results of a batch. */
  late?: string;
}

export type BlockCache = EncodeCache<EncodedBlocks>;

/** The `encode` of a protocol whose messages are blocks. */
export const encodeWithBlocks = (
  defaults: Compat,
  encode: {
    part(part: Text | Image): string;
    assistant(message: AssistantMessage, cache: BlockCache): string;
    result(message: ToolResultMessage, cache: BlockCache): EncodedBlocks;
    body(request: Request, cache: BlockCache): string[];
  },
) =>
  encodeWith<EncodedBlocks>(
    defaults,
    {
      user: ({ content }, cache) => ({ json: cache.parts(content).map(encode.part).join(",") }),
      assistant: (message, cache) => ({ json: encode.assistant(message, cache) }),
      toolResult: encode.result,
    },
    encode.body,
  );

export interface RoleMessage {
  role: "user" | "assistant";
  /** Encoded blocks, one or several in each string. */
  blocks: string[];
}

/** A message in pieces, its blocks in the field `name`; `end` follows the last block. */
export function roleMessageJson(role: string, name: string, blocks: readonly string[], end = ""): string[] {
  const pieces = [`{"role":"${role}","${name}":[`];
  for (const [at, block] of blocks.entries()) pieces.push(...(at > 0 ? [",", block] : [block]));
  pieces.push(`${end}]}`);
  return pieces;
}

/** Blocks of a reply, joined by commas; "" for thoughts alone, which are not a reply. */
export function replyBlocks(
  { content }: AssistantMessage,
  encode: { thought(part: Thinking): string; call(part: ToolCall): string; text(part: Text): string },
): string {
  const blocks = content.map((part) => {
    if (part.type === "thinking") return encode.thought(part);
    if (part.type === "toolCall") return encode.call(part);
    return part.text.trim() === "" ? "" : encode.text(part);
  });
  const said = content.some((part, at) => part.type !== "thinking" && blocks[at] !== "");
  return said ? blocks.filter((block) => block !== "").join(",") : "";
}

/**
 * Arranges a history in alternating messages of user and assistant, beginning and ending with the user. `say` makes a
 * block of a text.
 */
export function alternate(
  messages: readonly Message[],
  cache: BlockCache,
  say: (text: string) => string,
): RoleMessage[] {
  const turns: RoleMessage[] = [];
  let late = "";
  const add = (role: RoleMessage["role"], json: string) => {
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(json);
    else turns.push({ role, blocks: [json] });
  };
  const flush = () => {
    if (late !== "") add("user", late);
    late = "";
  };
  for (const message of cache.arranged(messages)) {
    if (message.role !== "toolResult") flush();
    const encoded = cache.message(message);
    if (encoded.json === "") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    if (turns.length === 0 && role === "assistant") add("user", say(missingStart));
    add(role, encoded.json);
    if (encoded.late) late = late === "" ? encoded.late : `${late},${encoded.late}`;
  }
  flush();
  if (turns.at(-1)?.role !== "user") add("user", say("(go on)"));
  return turns;
}
