import type { MakePart } from "../../hall/part.ts";
import { recordedPrompt } from "../../session/recorded.ts";
import { planCommand } from "./command.ts";
import { exitName } from "./exit-plan-mode.ts";
import { noteEntry, PlanMode, type PlanNeeds, planEntry } from "./mode.ts";

export const plan: MakePart<PlanNeeds> = (hall) => {
  const mode = new PlanMode(hall);
  mode.resume();
  return {
    name: "plan",
    // A model that knows the tool keeps it, so that its list of tools stays the same.
    tools: mode.isOn || recordedPrompt(hall.tree)?.tools.some(({ name }) => name === exitName) ? [mode.tool] : [],
    hooks: [mode],
    keeps: {
      state: ["pith.mode", noteEntry, planEntry],
      async words() {
        const state = mode.openState();
        const text = state && (await mode.plan());
        return text === undefined ? [] : [{ title: `The plan (${state})`, text }];
      },
    },
    commands: [planCommand(mode, () => hall.channel.running)],
  };
};
