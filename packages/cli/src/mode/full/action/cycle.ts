import { modelName } from "@pith/llm";
import type { ScreenContext } from "../context.ts";
import type { Action } from "./action.ts";

const roles = ["model", "roles.smol", "roles.slow", "roles.plan", "roles.explore"] as const;

/** The models that were used here; a model without a role is among those to come back to. */
const asked = new WeakMap<ScreenContext, Set<string>>();

/** The next of the models that somebody has given a role, and of those that were asked here. */
async function cycle(context: ScreenContext, by: 1 | -1): Promise<void> {
  const { coder, settings } = context;
  if (!coder) return context.submitter.later(() => cycle(context, by));
  const now = modelName(coder.model);
  const set = roles.map((key) => settings.get(key)).filter((name) => name !== undefined);
  const before = asked.get(context) ?? new Set();
  asked.set(context, before.add(now));
  const all = [...new Set([...set, ...before])];
  const next = all.at((all.indexOf(now) + by) % all.length);
  if (next === undefined || next === now)
    return context.say("info", "No other model has a role yet; /models gives some to others.");
  const used = await coder.use(next);
  if (!used.ok) context.say("error", used.message);
  else context.say("info", `From here on ${modelName(used.value)} is asked.`);
}

export const cycleActions: readonly Action[] = [
  {
    name: "app.model.cycleForward",
    about: "ask the next of the models that have a role",
    keys: ["ctrl+p"],
    run: (context) => cycle(context, 1),
  },
  {
    name: "app.model.cycleBackward",
    about: "ask the one before",
    keys: ["ctrl+shift+p"],
    run: (context) => cycle(context, -1),
  },
];
