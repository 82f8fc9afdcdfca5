import { type Command, prompt, show } from "../../command/command.ts";

interface PlanSources {
  planning(): boolean;
  enter(): void;
  leave(): void;
  /** The plan that was handed in last. */
  current(): Promise<string | undefined>;
  /** Whether there was one in view, which is put away. */
  putAway(): boolean;
  busy(): boolean;
}

/** `/plan`: into plan mode, perhaps with a task; what stands there; and out of it. */
export const planCommand = (sources: PlanSources): Command => ({
  name: "plan",
  about: "plan before anything is changed; shows the plan, off leaves or puts it away",
  usage: "[off | show | <what to plan>]",
  when: "any time",
  complete: (words) => ["off", "show"].filter((word) => word.startsWith(words)),
  async run(words) {
    const { planning, enter, current } = sources;
    if (words === "off") return show(off(sources));
    const plan = words === "show" || (words === "" && planning()) ? await current() : undefined;
    if (plan !== undefined) return show(plan);
    if (words === "show") return show("There is no plan yet.");
    const was = planning();
    enter();
    if (words !== "") return prompt(words);
    return show(
      was
        ? "Plan mode is on; there is no plan yet. /plan off leaves."
        : "Plan mode is on: nothing is changed until you approve a plan. /plan off leaves.",
    );
  },
});

function off({ planning, leave, putAway, busy }: PlanSources): string {
  const away = putAway();
  if (!planning()) return away ? "The plan is put away; /plan show has it." : "This is not plan mode.";
  leave();
  return busy() ? "Plan mode ends with this step." : "Plan mode is off.";
}
