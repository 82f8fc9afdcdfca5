import type { TurnView } from "@pith/agent";
import { formatCount } from "@pith/kit";
import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import { type ContextView, categoryTitles } from "../../usage/gauge.ts";

/** Learns from every answer how its model counts tokens, and shows the use of its window. */
export const count: MakePart<"gauge"> = ({ gauge }) => {
  let heard: TurnView["reply"];
  return {
    name: "count",
    // After the turn, for all answers together, so that no request waits.
    async idle(_, { reply }) {
      if (!reply || reply === heard || reply.usage.totalTokens === 0) return;
      heard = reply;
      (await gauge()).learn();
    },
    commands: [
      {
        name: "context",
        about: "show what fills the model's window",
        run: async () => show(contextText((await gauge()).view())),
      },
    ],
  };
};

export function contextText({ model, window, size, told, categories }: ContextView): string {
  const share = (tokens: number) => (window > 0 ? `${Math.round((1000 * tokens) / window) / 10} %` : "");
  const row = (title: string, tokens: number) =>
    `  ${title.padEnd(24)}${formatCount(tokens).padStart(10)}${share(tokens).padStart(9)}`.trimEnd();
  const of = window > 0 ? ` of ${formatCount(window)} tokens, ${share(size)}` : " tokens";
  const rows = categoryTitles.map(([name, title]) => row(title, categories[name]));
  const free = window > 0 ? [row("free", Math.max(0, window - size))] : [];
  const from =
    told > 0
      ? `${formatCount(told)} as the model reported, the rest estimated.`
      : "Estimated; the model has reported nothing yet.";
  return [`${model}: ${formatCount(size)}${of}`, ...rows, ...free, from].join("\n");
}
