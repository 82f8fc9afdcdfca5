import { always, choiceOf, integer, settingGroup, toggle, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("read", "write", "edit"),
  ...settingGroup({ tab: "tools", group: "Read", harmless: always })({
    "read.defaultLimit": {
      ...integer(1, 1000, 1000),
      applies: "turn",
      about: "Lines that a read without a range shows.",
    },
    "read.summarize.enabled": {
      ...toggle(true),
      about: "Shows long code without the bodies of its functions.",
    },
    readHashLines: { ...toggle(true), about: "Shows lines with numbers and a tag that an edit refers to." },
    readLineNumbers: { ...toggle(true), about: "Shows line numbers where lines have no tag." },
  }),
  ...settingGroup({ tab: "tools", group: "Edit" })({
    "edit.mode": {
      ...choiceOf(["hashline", "replace", "patch", "apply_patch"], "hashline"),
      harmless: always,
      about:
        "How the model writes edits: by line numbers, by text, as a unified diff, or as a patch; unset is hashline, and apply_patch for models that write patches without JSON.",
    },
    "edit.apply": {
      ...choiceOf(["each", "all"], "each"),
      harmless: always,
      about: "For apply_patch: each keeps the hunks before a failing one, all applies all or none.",
    },
    "edit.finalNewline": {
      ...choiceOf(["add", "keep"], "add"),
      harmless: always,
      about: "For apply_patch: add ends a file with a newline, keep leaves a missing one.",
    },
    "edit.generated": {
      ...choiceOf(["refuse", "allow"], "refuse"),
      trusted: always,
      about: "Allows edits of files that say they are generated.",
    },
    "edit.check": {
      ...choiceOf(["syntax", "nothing"], "syntax"),
      harmless: always,
      about: "The check after an edit: new syntax errors are reported, never blocked.",
    },
  }),
};
