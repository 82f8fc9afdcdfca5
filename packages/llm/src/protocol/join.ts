import type { Message, ToolResultMessage, UserMessage } from "../message/message.ts";
import { taskComplete } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";
import { contentParts } from "./history.ts";

/**
 * Joins messages that a strict template would refuse: user messages in a row, and in `after replies` mode a user
 * message after results. Joined messages stay the same objects, so they are encoded once.
 */
export class Joiner {
  readonly #mode: Compat["userMessages"];
  readonly #known = new WeakMap<Message, { of: readonly UserMessage[]; made: Message }>();

  constructor({ userMessages }: Compat) {
    this.#mode = userMessages;
  }

  /** Takes an arranged history. */
  join(messages: Message[]): Message[] {
    if (this.#mode === undefined) return messages;
    const out: Message[] = [];
    const said = messages.some(isEmpty) ? messages.filter((message) => !isEmpty(message)) : messages;
    for (let at = 0; at < said.length; at++) {
      const first = said[at] as Message;
      const more: UserMessage[] = [];
      if (this.#takes(first))
        for (let next = said[at + 1]; next?.role === "user"; next = said[++at + 1]) more.push(next);
      out.push(more.length === 0 ? first : this.#once(first as UserMessage | ToolResultMessage, more));
    }
    return out;
  }

  #takes({ role }: Message): boolean {
    return role === "user" || (role === "toolResult" && this.#mode === "after replies");
  }

  #once(first: UserMessage | ToolResultMessage, more: readonly UserMessage[]): Message {
    const known = this.#known.get(first);
    if (known && known.of.length === more.length && known.of.every((one, at) => one === more[at])) return known.made;
    const content = [...contentParts(first), ...more.flatMap(contentParts)];
    const made = { ...first, content } as Message;
    this.#known.set(first, { of: more, made });
    return made;
  }
}

/** True for a message that would be sent empty and must not separate others. */
const isEmpty = ({ role, content, ...message }: Message): boolean =>
  content.length === 0 &&
  (role === "user" ||
    (role === "assistant" && !("rawStopReason" in message && message.rawStopReason === taskComplete)));
