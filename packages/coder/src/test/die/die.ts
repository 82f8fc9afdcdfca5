import { ok } from "@pith/kit";
import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import { rollDie } from "./tool.ts";

declare module "../../hall/hall.ts" {
  interface Hall {
    /** Counts the rolls of the session. */
    rolls(): number;
  }
}

/** A capability with one of everything. Nothing outside of this folder knows it. */
export const die: MakePart<"tree" | "channel" | "settings", "rolls"> = ({ tree, channel, settings }) => {
  const rolls = () => (tree.lastCustom("die.rolled")?.data as { rolls?: number } | undefined)?.rolls ?? 0;
  const sides = () => settings.get("die.sides");
  const record = () => {
    channel.record({ type: "custom", customType: "die.rolled", data: { rolls: rolls() + 1 } });
    const panel = { slot: "below", kind: "roll", data: { rolled: sides() }, text: `rolled ${rolls()}` } as const;
    channel.announce({ type: "panel", key: "die", panel });
  };
  return {
    name: "die",
    owns: { rolls },
    tools: [rollDie(sides, record)],
    hooks: [{ name: "die", result: (_, outcome) => ({ ...outcome, text: `${outcome.text} (fair)` }) }],
    commands: [{ name: "rolls", about: "how often", when: "any time", run: () => show(`${rolls()} so far`) }],
    prompt: () => ["There is a die."],
    urls: { die: async () => ({ resolve: ({ host }) => ok({ text: `side ${host}` }) }) },
  };
};
