import type { Message } from "../message/message.ts";
import { without } from "./mask.ts";
import { repair } from "./rule.ts";

export { findOffenders } from "./bisect.ts";

/** What has been done to a history so that a server takes it; kept in the record. */
export interface Healing {
  rules: boolean;
  /** Blocks that are set aside, by key, with what they are. */
  blocks: readonly { key: string; what: string }[];
}

/** Applies a healing. The same messages give the same objects, so that what was encoded once stays encoded. */
export class Healer {
  readonly #fixes = new WeakMap<Message, Message>();

  async apply(messages: readonly Message[], { rules, blocks }: Healing): Promise<Message[]> {
    const kept = without(messages, new Set(blocks.map((block) => block.key)));
    return rules ? repair(kept, this.#fixes) : kept;
  }
}
