import type {
  AssistantMessage,
  Image,
  Message,
  Text,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../message/message.ts";

/**
 * Arranges a history so that every protocol accepts it: failed replies are left out, every call has a unique id and is
 * answered exactly once, under its name, right after its reply, in the order of the calls.
 */
export const arrange = (messages: readonly Message[]): Message[] => new Arranger().arrange(messages);

/** Arranges a growing history at the cost of what is new: all before the last reply stays as it is. */
export class Arranger {
  /**
   * Messages that are final, their arranged form, and the reply that follows, which ends the results of the one before.
   */
  #seen: Message[] = [];
  #out: Message[] = [];
  #ids = new Set<string>();
  #bound: Message | undefined;

  arrange(messages: readonly Message[]): Message[] {
    const known = this.#seen.length;
    if (messages[known] !== this.#bound || this.#seen.some((message, at) => message !== messages[at])) this.#forget();
    const last = messages.findLastIndex(counts);
    if (last > this.#seen.length) {
      arrangePart(messages, this.#seen.length, last, this.#ids, this.#out);
      for (let at = this.#seen.length; at < last; at++) this.#seen.push(messages[at] as Message);
      this.#bound = messages[last];
    }
    const out = [...this.#out];
    const newIds = new Set<string>();
    const ids = { has: (id: string) => this.#ids.has(id) || newIds.has(id), add: (id: string) => newIds.add(id) };
    arrangePart(messages, this.#seen.length, messages.length, ids, out);
    return out;
  }

  #forget(): void {
    this.#seen = [];
    this.#out = [];
    this.#ids = new Set();
    this.#bound = undefined;
  }
}

type Ids = Pick<Set<string>, "has"> & { add(id: string): unknown };

/** Arranges messages from `from` to `to`, where `to` is the end or a reply that counts. */
function arrangePart(messages: readonly Message[], from: number, to: number, ids: Ids, out: Message[]): void {
  const answers = new Set<Message>();
  for (let at = from; at < to; at++) {
    const message = messages[at] as Message;
    if (message.role === "user") out.push(message);
    else if (message.role === "toolResult") {
      if (!answers.has(message)) out.push(strayResult(message));
    } else if (counts(message)) {
      const reply = message.stopReason === "aborted" ? withoutCalls(message) : message;
      out.push(...withResults(reply, resultsAfter(messages, at), ids, answers));
    }
  }
}

const counts = (message: Message): message is AssistantMessage =>
  message.role === "assistant" && message.stopReason !== "error";

/** Every history begins with the user. */
export const missingStart = "(what came before is not shown)";

/** Joins messages in a row of the same role, for servers that require alternation. Takes an arranged history. */
export function alternateRoles(messages: readonly Message[]): Message[] {
  const out: Message[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    // An empty result has a text in the encoders; other empty messages are left out.
    if (message.content.length === 0 && message.role !== "toolResult") continue;
    if (!last && message.role !== "user") out.push({ role: "user", content: missingStart, timestamp: 0 });
    if (last?.role === "user" && message.role === "user")
      out[out.length - 1] = { ...last, content: [...contentParts(last), ...contentParts(message)] };
    else if (last?.role === "assistant" && message.role === "assistant")
      out[out.length - 1] = { ...last, content: [...last.content, ...message.content] };
    else out.push(message);
  }
  return out;
}

export const contentParts = ({ content }: UserMessage | ToolResultMessage): readonly (Text | Image)[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** A reply and a result for each of its calls, in their order; `answers` collects the results that were used. */
function withResults(
  reply: AssistantMessage,
  results: readonly ToolResultMessage[],
  ids: Ids,
  answers: Set<Message>,
): Message[] {
  const calls = reply.content.filter((part) => part.type === "toolCall");
  let content = reply.content;
  const answered = calls.map((call) => {
    const answer = results.find((result) => result.toolCallId === call.id && !answers.has(result));
    if (answer) answers.add(answer);
    const result = answer ?? unanswered(call);
    const id = fresh(call.id, ids);
    if (id !== call.id) content = content.map((part) => (part === call ? { ...call, id } : part));
    return id === call.id && result.toolName === call.name
      ? result
      : { ...result, toolCallId: id, toolName: call.name };
  });
  // Further results for the same call are dropped.
  for (const result of results) if (calls.some((call) => call.id === result.toolCallId)) answers.add(result);
  return [content === reply.content ? reply : { ...reply, content }, ...answered];
}

/**
 * Makes a call id unique: some local servers number calls from one in every reply. Only the part before a bar counts.
 */
function fresh(id: string, ids: Ids): string {
  const bar = id.indexOf("|");
  const [callPart, item] = bar === -1 ? [id, ""] : [id.slice(0, bar), id.slice(bar)];
  let name = callPart;
  for (let n = 2; ids.has(name); n++) name = `${callPart}-${n}`;
  ids.add(name);
  return name + item;
}

/** Results after a reply, up to the next reply that counts. */
function resultsAfter(messages: readonly Message[], at: number): ToolResultMessage[] {
  const results: ToolResultMessage[] = [];
  for (let next = at + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message?.role === "toolResult") results.push(message);
    else if (message && counts(message)) break;
  }
  return results;
}

/** Removes calls from an aborted reply: they were never run. */
function withoutCalls(reply: AssistantMessage): AssistantMessage {
  const content = reply.content.filter((part) => part.type !== "toolCall");
  return content.length === reply.content.length ? reply : { ...reply, content };
}

const unanswered = (call: ToolCall): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: [{ type: "text", text: "(no result was recorded for this call)" }],
  isError: true,
  timestamp: 0,
});

const strayResult = ({ toolName, content, timestamp }: ToolResultMessage): UserMessage => ({
  role: "user",
  content: [{ type: "text", text: `[a result of ${toolName}, whose call is not in this history]` }, ...content],
  timestamp,
});
