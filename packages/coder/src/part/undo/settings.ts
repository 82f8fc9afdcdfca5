import { choiceOf, integer, settingGroup, toggle } from "../../setting/spec.ts";

/** Extent of undo, and how much it keeps. */
export const settings = settingGroup({ tab: "safety", group: "Undo" })({
  "undo.enabled": {
    ...toggle(true),
    harmless: (value) => value === true,
    about: "Lets you undo changes of the model to the work tree.",
  },
  "undo.cover": {
    ...choiceOf(["everything", "own writes"], "everything"),
    about: "What undo covers: everything below the project, or only what tools themselves write.",
  },
  "undo.maxFileMB": { ...integer(1, 10_000, 50), about: "Larger files are not covered by undo." },
  "undo.maxIgnoredKB": {
    ...integer(0, 10_000_000, 1024),
    about: "Larger files that git ignores are not covered by undo.",
  },
  "undo.keepDays": { ...integer(1, 3650, 14), about: "Days after which a turn can no longer be undone." },
  "undo.maxStoreMB": { ...integer(10, 1_000_000, 2000), about: "Disk space of undo, per project." },
});
