import { textOf } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Message, StreamEvent } from "@pith/llm";
import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import prose from "./btw.md" with { type: "text" };

/** Answers a question beside the conversation, also while a turn runs. Neither question nor answer is kept. */
export const btw: MakePart<"channel" | "aside" | "standing" | "clock"> = ({ channel, aside, standing, clock }) => {
  let count = 0;
  const ask = async (question: string, signal: AbortSignal) => {
    const key = `btw ${++count}`;
    const panel = (answer: string) =>
      channel.announce({
        type: "panel",
        key,
        panel: { slot: "above", kind: "btw", data: { question, answer }, text: `${question}\n${answer}` },
      });
    const { messages, ...request } = await standing();
    // The request begins like the conversation, so that servers find it in their caches.
    const asked: Message = { role: "user", content: fill(prose, { question }).trim(), timestamp: clock.now() };
    let said = "";
    const watch = (events: readonly StreamEvent[]) => {
      const more = events.flatMap((event) => (event.type === "text" ? [event.delta] : [])).join("");
      said += more;
      if (more !== "") panel(said);
    };
    panel("");
    try {
      const { message, failure } = await aside(
        { ...request, messages: [...messages, asked], purpose: "aside" },
        signal,
        watch,
      );
      const text = textOf(message.content).trim();
      // A call in the answer is not run.
      const none = text === "" ? "The model answered with a call and no words." : undefined;
      return { text, problem: failure?.message ?? none };
    } finally {
      channel.announce({ type: "panel", key });
    }
  };
  return {
    name: "btw",
    commands: [
      {
        name: "btw",
        about: "ask something beside the conversation; the answer is not kept",
        usage: "<question>",
        async run(words, signal) {
          if (words === "") return show("Say what to ask: /btw <question>", "failed");
          const { text, problem } = await ask(words, signal);
          const outcome = { kind: "btw" as const, data: { question: words }, text };
          if (problem === undefined) return { do: "show", outcome };
          return {
            do: "show",
            outcome: { ...outcome, text: [text, problem].filter(Boolean).join("\n\n"), failed: true },
          };
        },
      },
    ],
  };
};
