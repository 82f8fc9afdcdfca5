import type { Message } from "../message/message.ts";
import type { EncodeCache } from "./encode-cache.ts";
import { missingStart } from "./history.ts";

/** Encoded blocks of a message, joined by commas. */
export interface EncodedBlocks {
  /** Empty when there is nothing to send. */
  json: string;
  /** Blocks that must follow all results of a batch. */
  late?: string;
}

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

/**
 * Arranges a history in alternating messages of user and assistant, beginning and ending with the user. `say` makes a
 * block of a text.
 */
export function alternate(
  messages: readonly Message[],
  desk: EncodeCache<EncodedBlocks>,
  encode: (message: Message, desk: EncodeCache<EncodedBlocks>) => EncodedBlocks,
  say: (text: string) => string,
): RoleMessage[] {
  const sides: RoleMessage[] = [];
  let late = "";
  const add = (role: RoleMessage["role"], json: string) => {
    const last = sides.at(-1);
    if (last?.role === role) last.blocks.push(json);
    else sides.push({ role, blocks: [json] });
  };
  const flush = () => {
    if (late !== "") add("user", late);
    late = "";
  };
  for (const message of desk.arranged(messages)) {
    if (message.role !== "toolResult") flush();
    const encoded = desk.once(message, encode);
    if (encoded.json === "") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    if (sides.length === 0 && role === "assistant") add("user", say(missingStart));
    add(role, encoded.json);
    if (encoded.late) late = late === "" ? encoded.late : `${late},${encoded.late}`;
  }
  flush();
  if (sides.at(-1)?.role !== "user") add("user", say("(go on)"));
  return sides;
}
