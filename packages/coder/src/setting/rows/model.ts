import { always, choiceOf, freeText, integer, settingGroup, texts } from "../spec.ts";

export const modelSettings = {
  ...settingGroup({ tab: "model", group: "Model" })({
    model: { ...freeText(), trusted: always, about: "The model to talk to, as vendor/id." },
    thinking: {
      ...choiceOf(["off", "minimal", "low", "medium", "high", "xhigh"]),
      applies: "turn",
      harmless: always,
      about: "How long the model thinks before it answers; unset leaves it to the model.",
    },
    profile: {
      ...choiceOf(["auto", "default", "local", "orchestrator"], "auto"),
      trusted: always,
      about:
        "How a kind of model is worked with: local is for small ones, orchestrator hands work to others that only look; auto is local for models of at most 40 billion parameters on a server of one's own, as far as models.yml says nothing else of one.",
    },
    localModels: {
      ...texts("patterns of models (`ollama/*`)", "a project too"),
      applies: "turn",
      harmless: Array.isArray,
      about: "Models that are asked by the profile local, where profile is auto; who is asked may change in a session.",
    },
  }),
  ...settingGroup({ tab: "model", group: "Roles", trusted: always })({
    "roles.smol": { ...freeText(), about: "The model for small work (the role smol); unset is the usual one." },
    "roles.slow": { ...freeText(), about: "The model for hard work (the role slow); unset is the usual one." },
    "roles.plan": { ...freeText(), about: "The model for planning (the role plan); unset is the usual one." },
    "roles.explore": {
      ...freeText(),
      about: "The model that sub-agents ask (the role explore); unset is the one of their conversation.",
    },
  }),
  ...settingGroup({ tab: "model", group: "Stream", trusted: always })({
    "stream.firstEventTimeoutMs": {
      ...integer(0, 2_147_483_647),
      about:
        "How long a model may say nothing at first; unset is 120000, 600000 on this machine or its network; 0 is for ever.",
    },
    "stream.idleTimeoutMs": {
      ...integer(0, 2_147_483_647, 120_000),
      about: "How long a model may fall silent in the middle of an answer; 0 is for ever.",
    },
  }),
};
