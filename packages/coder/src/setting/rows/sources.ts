import { always, type Spec, texts } from "../spec.ts";

/** Whose configuration is read, and which of their skills. */
export const sourceSettings = {
  "sources.disabled": {
    ...texts("sources (`claude`, `cursor:project`)", "a project too"),
    applies: "turn",
    harmless: Array.isArray,
    tab: "tools",
    group: "Sources",
    about: "Whose configuration is not read (pith doctor names them).",
  },
  "skills.include": {
    ...texts("patterns of names", "a project too"),
    applies: "turn",
    harmless: Array.isArray,
    tab: "tools",
    group: "Sources",
    about: "Only skills whose names match one of these, as git-*.",
  },
  "skills.ignore": {
    ...texts("patterns of names", "a project too"),
    applies: "turn",
    harmless: Array.isArray,
    tab: "tools",
    group: "Sources",
    about: "No skills whose names match one of these.",
  },
  "skills.folders": {
    ...texts("folders", "the user"),
    applies: "turn",
    tab: "tools",
    group: "Sources",
    about: "Further folders of skills of yours; each skill is a folder with a SKILL.md.",
  },
  "skills.commands": {
    type: "switch",
    applies: "turn",
    default: true,
    harmless: always,
    tab: "tools",
    group: "Sources",
    about: "Whether every skill is a command, /skill:<name>.",
  },
} as const satisfies Record<string, Spec>;
