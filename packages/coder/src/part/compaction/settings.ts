import { always, choiceOf, freeText, integer, settingGroup, texts, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "session", group: "Compaction" })({
  "compaction.enabled": {
    ...toggle(true),
    applies: "now",
    harmless: always,
    about:
      "Whether a conversation that fills the model's window is made shorter by itself; /compact does it in any case.",
  },
  "compaction.strategy": {
    ...choiceOf(["context-full", "handoff", "shake", "snapcompact", "off"], "context-full"),
    applies: "now",
    harmless: always,
    about:
      "How: by a summary (context-full), by leaving out old output of tools (shake), by pictures of what was said (snapcompact), by going on in a new session (handoff), or not at all.",
  },
  "compaction.thresholdPercent": {
    ...integer(-1, 100, -1),
    applies: "now",
    harmless: always,
    about: "How full the window may be, in percent; -1 leaves it to the reserve.",
  },
  "compaction.thresholdTokens": {
    ...integer(-1, 100_000_000, -1),
    applies: "now",
    harmless: always,
    about: "How long a request may be, in tokens; -1 leaves it to the percentage or the reserve.",
  },
  "compaction.reserveTokens": {
    ...integer(0, 10_000_000, 16_384),
    applies: "now",
    harmless: always,
    about:
      "What is left free of the window, and never less than 15 % of it; the default is at most a quarter of the window, a set one 60 %.",
  },
  "compaction.keepRecentTokens": {
    ...integer(0, 10_000_000, 20_000),
    applies: "now",
    harmless: always,
    about: "How much of the end of the conversation stays as it is; at most 40 % of the room for it.",
  },
  "compaction.autoContinue": {
    ...toggle(true),
    applies: "now",
    harmless: always,
    about: "Whether the model is told to go on where work was cut or tasks are open.",
  },
  "compaction.model": {
    ...freeText(),
    applies: "now",
    trusted: always,
    about: "The model that writes summaries; unset, or when it fails, the present one, roles.smol and the fallbacks.",
  },
  "compaction.remoteEnabled": {
    ...toggle(true),
    applies: "now",
    about: "Whether the endpoint is asked for summaries, where one is set, and OpenAI for one of its own.",
  },
  "compaction.remoteEndpoint": {
    ...freeText(),
    applies: "now",
    about:
      "A server that is asked for summaries before any model: it is sent `{systemPrompt, prompt}` and answers `{summary}`. Only in your own settings.",
  },
  "compaction.promote": {
    ...texts("models (`vendor/id`)", "the user"),
    applies: "now",
    about:
      "Models with a larger window that take over before anything is summed up, until it fits the chosen one again.",
  },
  "compaction.idleEnabled": {
    ...toggle(false),
    trusted: always,
    about: "Whether a long conversation is made shorter while nobody says anything.",
  },
  "compaction.idleThresholdTokens": {
    ...integer(0, 100_000_000, 200_000),
    trusted: always,
    about: "How long it must be for that.",
  },
  "compaction.idleTimeoutSeconds": {
    ...integer(0, 86_400, 300),
    trusted: always,
    about: "How long nothing must have been said for that.",
  },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
