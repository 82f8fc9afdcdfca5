import type { Message } from "../message/message.ts";
import type { EncodeCache } from "./encode-cache.ts";
import { missingStart } from "./history.ts";

/** A message as blocks of the wire, joined by commas. */
export interface EncodedBlocks {
  /** Empty when there is nothing to send. */
  json: string;
  /** Blocks that must stand behind all results of a batch. */
  late?: string;
}

export interface RoleMessage {
  role: "user" | "assistant";
  /** Its blocks as they were encoded, one or several in each. */
  blocks: string[];
}

/** A side in pieces, its blocks under this name; `end` stands behind the last. */
export function roleMessageJson(role: string, name: string, blocks: readonly string[], end = ""): string[] {
  const pieces = [`{"role":"${role}","${name}":[`];
  for (const [at, block] of blocks.entries()) pieces.push(...(at > 0 ? [",", block] : [block]));
  pieces.push(`${end}]}`);
  return pieces;
}

/**
 * A history for protocols in which user and assistant take turns and the user begins and ends: what stands on one side
 * together becomes one message. `say` makes a block of a text.
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
