import type { Event, TurnEnd } from "@pith/agent";
import { defined, shorten } from "@pith/kit";
import type { AssistantMessage, Message, ToolCall } from "@pith/llm";
import type { TaskCall, TaskData } from "./kinds.ts";

/** The last calls and the end of the thinking that are shown, and the longest report. */
const mostCalls = 30;
const mostThought = 4000;
const longestReport = 256 * 1024;

type Known = Pick<TaskData, "id" | "mode" | "title" | "description" | "model">;

/** The state of a sub-agent, folded from its events. */
export class TaskProgress {
  readonly #task: Known;
  readonly #changed: () => void;
  #calls: (TaskCall & { call: string })[] = [];
  #count = 0;
  #thinking = "";
  #texts: string[] = [];
  #spent = { tokens: 0, cost: 0 };
  /** The end of the sub-agent's turn. */
  end: TurnEnd | undefined;

  constructor(task: Known, changed: () => void) {
    this.#task = task;
    this.#changed = changed;
  }

  /** All text since the last call: a report may come in pieces. */
  get text(): string {
    return this.#texts.join("\n\n").slice(0, longestReport).trim();
  }

  get data(): TaskData {
    return {
      ...this.#task,
      state: "running",
      calls: this.#calls.map(({ tool, about, state }) => ({ tool, about, state })),
      callCount: this.#count,
      ...defined({ thinking: this.#thinking || undefined }),
      ...this.#spent,
    };
  }

  take(event: Event): void {
    if (event.type === "turn" && event.state.name === "idle") this.end = event.state.end;
    else if (event.type === "call") this.#takeCall(event.call);
    else if (event.type === "entry" && event.entry.type === "message")
      this.#takeMessage(event.entry.message as Message);
  }

  spend({ totalTokens, cost }: AssistantMessage["usage"]): void {
    this.#spent = { tokens: this.#spent.tokens + totalTokens, cost: this.#spent.cost + cost.total };
  }

  #takeCall({ id, name, arguments: input }: ToolCall): void {
    this.#count++;
    const call = { call: id, tool: clip(name), about: aboutOf(input), state: "running" } as const;
    this.#calls = [...this.#calls, call].slice(-mostCalls);
    this.#changed();
  }

  #takeMessage(message: Message): void {
    if (message.role === "toolResult") {
      this.#texts = [];
      const state = message.isError ? ("failed" as const) : ("done" as const);
      this.#calls = this.#calls.map((one) => (one.call === message.toolCallId ? { ...one, state } : one));
      this.#changed();
    }
    if (message.role !== "assistant") return;
    for (const part of message.content) {
      if (part.type === "text" && part.text.trim() !== "") this.#texts.push(part.text.trim());
      if (part.type === "thinking") this.#thinking = `${this.#thinking}\n${part.thinking}`.trim().slice(-mostThought);
    }
    this.#changed();
  }
}

/** Arguments that say most about a call, best first. */
const telling = ["command", "path", "pattern", "query", "pat", "title"];
function aboutOf(input: ToolCall["arguments"]): string {
  const key = telling.find((name) => typeof input[name] === "string") ?? Object.keys(input)[0];
  const value = key === undefined ? "" : input[key];
  return clip(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

const clip = (text: string): string => shorten(text, 120);
