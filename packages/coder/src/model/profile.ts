import { matchesGlob } from "node:path";
import { type Model, modelName, type ProfileName } from "@pith/llm";
import type { SettingView } from "../setting/setting.ts";

/** Models of more billions of parameters need no help. */
const largest = 40;

/**
 * How a model is worked with: as somebody set it, by a pattern of its name, as `models.yml` or a probe says; else small
 * ones on one's own machine in the way that is made for them.
 */
export function profileOf(model: Model, settings: Pick<SettingView, "get">): ProfileName {
  const set = settings.get("profile");
  if (set !== "auto") return set;
  // A slash in the name of a model parts no folders: `ollama/*` means all of them.
  const flat = (name: string) => name.replaceAll("/", ":");
  const name = flat(modelName(model));
  if (settings.get("localModels").some((pattern) => matchesGlob(name, flat(pattern)))) return "local";
  return model.profile ?? (model.local && (model.size ?? 0) <= largest ? "local" : "default");
}

/** The model with what its profile adds to every request, beside the conversation too. */
export function withProfile(model: Model, settings: Pick<SettingView, "get">): Model {
  const keepAlive = settings.get("local.keepAlive");
  if (keepAlive === undefined || model.api !== "ollama-chat" || model.compat?.keepAlive !== undefined) return model;
  return { ...model, compat: { ...model.compat, keepAlive } };
}
