import { always, choiceOf, integer, settingGroup, toggle, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("read", "write", "edit"),
  ...settingGroup({ tab: "tools", group: "Read", harmless: always })({
    "read.defaultLimit": {
      ...integer(1, 1000, 1000),
      applies: "turn",
      about: "Lines that a read without a range brings.",
    },
    "read.summarize.enabled": {
      ...toggle(true),
      about: "Whether long code is shown without the bodies of its functions.",
    },
    readHashLines: { ...toggle(true), about: "Whether lines are shown with numbers and a tag that an edit refers to." },
    readLineNumbers: { ...toggle(true), about: "Whether lines are numbered where they have no tag." },
  }),
  ...settingGroup({ tab: "tools", group: "Edit" })({
    "edit.mode": {
      ...choiceOf(["hashline", "replace", "patch", "apply_patch"], "hashline"),
      harmless: always,
      about:
        "How the model says an edit: by line numbers, by text, by a unified diff, or by a patch; unless it is set, a model that writes patches without JSON gets apply_patch.",
    },
    "edit.apply": {
      ...choiceOf(["each", "all"], "each"),
      harmless: always,
      about: "Of apply_patch: each keeps the hunks before a failing one, all makes all or none.",
    },
    "edit.finalNewline": {
      ...choiceOf(["add", "keep"], "add"),
      harmless: always,
      about: "Of apply_patch: add gives a file that ends without a newline one, keep leaves it.",
    },
    "edit.generated": {
      ...choiceOf(["refuse", "allow"], "refuse"),
      trusted: always,
      about: "Whether files that say they are generated may be edited.",
    },
    "edit.check": {
      ...choiceOf(["syntax", "nothing"], "syntax"),
      harmless: always,
      about: "What is checked after an edit: new syntax errors are named, never blocked.",
    },
  }),
};

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
