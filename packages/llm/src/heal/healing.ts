import type { Message } from "../message/message.ts";
import type { Request, Stream } from "../message/stream.ts";
import { accepted, findOffenders } from "./bisect.ts";
import { historyBlocks, without } from "./mask.ts";
import { repair } from "./rule.ts";

/** What has been done to a history so that a server takes it; kept in the record. */
export interface Healing {
  rules: boolean;
  /** Blocks that are set aside, by key, with what they are. */
  blocks: readonly { key: string; what: string }[];
}

/**
 * Applies a healing, and finds one. The same messages give the same objects, so that what was encoded once stays
 * encoded.
 */
export class Healer {
  readonly #fixes = new WeakMap<Message, Message>();

  async apply(messages: readonly Message[], { rules, blocks }: Healing): Promise<Message[]> {
    const kept = without(messages, new Set(blocks.map((block) => block.key)));
    return rules ? repair(kept, this.#fixes) : kept;
  }

  /** The keys of all that a message consists of. */
  keysOf = (message: Message): string[] => historyBlocks([message]).map(({ key }) => key);

  /**
   * More than was done so far, and proven to be enough by asking: everything servers are known to refuse, then the very
   * blocks that this one refuses. Undefined when the history is not what it refuses; the same as before when the server
   * now takes what it refused, so that nothing is blamed for trouble that has passed.
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
