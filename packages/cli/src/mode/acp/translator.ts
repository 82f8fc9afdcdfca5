import type {
  ClientCapabilities,
  ContentBlock,
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import { type Entry, type Event, type Intent, kindOf, type RunData } from "@pith/agent";
import type { Coder } from "@pith/coder";
import type { StopReason, ToolCall, ToolResultMessage } from "@pith/llm";
import { remindedLine } from "../../io/reminder.ts";
import { callFields, resultFields } from "./tool.ts";

interface TranslatorOptions {
  coder: Pick<Coder, "scene" | "model" | "commands">;
  cwd: string;
  capabilities: ClientCapabilities;
}

/** Says our events in the words of the protocol. */
export class Translator {
  readonly #needs: TranslatorOptions;
  /** Calls that a client was told of. */
  #known = new Set<string>();
  /** Those whose answer has not come to its end. */
  #arriving = new Set<string>();
  /** In which terminal of the client a call runs. */
  #terminals = new Map<string, string>();
  #message = "";
  #answers = 0;
  #compaction = 0;
  lastStop: StopReason | undefined;

  constructor(needs: TranslatorOptions) {
    this.#needs = needs;
  }

  take(event: Event): SessionUpdate[] {
    const { capabilities } = this.#needs;
    switch (event.type) {
      case "delta":
        return event.deltas.flatMap((delta): SessionUpdate[] => {
          if (delta.type === "start") {
            this.#message = `answer-${++this.#answers}`;
            return this.#lost();
          }
          if (delta.type === "text") return [this.#chunk("agent_message_chunk", delta.delta)];
          if (delta.type === "thinking") return [this.#chunk("agent_thought_chunk", delta.delta)];
          if (delta.type !== "call" || this.#known.has(delta.id)) return [];
          this.#known.add(delta.id);
          this.#arriving.add(delta.id);
          return [{ ...this.#pending(delta.id, delta.name), sessionUpdate: "tool_call" }];
        });
      case "call":
        return [this.#call(event.call, "in_progress", event.intent)];
      case "progress": {
        const { call, part } = event;
        const { terminal } = part.data as Partial<RunData>;
        if (terminal !== undefined) this.#terminals.set(call.id, terminal);
        const content = [this.#terminal(call.id) ?? text(part.text)];
        return [{ sessionUpdate: "tool_call_update", toolCallId: call.id, status: "in_progress", content }];
      }
      case "entry":
        return this.entry(event.entry, "live");
      case "turn":
        if (event.state.name === "idle") return this.#lost();
        return event.state.name === "compacting" && capabilities.session?.compaction
          ? [
              {
                sessionUpdate: "compaction_update",
                compactionId: `compaction-${++this.#compaction}`,
                status: "in_progress",
              },
            ]
          : [];
      case "compacted":
        return capabilities.session?.compaction ? [this.#compacted(event)] : [];
      case "reminded":
        if (!capabilities.session?.notices) return [this.#chunk("agent_thought_chunk", `\n${remindedLine(event)}\n`)];
        return [{ sessionUpdate: "notice", severity: "warning", title: remindedLine(event) }];
      case "notice":
        if (!capabilities.session?.notices) return [];
        return [{ sessionUpdate: "notice", severity: severities[event.notice.level], title: event.notice.text }];
      default:
        return [];
    }
  }

  /** An entry: as it comes, after its words were streamed, or read from a record. */
  entry(entry: Entry, how: "live" | "again"): SessionUpdate[] {
    if (entry.type === "session_info") return [{ sessionUpdate: "session_info_update", title: entry.name }];
    if (entry.type !== "message") return [];
    const { message } = entry;
    switch (message.role) {
      case "user": {
        if (how === "live") return [];
        const blocks = typeof message.content === "string" ? [plain(message.content)] : message.content;
        return blocks.map((content) => ({ sessionUpdate: "user_message_chunk", content, messageId: entry.id }));
      }
      case "assistant": {
        this.lastStop = message.stopReason;
        const said = message.content.flatMap((part): SessionUpdate[] => {
          if (part.type === "toolCall") {
            this.#arriving.delete(part.id);
            return [this.#call(part, "pending")];
          }
          if (how === "live") return [];
          if (part.type === "text") return [this.#chunk("agent_message_chunk", part.text, entry.id)];
          return part.type === "thinking" ? [this.#chunk("agent_thought_chunk", part.thinking, entry.id)] : [];
        });
        return how === "live" ? [...said, ...this.#usage()] : said;
      }
      case "toolResult":
        return this.#result(message);
      default:
        return [];
    }
  }

  /** Calls of an answer that was stopped or broke off: they will never run. */
  #lost(): SessionUpdate[] {
    const lost = [...this.#arriving];
    this.#arriving.clear();
    return lost.map((toolCallId) => {
      this.#known.delete(toolCallId);
      const content = [text("Not run: the answer was stopped before it was whole.")];
      return { sessionUpdate: "tool_call_update", toolCallId, status: "failed", content };
    });
  }

  commands(): SessionUpdate {
    const rows = this.#needs.coder.commands.rows;
    return {
      sessionUpdate: "available_commands_update",
      availableCommands: rows.map(({ name, about, usage }) => ({
        name,
        description: about,
        input: usage ? { hint: usage } : undefined,
      })),
    };
  }

  /** Whether something changed that a person can choose. */
  changesOptions(event: Event): boolean {
    if (event.type === "status") return event.key === "mode";
    return (
      event.type === "entry" && (event.entry.type === "model_change" || event.entry.type === "thinking_level_change")
    );
  }

  #chunk(kind: "agent_message_chunk" | "agent_thought_chunk", said: string, messageId = this.#message): SessionUpdate {
    return { sessionUpdate: kind, content: { type: "text", text: said }, ...(messageId ? { messageId } : {}) };
  }

  #pending(id: string, name: string) {
    const { locations: _l, rawInput: _r, ...fields } = callFields({ type: "toolCall", id, name, arguments: {} }, "");
    return { ...fields, status: "pending" as const };
  }

  #call(call: ToolCall, status: "pending" | "in_progress", intent?: Intent): SessionUpdate {
    const known = this.#known.has(call.id);
    this.#known.add(call.id);
    const fields = { ...callFields(call, this.#needs.cwd, intent), status };
    return known ? { sessionUpdate: "tool_call_update", ...fields } : { sessionUpdate: "tool_call", ...fields };
  }

  #result(message: ToolResultMessage): SessionUpdate[] {
    const shown = this.#terminal(message.toolCallId);
    const fields = { ...resultFields(message, this.#needs.cwd), ...(shown && { content: [shown] }) };
    const update: SessionUpdate = { sessionUpdate: "tool_call_update", ...fields };
    // The id of a call may come again in a later answer.
    this.#known.delete(message.toolCallId);
    this.#terminals.delete(message.toolCallId);
    const plan = kindOf(message.details) === "todo" ? planOf(message.details?.phases) : undefined;
    return plan ? [update, { sessionUpdate: "plan", entries: plan }] : [update];
  }

  /** A terminal goes on to show what it has shown when it is given back. */
  #terminal(call: string): ToolCallContent | undefined {
    const terminalId = this.#terminals.get(call);
    return terminalId === undefined ? undefined : { type: "terminal", terminalId };
  }

  #usage(): SessionUpdate[] {
    const { scene, model } = this.#needs.coder;
    if (scene.context === undefined) return [];
    const cost = scene.spent.cost > 0 ? { amount: scene.spent.cost, currency: "USD" } : undefined;
    return [{ sessionUpdate: "usage_update", used: scene.context, size: model.contextWindow, cost }];
  }

  #compacted({ entry, aborted, error }: Event & { type: "compacted" }): SessionUpdate {
    const status = aborted ? "cancelled" : error === undefined ? "completed" : "failed";
    const summary = entry ? [plain(entry.summary)] : undefined;
    return {
      sessionUpdate: "compaction_update",
      compactionId: `compaction-${this.#compaction}`,
      status,
      summary,
      error,
    };
  }
}

const severities = { info: "info", warn: "warning", error: "error" } as const;
const plain = (said: string): ContentBlock & { type: "text" } => ({ type: "text", text: said });
const text = (said: string): ToolCallContent => ({ type: "content", content: plain(said) });

/** The list of tasks; what was dropped is none. */
function planOf(phases: unknown): PlanEntry[] | undefined {
  if (!Array.isArray(phases)) return undefined;
  const tasks = phases.flatMap((phase: { tasks?: { content: string; status: string }[] }) => phase.tasks ?? []);
  return tasks
    .filter(({ status }) => status !== "abandoned")
    .map(({ content, status }) => ({ content, status: status as PlanEntry["status"], priority: "medium" }));
}
