import { always, choiceOf, integer, settingGroup, texts, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Stream rules" })({
  "ttsr.enabled": {
    ...toggle(true),
    applies: "turn",
    about: "Lets rules with a condition watch the model's output; off, they are told like other rules.",
  },
  "ttsr.contextMode": {
    ...choiceOf(["discard", "keep"], "discard"),
    applies: "turn",
    harmless: always,
    about: "Shows the model its answer that a rule stopped (keep), or not (discard).",
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
  "ttsr.builtinRules": { ...toggle(true), about: "Uses the rules that pith brings." },
  "ttsr.disabledRules": {
    ...texts("names of rules", "the user"),
    about: "Rules that are not used, whoever brings them.",
  },
});
