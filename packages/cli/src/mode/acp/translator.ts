import type {
  ClientCapabilities,
  ContentBlock,
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import { type Entry, type Event, type Intent, kindOf, type RunData } from "@pith/agent";
import type { Coder } from "@pith/coder";
import type { AssistantMessage, StopReason, StreamEvent, ToolCall, ToolResultMessage } from "@pith/llm";
import { remindedLine } from "../../io/reminder.ts";
import { callFields, resultFields } from "./tool.ts";

interface TranslatorOptions {
  coder: Pick<Coder, "scene" | "model" | "commands">;
  cwd: string;
  capabilities: ClientCapabilities;
}
type Chunk = "agent_message_chunk" | "agent_thought_chunk";

/** Says our events in the words of the protocol. */
export class Translator {
  readonly #options: TranslatorOptions;
  /** Calls that a client was told of. */
  readonly #known = new Set<string>();
  /** Calls of an answer that is still streaming. */
  readonly #arriving = new Set<string>();
  /** The terminal of the client in which a call runs. */
  readonly #terminals = new Map<string, string>();
  #message = "";
  #answers = 0;
  #compaction = 0;
  lastStop: StopReason | undefined;

  constructor(options: TranslatorOptions) {
    this.#options = options;
  }

  take(event: Event): SessionUpdate[] {
    const { compaction, notices } = this.#options.capabilities.session ?? {};
    switch (event.type) {
      case "delta":
        return event.deltas.flatMap((delta) => this.#delta(delta));
      case "call":
        return [this.#call(event.call, "in_progress", event.intent)];
      case "progress":
        return [this.#progress(event)];
      case "entry":
        return this.entry(event.entry, "live");
      case "turn":
        if (event.state.name === "idle") return this.#lost();
        if (event.state.name !== "compacting" || !compaction) return [];
        this.#compaction++;
        return [this.#compacting({ status: "in_progress" })];
      case "compacted":
        return compaction ? [this.#compacted(event)] : [];
      case "reminded":
        if (!notices) return [this.#chunk("agent_thought_chunk", `\n${remindedLine(event)}\n`)];
        return [{ sessionUpdate: "notice", severity: "warning", title: remindedLine(event) }];
      case "notice": {
        const { level, text } = event.notice;
        const severity = level === "warn" ? "warning" : level;
        return notices ? [{ sessionUpdate: "notice", severity, title: text }] : [];
      }
      default:
        return [];
    }
  }

  #delta(delta: StreamEvent): SessionUpdate[] {
    switch (delta.type) {
      case "start":
        this.#message = `answer-${++this.#answers}`;
        return this.#lost();
      case "text":
        return [this.#chunk("agent_message_chunk", delta.delta)];
      case "thinking":
        return [this.#chunk("agent_thought_chunk", delta.delta)];
      case "call": {
        const { id, name } = delta;
        if (this.#known.has(id)) return [];
        this.#known.add(id);
        this.#arriving.add(id);
        const call = callFields({ type: "toolCall", id, name, arguments: {} }, "");
        const { locations: _, rawInput: __, ...fields } = call;
        return [{ sessionUpdate: "tool_call", ...fields, status: "pending" }];
      }
      default:
        return [];
    }
  }

  /** Translates an entry: as it comes, after its words were streamed, or again from a record. */
  entry(entry: Entry, how: "live" | "again"): SessionUpdate[] {
    if (entry.type === "session_info") return [{ sessionUpdate: "session_info_update", title: entry.name }];
    if (entry.type !== "message") return [];
    const { message } = entry;
    switch (message.role) {
      case "user": {
        if (how === "live") return [];
        const blocks = typeof message.content === "string" ? [block(message.content)] : message.content;
        return blocks.map((content) => ({ sessionUpdate: "user_message_chunk", content, messageId: entry.id }));
      }
      case "assistant":
        return this.#answer(message, how === "again" ? entry.id : undefined);
      case "toolResult":
        return this.#result(message);
      default:
        return [];
    }
  }

  #answer(message: AssistantMessage, id: string | undefined): SessionUpdate[] {
    this.lastStop = message.stopReason;
    const parts = message.content.flatMap((part): SessionUpdate[] => {
      if (part.type === "toolCall") {
        this.#arriving.delete(part.id);
        return [this.#call(part, "pending")];
      }
      if (id === undefined) return [];
      if (part.type === "text") return [this.#chunk("agent_message_chunk", part.text, id)];
      return part.type === "thinking" ? [this.#chunk("agent_thought_chunk", part.thinking, id)] : [];
    });
    const { scene, model } = this.#options.coder;
    if (id !== undefined || scene.context === undefined) return parts;
    const cost = scene.spent.cost > 0 ? { amount: scene.spent.cost, currency: "USD" } : undefined;
    return [...parts, { sessionUpdate: "usage_update", used: scene.context, size: model.contextWindow, cost }];
  }

  /** Ends the calls of an answer that was stopped or broke off: they will never run. */
  #lost(): SessionUpdate[] {
    const lost = [...this.#arriving];
    this.#arriving.clear();
    return lost.map((toolCallId) => {
      this.#known.delete(toolCallId);
      const content = [textContent("Not run: the answer was stopped before it was whole.")];
      return { sessionUpdate: "tool_call_update", toolCallId, status: "failed", content };
    });
  }

  commands(): SessionUpdate {
    const availableCommands = this.#options.coder.commands.rows.map(({ name, about, usage }) => ({
      name,
      description: about,
      input: usage ? { hint: usage } : undefined,
    }));
    return { sessionUpdate: "available_commands_update", availableCommands };
  }

  #chunk(sessionUpdate: Chunk, text: string, messageId = this.#message): SessionUpdate {
    return { sessionUpdate, content: block(text), ...(messageId && { messageId }) };
  }

  #call(call: ToolCall, status: "pending" | "in_progress", intent?: Intent): SessionUpdate {
    const fields = { ...callFields(call, this.#options.cwd, intent), status };
    if (this.#known.has(call.id)) return { sessionUpdate: "tool_call_update", ...fields };
    this.#known.add(call.id);
    return { sessionUpdate: "tool_call", ...fields };
  }

  #progress({ call, part }: Event & { type: "progress" }): SessionUpdate {
    const { terminal } = part.data as Partial<RunData>;
    if (terminal !== undefined) this.#terminals.set(call.id, terminal);
    const content = [this.#terminal(call.id) ?? textContent(part.text)];
    return { sessionUpdate: "tool_call_update", toolCallId: call.id, status: "in_progress", content };
  }

  #result(message: ToolResultMessage): SessionUpdate[] {
    const { toolCallId, details } = message;
    const shown = this.#terminal(toolCallId);
    const fields = { ...resultFields(message, this.#options.cwd), ...(shown && { content: [shown] }) };
    const update: SessionUpdate = { sessionUpdate: "tool_call_update", ...fields };
    // The id of a call may come again in a later answer.
    this.#known.delete(toolCallId);
    this.#terminals.delete(toolCallId);
    const entries = kindOf(details) === "todo" ? planOf(details?.phases) : undefined;
    return entries ? [update, { sessionUpdate: "plan", entries }] : [update];
  }

  /** The terminal of a call; it goes on to show its output when it is given back. */
  #terminal(call: string): ToolCallContent | undefined {
    const terminalId = this.#terminals.get(call);
    return terminalId === undefined ? undefined : { type: "terminal", terminalId };
  }

  #compacted({ entry, aborted, error }: Event & { type: "compacted" }): SessionUpdate {
    const status = aborted ? "cancelled" : error === undefined ? "completed" : "failed";
    return this.#compacting({ status, summary: entry && [block(entry.summary)], error });
  }

  #compacting(state: Omit<SessionUpdate & { sessionUpdate: "compaction_update" }, "sessionUpdate" | "compactionId">) {
    const compactionId = `compaction-${this.#compaction}`;
    return { sessionUpdate: "compaction_update", compactionId, ...state } satisfies SessionUpdate;
  }
}

const block = (text: string): ContentBlock & { type: "text" } => ({ type: "text", text });
const textContent = (text: string): ToolCallContent => ({ type: "content", content: block(text) });

/** The list of tasks, without those that were dropped. */
function planOf(phases: unknown): PlanEntry[] | undefined {
  if (!Array.isArray(phases)) return undefined;
  const tasks = phases.flatMap((phase: { tasks?: { content: string; status: string }[] }) => phase.tasks ?? []);
  return tasks
    .filter(({ status }) => status !== "abandoned")
    .map(({ content, status }) => ({ content, status: status as PlanEntry["status"], priority: "medium" }));
}
