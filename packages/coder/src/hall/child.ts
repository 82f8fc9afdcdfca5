import { Channel, type Journal } from "@pith/agent";
import { ok, type Result } from "@pith/kit";
import { type Choice, openChoice } from "../model/choice.ts";
import type { Child, ChildOptions } from "./hall.ts";
import type { House } from "./house.ts";

interface Own {
  agent: string;
  scope: "child";
  journal: Journal;
  channel: Channel;
  choice: Choice;
}

/** Begins a conversation that belongs to another one: nobody is asked there, and nothing follows its turn. */
export async function beginChild(
  house: House,
  { agent, journal, wanted, words }: ChildOptions,
  open: (house: House, own: Own) => Child,
): Promise<Result<Child, "model">> {
  const { settings, env, models, secrets } = house;
  const channel = new Channel(journal, { all: secrets.maskAll, deltas: secrets.deltas() });
  const choice = await openChoice({ settings, env, models, tree: journal.tree, channel }, wanted);
  if (!choice.ok) return choice;
  const quiet: House = {
    ...house,
    asks: false,
    after: "end",
    face: undefined,
    words: { system: words(choice.value.settings) },
  };
  return ok(open(quiet, { agent, scope: "child", journal, channel, choice: choice.value }));
}
