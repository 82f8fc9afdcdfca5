import type { Message } from "../message/message.ts";
import type { Request, Stream } from "../message/stream.ts";
import { accepted, findOffenders } from "./bisect.ts";
import { historyBlocks, without } from "./mask.ts";
import { repair } from "./rule.ts";

/** Changes that make a server accept a history; kept in the record. */
export interface Healing {
  rules: boolean;
  /** Removed blocks by key, with a description. */
  blocks: readonly { key: string; what: string }[];
}

/** Applies a healing, and finds one. Equal messages give the same objects, so their encoded form is reused. */
export class Healer {
  readonly #fixes = new WeakMap<Message, Message>();

  async apply(messages: readonly Message[], { rules, blocks }: Healing): Promise<Message[]> {
    const kept = without(messages, new Set(blocks.map((block) => block.key)));
    return rules ? repair(kept, this.#fixes) : kept;
  }

  /** Keys of a message's blocks. */
  keysOf = (message: Message): string[] => historyBlocks([message]).map(({ key }) => key);

  /**
   * Finds further changes and proves them by asking: first everything servers are known to refuse, then the blocks that
   * this one refuses. Undefined when the history is not the cause; `before` when the server now accepts what it
   * refused, so nothing is blamed for trouble that has passed.
   */
  async cure(request: Request, before: Healing, stream: Stream, signal: AbortSignal): Promise<Healing | undefined> {
    const healing: Healing = { ...before, rules: true };
    const healed: Stream = async function* (this: void, asked, stop) {
      yield* stream({ ...asked, messages: await apply(asked.messages) }, stop);
    };
    const apply = (messages: readonly Message[]) => this.apply(messages, { rules: true, blocks: [] });
    const kept = { ...request, messages: await this.apply(request.messages, { ...before, rules: false }) };
    const ruled = !before.rules && (await accepted(kept, healed, signal)) === "yes";
    const offenders = ruled ? [] : await findOffenders(kept, healed, signal);
    if (!offenders) return undefined;
    const unchanged = { ...request, messages: await this.apply(request.messages, before) };
    if ((await accepted(unchanged, stream, signal)) === "yes") return before;
    return { ...healing, blocks: [...before.blocks, ...offenders] };
  }
}
