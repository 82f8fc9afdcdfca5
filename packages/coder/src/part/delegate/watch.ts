import type { Event, TurnEnd } from "@pith/agent";
import { shorten } from "@pith/kit";
import type { AssistantMessage, Message, ToolCall } from "@pith/llm";
import type { TaskCall, TaskData } from "./kinds.ts";

/** Of a longer list the last ones are shown; what was thought, from its end. */
const mostCalls = 30;
const mostThought = 4000;
/** What a report is made of at most: whoever writes more than this reports nothing. */
const mostSaid = 256 * 1024;

type Known = Pick<TaskData, "id" | "mode" | "title" | "description" | "model">;

/** What is known of a sub-agent that works, folded from its own events. */
export class Watch {
  readonly #task: Known;
  readonly #changed: () => void;
  #calls: (TaskCall & { call: string })[] = [];
  #count = 0;
  #thinking = "";
  #said: string[] = [];
  #spent = { tokens: 0, cost: 0 };
  #end: TurnEnd | undefined;

  constructor(task: Known, changed: () => void) {
    this.#task = task;
    this.#changed = changed;
  }

  /** How its turn ended. */
  get end(): TurnEnd | undefined {
    return this.#end;
  }

  /** What it has said since its last call: a report may come in pieces. */
  get said(): string {
    return this.#said.join("\n\n").slice(0, mostSaid).trim();
  }

  get data(): TaskData {
    return {
      ...this.#task,
      state: "running",
      calls: this.#calls.map(({ tool, about, state }) => ({ tool, about, state })),
      callCount: this.#count,
      ...(this.#thinking === "" ? {} : { thinking: this.#thinking }),
      ...this.#spent,
    };
  }

  hear(event: Event): void {
    if (event.type === "turn" && event.state.name === "idle") this.#end = event.state.end;
    else if (event.type === "call") this.#called(event.call);
    else if (event.type === "entry" && event.entry.type === "message") this.#heard(event.entry.message as Message);
  }

  /** What its answers have cost so far. */
  spend({ totalTokens, cost }: AssistantMessage["usage"]): void {
    this.#spent = { tokens: this.#spent.tokens + totalTokens, cost: this.#spent.cost + cost.total };
  }

  #called({ id, name, arguments: input }: ToolCall): void {
    this.#count++;
    this.#calls = [
      ...this.#calls,
      { call: id, tool: clip(name), about: aboutOf(input), state: "running" as const },
    ].slice(-mostCalls);
    this.#changed();
  }

  #heard(message: Message): void {
    if (message.role === "toolResult") {
      this.#said = [];
      const state = message.isError ? ("failed" as const) : ("done" as const);
      this.#calls = this.#calls.map((one) => (one.call === message.toolCallId ? { ...one, state } : one));
      this.#changed();
    }
    if (message.role !== "assistant") return;
    for (const part of message.content) {
      if (part.type === "text" && part.text.trim() !== "") this.#said.push(part.text.trim());
      if (part.type === "thinking") this.#thinking = `${this.#thinking}\n${part.thinking}`.trim().slice(-mostThought);
    }
    this.#changed();
  }
}

/** What a call is about, most telling first. */
const telling = ["command", "path", "pattern", "query", "pat", "title"];
function aboutOf(input: ToolCall["arguments"]): string {
  const key = telling.find((name) => typeof input[name] === "string") ?? Object.keys(input)[0];
  const value = key === undefined ? "" : input[key];
  return clip(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

const clip = (text: string): string => shorten(text, 120);
