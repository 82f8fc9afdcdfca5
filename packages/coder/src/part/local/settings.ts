import { always, freeText, settingGroup, toggle } from "../../setting/spec.ts";

/** Settings that make small models finish their work. The profiles local and orchestrator have them on. */
export const settings = settingGroup({ tab: "model", group: "Small models", applies: "turn", trusted: always })({
  "local.packets": {
    ...toggle(false),
    about: "Reminds the model after every step of what it has done; on with the profiles local and orchestrator.",
  },
  "local.completion": {
    ...toggle(false),
    about:
      "Makes the model say that it is done, and asks it to go on otherwise; on with the profiles local and orchestrator.",
  },
  "local.guards": {
    ...toggle(false),
    about:
      "Answers repeated calls, and too many calls in one reply, without running them; on with the profiles local and orchestrator.",
  },
  "local.keepAlive": {
    ...freeText(),
    about:
      "How long an Ollama server keeps the model in memory after an answer (`30m`, `-1` for ever); unset is the server's default, and 30m with the profiles local and orchestrator. compat.keepAlive in models.yml wins.",
  },
});
