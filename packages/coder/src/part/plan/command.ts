import { type Command, prompt, show } from "../../command/command.ts";
import type { PlanMode } from "./mode.ts";

/** The command `/plan`, which enters plan mode, perhaps with a task, shows the plan, and leaves the mode. */
export const planCommand = (mode: PlanMode, isBusy: () => boolean): Command => ({
  name: "plan",
  about: "plan before changing anything; show the plan; off leaves plan mode",
  usage: "[off | show | <what to plan>]",
  when: "any time",
  complete: (words) => ["off", "show"].filter((word) => word.startsWith(words)),
  async run(words) {
    if (words === "off") return show(leave(mode, isBusy()));
    const plan = words === "show" || (words === "" && mode.isOn) ? await mode.plan() : undefined;
    if (plan !== undefined) return show(plan);
    if (words === "show") return show("There is no plan yet.");
    const wasOn = mode.isOn;
    mode.enter();
    if (words !== "") return prompt(words);
    return show(
      wasOn
        ? "Plan mode is on; there is no plan yet. /plan off leaves."
        : "Plan mode is on: nothing is changed until you approve a plan. /plan off leaves.",
    );
  },
});

function leave(mode: PlanMode, isBusy: boolean): string {
  const away = mode.putAway();
  if (!mode.isOn) return away ? "The plan is put away; /plan show has it." : "This is not plan mode.";
  mode.leave();
  return isBusy ? "Plan mode ends with this step." : "Plan mode is off.";
}
