import { always, choiceOf, freeText, integer, settingGroup, texts } from "../spec.ts";

export const modelSettings = {
  ...settingGroup({ tab: "model", group: "Model" })({
    model: { ...freeText(), trusted: always, about: "The model to ask, as vendor/id." },
    thinking: {
      ...choiceOf(["off", "minimal", "low", "medium", "high", "xhigh"]),
      applies: "turn",
      harmless: always,
      about: "Effort of the model; unset leaves it to the model.",
    },
    profile: {
      ...choiceOf(["auto", "default", "local", "orchestrator"], "auto"),
      trusted: always,
      about:
        "Defaults for a kind of model: local for small models, orchestrator for models that only delegate work; auto is local for models of at most 40 billion parameters on your own server, unless models.yml says otherwise.",
    },
    localModels: {
      ...texts("patterns of models (`ollama/*`)", "a project too"),
      applies: "turn",
      harmless: Array.isArray,
      about: "Models that get the profile local while profile is auto, by patterns of names.",
    },
  }),
  ...settingGroup({ tab: "model", group: "Roles", trusted: always })({
    "roles.smol": { ...freeText(), about: "The model for small work (the role smol); unset is the usual one." },
    "roles.slow": { ...freeText(), about: "The model for hard work (the role slow); unset is the usual one." },
    "roles.plan": { ...freeText(), about: "The model for planning (the role plan); unset is the usual one." },
    "roles.explore": {
      ...freeText(),
      about: "The model of sub-agents (the role explore); unset is that of their conversation.",
    },
  }),
  ...settingGroup({ tab: "model", group: "Stream", trusted: always })({
    "stream.firstEventTimeoutMs": {
      ...integer(0, 2_147_483_647),
      about:
        "Timeout until a model begins to answer; unset is 120000, and 600000 on this machine or its network; 0 is none.",
    },
    "stream.idleTimeoutMs": {
      ...integer(0, 2_147_483_647, 120_000),
      about: "Timeout while a model is silent within an answer; 0 is none.",
    },
  }),
};
