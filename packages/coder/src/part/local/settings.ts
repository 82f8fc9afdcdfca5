import { always, freeText, settingGroup, toggle } from "../../setting/spec.ts";

/** Settings that make small models finish their work. The profiles local and orchestrator have them on. */
export const settings = settingGroup({ tab: "model", group: "Small models", applies: "turn", trusted: always })({
  "local.packets": {
    ...toggle(false),
    about: "Whether the model is told after every step where it stands; on with the profiles local and orchestrator.",
  },
  "local.completion": {
    ...toggle(false),
    about:
      "Whether the model has to say that it is done, and is asked to go on where it does not; on with the profiles local and orchestrator.",
  },
  "local.guards": {
    ...toggle(false),
    about:
      "Whether calls that repeat what was just answered, and more of them than one reply should have, are answered without being run; on with the profiles local and orchestrator.",
  },
  "local.keepAlive": {
    ...freeText(),
    about:
      "How long an Ollama server keeps the model in memory after an answer (`30m`, `-1` for ever); unset is the server's own. 30m with the profiles local and orchestrator; compat.keepAlive in models.yml wins.",
  },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
