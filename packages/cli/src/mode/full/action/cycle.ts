import { modelName } from "@pith/llm";
import type { ScreenContext } from "../context.ts";

const roles = ["model", "roles.smol", "roles.slow", "roles.plan", "roles.explore"] as const;

/** The models that were used here; a model without a role is among those to come back to. */
const asked = new WeakMap<ScreenContext, Set<string>>();

/** Goes on with the next model among those that have a role or were used here. */
export async function cycleModels(context: ScreenContext, by: 1 | -1): Promise<void> {
  const { coder, settings } = context;
  if (!coder) return context.submitter.later(() => cycleModels(context, by));
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
