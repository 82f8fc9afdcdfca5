import { always, choiceOf, integer, settingGroup, texts, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Stream rules" })({
  "ttsr.enabled": {
    ...toggle(true),
    applies: "turn",
    about: "Checks rules with a condition against the model's output; off: they are in the prompt like other rules.",
  },
  "ttsr.contextMode": {
    ...choiceOf(["discard", "keep"], "discard"),
    applies: "turn",
    harmless: always,
    about: "Keeps (keep) or removes (discard) the stopped answer from what the model sees next.",
  },
  "ttsr.interruptMode": {
    ...choiceOf(["always", "prose-only", "tool-only", "never"], "always"),
    applies: "turn",
    harmless: always,
    about:
      "Output that rules stop at once, unless a rule says otherwise; in other cases the model is reminded afterwards.",
  },
  "ttsr.repeatMode": {
    ...choiceOf(["once", "after-gap"], "once"),
    applies: "turn",
    harmless: always,
    about: "Reminds the model of a rule once in a session, or again after ttsr.repeatGap.",
  },
  "ttsr.repeatGap": {
    ...integer(1, 100_000, 10),
    applies: "turn",
    harmless: always,
    about: "Answers of the model after which a rule counts again.",
  },
  "ttsr.builtinRules": { ...toggle(true), about: "Uses pith's built-in rules." },
  "ttsr.disabledRules": {
    ...texts("names of rules", "the user"),
    about: "Rules that are not used, from any source.",
  },
});
