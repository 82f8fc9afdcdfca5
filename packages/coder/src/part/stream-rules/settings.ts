import { always, choiceOf, integer, settingGroup, texts, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Stream rules" })({
  "ttsr.enabled": {
    ...toggle(true),
    applies: "turn",
    about: "Whether rules with a condition watch what the model says; off, they are told like other rules.",
  },
  "ttsr.contextMode": {
    ...choiceOf(["discard", "keep"], "discard"),
    applies: "turn",
    harmless: always,
    about: "Whether the model sees again what it had said of an answer that a rule stopped.",
  },
  "ttsr.interruptMode": {
    ...choiceOf(["always", "prose-only", "tool-only", "never"], "always"),
    applies: "turn",
    harmless: always,
    about: "Which answers a rule stops at once, where it does not say that itself; others are reminded afterwards.",
  },
  "ttsr.repeatMode": {
    ...choiceOf(["once", "after-gap"], "once"),
    applies: "turn",
    harmless: always,
    about: "Whether the model is reminded of a rule once in a session, or again after ttsr.repeatGap.",
  },
  "ttsr.repeatGap": {
    ...integer(1, 100_000, 10),
    applies: "turn",
    harmless: always,
    about: "After how many answers of the model a rule counts again.",
  },
  "ttsr.builtinRules": { ...toggle(true), about: "Whether the rules that pith brings count." },
  "ttsr.disabledRules": {
    ...texts("names of rules", "the user"),
    about: "Rules that do not count, whoever brings them.",
  },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
