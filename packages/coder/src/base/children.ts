import { Channel, type Journal } from "@pith/agent";
import { ok, type Result } from "@pith/kit";
import type { OpenHall } from "../hall/open.ts";
import type { MakePart } from "../hall/part.ts";
import { openChoice, type Wanted } from "../model/choice.ts";
import type { SettingView } from "../setting/setting.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    /** Opens a sub-agent's conversation: its questions are asked here under its name, and nothing follows its turn. */
    begin(child: ChildOptions): Promise<Result<OpenHall, "model">>;
  }
}

export interface ChildOptions {
  agent: string;
  /** Names it to people. */
  name: string;
  journal: Journal;
  wanted: Wanted;
  /** The sub-agent's system prompt; the blocks about the project follow it. */
  words(settings: SettingView): string;
}

type Needs = "store" | "env" | "models" | "secrets" | "grants" | "named" | "questions" | "open";

export const children: MakePart<Needs, "begin"> = (hall) => {
  const { store, env, models, secrets, grants, named } = hall;
  return {
    name: "children",
    owns: {
      async begin({ agent, name, journal, wanted, words }) {
        const channel = new Channel(journal, { all: secrets.maskAll, deltas: secrets.deltas() });
        const choice = await openChoice({ settings: store, env, models, tree: journal.tree, channel }, wanted);
        if (!choice.ok) return choice;
        const questions = hall.questions.under(agent, name);
        const opened = { journal, channel, choice: choice.value, grants, named, questions };
        const system = words(choice.value.settings);
        const quiet = { asks: questions.asks === "person", after: "end", face: undefined, words: { system } } as const;
        return ok(hall.open({ agent, scope: "child", ...quiet, opened }));
      },
    },
  };
};
