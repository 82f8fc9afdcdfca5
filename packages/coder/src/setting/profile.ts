import type { ProfileName } from "@pith/llm";
import type { Value, Values } from "./schema.ts";

/** Defaults for a kind of model. */
export interface Profile {
  /** Settings, weaker than any that somebody has set. */
  settings: Values;
  /** Selects the system prompt. */
  words: "usual" | "local" | "orchestrator";
  /** Says whether the prompt describes the project. */
  project: "told" | "left out";
  /** Selects long or short descriptions of tools. */
  texts: "full" | "short";
}

/** Settings for models that forget, repeat themselves and stop too early. */
const guided: Values = {
  "local.packets": true,
  "local.completion": true,
  "local.guards": true,
  "local.keepAlive": "30m",
  "dispatch.enabled": true,
  "subagents.parallel": 1,
};

const profiles: Readonly<Record<ProfileName, Profile>> = {
  default: { settings: {}, words: "usual", project: "told", texts: "full" },
  // A small model copies text more surely than it keeps line numbers and tags.
  local: {
    settings: {
      ...guided,
      "edit.mode": "replace",
      "tools.essentialOverride": "read, write, edit, bash, search, find",
      "turns.max": 50,
    },
    words: "local",
    project: "told",
    texts: "short",
  },
  orchestrator: {
    settings: {
      ...guided,
      "edit.mode": "replace",
      "tools.essentialOverride": "write, bash, run_subagent",
      "dispatch.routes": true,
      "orchestrator.review": true,
      "turns.max": 25,
    },
    words: "orchestrator",
    project: "left out",
    texts: "short",
  },
};

/** Returns the settings of a profile; `auto` counts as the default one. */
export const settingsBelow = (profile: Value<"profile">): Values => profileNamed(profile).settings;

/** Returns the profile of settings. */
export const profileIn = (settings: { get(key: "profile"): Value<"profile"> }): Profile =>
  profileNamed(settings.get("profile"));

const profileNamed = (name: Value<"profile">): Profile => profiles[name === "auto" ? "default" : name];
