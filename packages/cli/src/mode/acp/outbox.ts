import type { SessionUpdate } from "@agentclientprotocol/sdk";

/**
 * Updates on their way to a client, in order. For a client that reads slowly the words of an answer are joined, and of
 * a running call only the newest state is kept; nothing else is left out.
 */
export class Outbox {
  readonly #notify: (update: SessionUpdate) => Promise<void>;
  #waiting: SessionUpdate[] = [];
  #running: Promise<void> | undefined;

  constructor(notify: (update: SessionUpdate) => Promise<void>) {
    this.#notify = notify;
  }

  push(update: SessionUpdate): void {
    const last = this.#waiting.at(-1);
    const joined = last && join(last, update);
    this.#waiting.splice(joined ? -1 : this.#waiting.length, 1, joined ?? update);
    this.#running ??= this.#drain();
  }

  /** Resolves when all that was pushed is out. */
  async empty(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // A client that has left hears nothing more, and that is no failure of ours.
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      await this.#notify(next).catch(() => {
        this.#waiting = [];
      });
    this.#running = undefined;
  }
}

/** Joins words of one message, and states of one call that is not over. */
function join(before: SessionUpdate, after: SessionUpdate): SessionUpdate | undefined {
  if (before.sessionUpdate === "agent_message_chunk" || before.sessionUpdate === "agent_thought_chunk") {
    if (after.sessionUpdate !== before.sessionUpdate || after.messageId !== before.messageId) return undefined;
    if (before.content.type !== "text" || after.content.type !== "text") return undefined;
    return { ...before, content: { type: "text", text: before.content.text + after.content.text } };
  }
  if (before.sessionUpdate !== "tool_call_update" || after.sessionUpdate !== "tool_call_update") return undefined;
  return before.toolCallId === after.toolCallId ? { ...before, ...after } : undefined;
}
