import type { Spec } from "../spec.ts";

/** What undo covers, and how much it keeps. */
export const undoSettings = {
  "undo.enabled": {
    type: "switch",
    default: true,
    harmless: (value) => value === true,
    tab: "safety",
    group: "Undo",
    about: "Whether what the model does to the work tree can be taken back.",
  },
  "undo.cover": {
    type: "choice",
    values: ["everything", "own writes"],
    default: "everything",
    tab: "safety",
    group: "Undo",
    about: "What undo covers: everything below the project, or only what tools themselves write.",
  },
  "undo.maxFileMB": {
    type: "number",
    min: 1,
    max: 10_000,
    default: 50,
    tab: "safety",
    group: "Undo",
    about: "Larger files are not covered by undo.",
  },
  "undo.maxIgnoredKB": {
    type: "number",
    min: 0,
    max: 10_000_000,
    default: 1024,
    tab: "safety",
    group: "Undo",
    about: "Larger files that git ignores are not covered by undo.",
  },
  "undo.keepDays": {
    type: "number",
    min: 1,
    max: 3650,
    default: 14,
    tab: "safety",
    group: "Undo",
    about: "How long a turn can be taken back.",
  },
  "undo.maxStoreMB": {
    type: "number",
    min: 10,
    max: 1_000_000,
    default: 2000,
    tab: "safety",
    group: "Undo",
    about: "What undo may take of the disk, per project.",
  },
} as const satisfies Record<string, Spec>;
