import { always, choiceOf, freeText, integer, settingGroup, texts, toggle } from "../../setting/spec.ts";

const shared = { tab: "session", group: "Compaction" } as const;

export const settings = {
  ...settingGroup({ ...shared, applies: "now", harmless: always })({
    "compaction.enabled": {
      ...toggle(true),
      about: "Compacts a conversation when it fills the model's window; /compact does so at any time.",
    },
    "compaction.strategy": {
      ...choiceOf(["context-full", "handoff", "shake", "snapcompact", "off"], "context-full"),
      about:
        "How a conversation is shortened: by a summary (context-full), without old output of tools (shake), by pictures of messages (snapcompact), in a new session (handoff), or not at all.",
    },
    "compaction.thresholdPercent": {
      ...integer(-1, 100, -1),
      about: "Percentage of the window that may be used; -1: decided by the reserve.",
    },
    "compaction.thresholdTokens": {
      ...integer(-1, 100_000_000, -1),
      about: "Tokens that a request may have; -1: decided by the percentage or the reserve.",
    },
    "compaction.reserveTokens": {
      ...integer(0, 10_000_000, 16_384),
      about:
        "Tokens that are kept free, at least 15 % of the window; the default takes at most a quarter of the window, a value of yours 60 %.",
    },
    "compaction.keepRecentTokens": {
      ...integer(0, 10_000_000, 20_000),
      about: "Tokens at the end of the conversation that are not compacted, at most 40 % of the room.",
    },
    "compaction.autoContinue": {
      ...toggle(true),
      about: "Tells the model to continue when work was interrupted or tasks are open.",
    },
  }),
  ...settingGroup({ ...shared, applies: "now" })({
    "compaction.model": {
      ...freeText(),
      trusted: always,
      about: "The model that writes summaries; unset, or when it fails: the current one, roles.smol and the fallbacks.",
    },
    "compaction.remoteEnabled": {
      ...toggle(true),
      about: "Gets summaries from compaction.remoteEndpoint, and from OpenAI in its own format.",
    },
    "compaction.remoteEndpoint": {
      ...freeText(),
      about:
        "A server that is asked for summaries before any model: it is sent `{systemPrompt, prompt}` and answers `{summary}`. Only in your own settings.",
    },
    "compaction.promote": {
      ...texts("models (`vendor/id`)", "the user"),
      about:
        "Models with a larger window that take over before the conversation is shortened, until it fits the chosen model again.",
    },
  }),
  ...settingGroup({ ...shared, trusted: always })({
    "compaction.idleEnabled": { ...toggle(false), about: "Compacts a long conversation while you are idle." },
    "compaction.idleThresholdTokens": {
      ...integer(0, 100_000_000, 200_000),
      about: "Size in tokens from which an idle conversation is compacted.",
    },
    "compaction.idleTimeoutSeconds": {
      ...integer(0, 86_400, 300),
      about: "Seconds without input after which a long conversation is compacted.",
    },
  }),
};
