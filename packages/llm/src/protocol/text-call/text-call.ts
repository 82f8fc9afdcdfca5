import { fill } from "@pith/kit";
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from "../../message/message.ts";
import type { Model } from "../../message/model.ts";
import type { Request, Stream, StreamEvent, ToolSpec } from "../../message/stream.ts";
import { arrange } from "../history.ts";
import { dialects } from "./dialect.ts";
import instruct from "./instruct.md" with { type: "text" };
import { TextCallReader } from "./reader.ts";

/**
 * A stream whose model may write its calls as text. One that cannot call tools (`tools: false`), or whose server turns
 * out to refuse them, is told of them in words and gets its history in words; one that can is asked as ever, and heard
 * when its server lets a call slip through as text.
 */
export function withTextCalls(stream: Stream): Stream {
  const say = inWords();
  let refused = false;
  return async function* (request, signal) {
    if (request.tools.length === 0 && request.model.tools !== false) {
      yield* stream(request, signal);
      return;
    }
    const reader = new TextCallReader(request.tools);
    for (let again = true; again; ) {
      again = false;
      const told = refused || request.model.tools === false;
      let begun = told;
      for await (const events of stream(told ? say(request) : request, signal)) {
        again = !begun && events.some(refusesTools);
        if (again) break;
        begun = true;
        const read = reader.read(events);
        if (read.length > 0) yield read;
      }
      refused ||= again;
    }
  };
}

/** As Ollama, llama.cpp, vLLM and others say it, whatever they had told of the model before. */
const refusesTools = (event: StreamEvent): boolean =>
  event.type === "fail" && /^(?:rejected|server)$/.test(event.failure.kind) && refusal.test(event.failure.message);
const refusal =
  /(?:not|n't) support(?:s|ed|ing)? (?:tool|function)|tools? (?:is|are) not supported|tool(?:s param| choice) requires/i;

/**
 * The same request without tools of its own. What was put into words once stays the same object, so that it is encoded
 * once.
 */
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

/** How a call is to be written: as the model does by itself, where that is known; most understand JSON between tags. */
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
