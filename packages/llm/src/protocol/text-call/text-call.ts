import { fill } from "@pith/kit";
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from "../../message/message.ts";
import type { Request, Stream, StreamEvent, ToolSpec } from "../../message/stream.ts";
import type { Model } from "../../model/model.ts";
import { arrange } from "../history.ts";
import { dialects } from "./dialect.ts";
import instruct from "./instruct.md" with { type: "text" };
import { NativeCallers, wasShown } from "./quote.ts";
import { TextCallReader } from "./reader.ts";

/**
 * Wraps a stream whose model may write calls as text. A model without tool support (`tools: false`), or whose server
 * turns out to refuse tools, gets tools and history in words. For others only the answer is searched for calls that the
 * server let through as text, until it has made a native one. Text that the model was shown is a quotation, not a call.
 * Where the template refuses the order of messages, they are put in an order that the
 * strictest template accepts. A server's requirement holds for later requests too.
 */
export function withTextCalls(stream: Stream): Stream {
  const terms = new Terms();
  const callers = new NativeCallers();
  return async function* (request, signal) {
    if (request.tools.length === 0 && request.model.tools !== false) {
      yield* stream(request, signal);
      return;
    }
    const isNative = !terms.usesWords(request) && callers.has(request);
    const reader = new TextCallReader(request.tools, (call) => isNative || wasShown(call, request.messages));
    for (let isRefused = true; isRefused; ) {
      let begun = false;
      isRefused = false;
      for await (const events of stream(terms.met(request), signal)) {
        isRefused = !begun && terms.learn(events, request);
        if (isRefused) break;
        begun = true;
        if (events.some(({ type }) => type === "call")) callers.hear(request);
        const read = reader.read(events);
        if (read.length > 0) yield read;
      }
    }
  };
}

/** Requirements of a server, and requests that meet them. */
class Terms {
  readonly #say = inWords();
  readonly #order = inTurns();
  #words = false;
  #strict = false;

  met(request: Request): Request {
    const ordered = this.#strict ? this.#order(request) : request;
    return this.usesWords(request) ? this.#say(ordered) : ordered;
  }

  /** True when the model is told of its tools in words and cannot call natively. */
  usesWords({ model }: Request): boolean {
    return this.#words || model.tools === false;
  }

  /** Learns from a refusal; true when there is a new requirement. */
  learn(events: readonly StreamEvent[], { model }: Request): boolean {
    const failed = events.find((event) => event.type === "fail")?.failure;
    if (failed?.kind !== "rejected" && failed?.kind !== "server") return false;
    const before = [this.#strict, this.#words];
    const isOrder = refusals.order.test(failed.message);
    // A template that accepts no order knows no results at all.
    if (refusals.tools.test(failed.message) || (isOrder && this.#strict)) this.#words = model.tools !== false;
    this.#strict ||= isOrder;
    return before[0] !== this.#strict || before[1] !== this.#words;
  }
}

/** Messages of Ollama, llama.cpp, vLLM and templates, whatever the server had claimed about the model. */
const refusals = {
  tools: new RegExp(
    [
      "(?:not|n't) support(?:s|ed|ing)? (?:tool|function)",
      "tools? (?:is|are) not supported",
      "tool(?:s param| choice) requires",
      "only user and (?:model|assistant) roles",
    ].join("|"),
    "i",
  ),
  order: /roles? must alternate|unexpected role '\w+' after role/i,
};

/** The request for a model that accepts no user message after results and no two in a row. */
function inTurns(): (request: Request) => Request {
  const known = new WeakMap<Model, Model>();
  return (request) => {
    const { model } = request;
    const strict = known.get(model) ?? { ...model, compat: { ...model.compat, userMessages: "after replies" } };
    known.set(model, strict);
    return { ...request, model: strict };
  };
}

/** The request with tools and calls in words. Converted messages stay the same objects, so they are encoded once. */
function inWords(): (request: Request) => Request {
  const systems = new WeakMap<readonly string[], { tools: readonly ToolSpec[]; system: string[] }>();
  const known = new WeakMap<Message, Message>();
  const once = <T extends Message>(message: T, make: (message: T) => Message): Message => {
    const changed = known.get(message) ?? make(message);
    known.set(message, changed);
    return changed;
  };
  const told = ({ model, system, tools }: Request): string[] => {
    const before = systems.get(system);
    if (before?.tools === tools) return before.system;
    const fresh =
      tools.length > 0
        ? [...system, fill(instruct, { form: formOf(model), tools: tools.map(describe).join("\n\n") }).trim()]
        : [...system];
    systems.set(system, { tools, system: fresh });
    return fresh;
  };
  return (request) => {
    const messages: Message[] = [];
    let batch: ToolResultMessage[] = [];
    const flush = () => {
      const [first] = batch;
      if (first) messages.push(once(first, () => spoken(batch)));
      batch = [];
    };
    for (const message of arrange(request.messages)) {
      if (message.role === "toolResult") batch.push(message);
      else {
        flush();
        messages.push(message.role === "assistant" ? once(message, withoutCalls) : message);
      }
    }
    flush();
    return { ...request, system: told(request), tools: [], messages };
  };
}

/** Example of a call in the model's dialect if that is known; most models understand JSON between tags. */
const formOf = ({ dialect }: Model): string =>
  dialects.find(({ of, form }) => of === dialect && form !== undefined)?.form ??
  '<tool_call>{"name": "tool name", "arguments": {"argument": "value"}}</tool_call>';

const describe = ({ name, description, parameters }: ToolSpec) =>
  `## ${name}\n${description.trim()}\nArguments: ${JSON.stringify(parameters)}`;

function withoutCalls(message: AssistantMessage): AssistantMessage {
  const names = message.content.flatMap((part) => (part.type === "toolCall" ? [part.name] : []));
  if (names.length === 0) return message;
  return {
    ...message,
    content: [
      ...message.content.filter((part) => part.type !== "toolCall"),
      { type: "text", text: `[Called:] ${names.join(", ")}` },
    ],
  };
}

const spoken = (results: readonly ToolResultMessage[]): UserMessage => ({
  role: "user",
  content: results.flatMap(({ toolName, content, isError }) => [
    { type: "text" as const, text: `[${toolName} result]${isError ? " (failed)" : ""}` },
    ...content,
  ]),
  timestamp: results[0]?.timestamp ?? 0,
});
