import { matchesGlob } from "node:path";
import { type Model, modelName, type ProfileName } from "@pith/llm";
import type { SettingView } from "../setting/setting.ts";

/** Models of more billions of parameters need no help. */
const largest = 40;

/**
 * Returns the profile of a model: the setting, by a pattern of its name, by `models.yml` or a probe. Otherwise small
 * models on the user's own machine have the profile local.
 */
export function profileOf(model: Model, settings: Pick<SettingView, "get">): ProfileName {
  const set = settings.get("profile");
  if (set !== "auto") return set;
  // In `ollama/*` the star also covers slashes.
  const flat = (name: string) => name.replaceAll("/", ":");
  const name = flat(modelName(model));
  if (settings.get("localModels").some((pattern) => matchesGlob(name, flat(pattern)))) return "local";
  return model.profile ?? (model.local && (model.size ?? 0) <= largest ? "local" : "default");
}

/** Adds the fields of a profile to a model, for all its requests. */
export function withProfile(model: Model, settings: Pick<SettingView, "get">): Model {
  const keepAlive = settings.get("local.keepAlive");
  if (keepAlive === undefined || model.api !== "ollama-chat" || model.compat?.keepAlive !== undefined) return model;
  return { ...model, compat: { ...model.compat, keepAlive } };
}
