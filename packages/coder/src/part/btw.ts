import { show } from "../command/command.ts";
import type { MakePart } from "../hall/part.ts";

/** A question beside the conversation, also while a turn runs: the model answers it, and it was never asked. */
export const btw: MakePart<"channel" | "aside"> = ({ channel, aside }) => {
  let count = 0;
  const ask = async (question: string, signal: AbortSignal) => {
    const key = `btw ${++count}`;
    const panel = (answer: string) =>
      channel.announce({
        type: "panel",
        key,
        panel: { slot: "above", kind: "btw", data: { question, answer }, text: `${question}\n${answer}` },
      });
    panel("");
    try {
      return await aside(question, signal, panel);
    } finally {
      channel.announce({ type: "panel", key });
    }
  };
  return {
    name: "btw",
    commands: [
      {
        name: "btw",
        about: "ask something beside the conversation: it is answered and forgotten",
        usage: "<question>",
        when: "any time",
        async run(words, signal) {
          if (words === "") return show("Say what to ask: /btw <question>", "failed");
          const { text, problem } = await ask(words, signal);
          if (problem === undefined) return show(text);
          return show([text, problem].filter(Boolean).join("\n"), "failed");
        },
      },
    ],
  };
};
