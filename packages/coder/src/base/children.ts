import { Channel, type Journal } from "@pith/agent";
import { ok, type Result } from "@pith/kit";
import type { OpenHall } from "../hall/open.ts";
import type { MakePart } from "../hall/part.ts";
import { openChoice, type Wanted } from "../model/choice.ts";
import type { SettingView } from "../setting/setting.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    /** Opens a sub-agent's conversation. Nobody can be asked there, and nothing follows its turn. */
    begin(child: ChildOptions): Promise<Result<OpenHall, "model">>;
  }
}

export interface ChildOptions {
  agent: string;
  journal: Journal;
  wanted: Wanted;
  /** The sub-agent's system prompt; the blocks about the project follow it. */
  words(settings: SettingView): string;
}

export const children: MakePart<"store" | "env" | "models" | "secrets" | "grants" | "open", "begin"> = (hall) => {
  const { store, env, models, secrets, grants } = hall;
  return {
    name: "children",
    owns: {
      async begin({ agent, journal, wanted, words }) {
        const channel = new Channel(journal, { all: secrets.maskAll, deltas: secrets.deltas() });
        const choice = await openChoice({ settings: store, env, models, tree: journal.tree, channel }, wanted);
        if (!choice.ok) return choice;
        const opened = { journal, channel, choice: choice.value, grants };
        const system = words(choice.value.settings);
        const quiet = { asks: false, after: "end", face: undefined, words: { system } } as const;
        return ok(hall.open({ agent, scope: "child", ...quiet, opened }));
      },
    },
  };
};
