import type { ProfileName } from "@pith/llm";
import type { Value, Values } from "./schema.ts";

/** How a kind of model is worked with. */
export interface Profile {
  /** Weaker than what anybody set. */
  settings: Values;
  /** Which folder of prompts the system prompt is taken from. */
  words: "usual" | "local" | "orchestrator";
  /** Whether the model is told of the project: its instructions and what stands in it. */
  project: "told" | "left out";
  /** How much is said of each tool. */
  texts: "full" | "short";
}

/** What helps a model that forgets, repeats itself and stops too early. */
const held: Values = {
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
      ...held,
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
      ...held,
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

/** Where nobody asks a model, `auto` is what most are. */
export const settingsBelow = (profile: Value<"profile">): Values => profileNamed(profile).settings;

/** The profile through which settings are read. */
export const profileIn = (settings: { get(key: "profile"): Value<"profile"> }): Profile =>
  profileNamed(settings.get("profile"));

const profileNamed = (name: Value<"profile">): Profile => profiles[name === "auto" ? "default" : name];
