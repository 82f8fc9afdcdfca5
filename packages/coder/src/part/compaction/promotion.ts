import type { Model } from "@pith/llm";
import { affordable } from "../../model/choice.ts";
import type { CompactorNeeds } from "./needs.ts";

/** A model with a larger window that the user wants to take over; the first that holds so much. */
export async function promotion(
  { settings, choice, models }: Pick<CompactorNeeds, "settings" | "choice" | "models">,
  than: Model,
  holds: (model: Model) => boolean,
): Promise<Model | undefined> {
  for (const name of settings.get("compaction.promote")) {
    const found = await models.resolve(name);
    const model = found.ok ? affordable(choice.wanted, found.value) : undefined;
    if (model?.ok && model.value.contextWindow > than.contextWindow && holds(model.value)) return model.value;
  }
  return undefined;
}
