import { fill } from "@pith/kit";
import type { AssistantMessage, Message, Model, Stream } from "@pith/llm";
import { openCalls } from "../session/context.ts";
import { textOf } from "../session/text.ts";
import { refusal, toMessage } from "../tool/result.ts";
import prose from "./aside.md" with { type: "text" };
import type { Points } from "./point.ts";
import { ask } from "./step.ts";
import type { Prompt } from "./turn.ts";

export interface AsideNeeds extends Prompt {
  model: Model;
  stream: Stream;
  points: Points;
  /** The conversation so far. */
  messages: readonly Message[];
  now: number;
  signal: AbortSignal;
  /** What has come of the answer. */
  show(text: string): void;
}

export interface AsideAnswer {
  text: string;
  /** Why there is none, or not all of it. */
  problem?: string;
  /** For the bill. */
  message: AssistantMessage;
}

/**
 * One question beside the conversation: the same words, tools and messages before it, so that a server finds what it
 * has cached, and nothing of it in the record. A call in the answer is not run.
 */
export async function askAside(question: string, needs: AsideNeeds): Promise<AsideAnswer> {
  const { model, stream, points, system, tools, messages, now, signal } = needs;
  const running = openCalls(messages).map((call) => toMessage(call, refusal("This call still runs."), now));
  const asked: Message = { role: "user", content: fill(prose, { question }).trim(), timestamp: now };
  const request = await points.context({ model, system, tools, messages: [...messages, ...running, asked] });
  let said = "";
  const { message, failure } = await ask({
    request,
    model,
    stream,
    signal,
    now,
    watch(events) {
      const more = events.flatMap((event) => (event.type === "text" ? [event.delta] : [])).join("");
      said += more;
      if (more !== "") needs.show(said);
      return undefined;
    },
  });
  const text = textOf(message.content).trim();
  const problem = failure?.message ?? (text === "" ? "The model answered with a call and no words." : undefined);
  return { text, message, ...(problem === undefined ? {} : { problem }) };
}
