import { always, type Spec } from "./spec.ts";

/** Whose configuration is read, and which of their skills. */
export const sourceSettings = {
  "sources.disabled": {
    type: "text",
    applies: "turn",
    default: undefined,
    harmless: always,
    tab: "tools",
    group: "Sources",
    about: "Whose configuration is not read, by commas: claude, cursor:project, codex:user (pith doctor names them).",
  },
  "skills.include": {
    type: "text",
    applies: "turn",
    default: undefined,
    harmless: always,
    tab: "tools",
    group: "Sources",
    about: "Only skills whose names match one of these, by commas: git-*.",
  },
  "skills.ignore": {
    type: "text",
    applies: "turn",
    default: undefined,
    harmless: always,
    tab: "tools",
    group: "Sources",
    about: "No skills whose names match one of these, by commas.",
  },
  "skills.folders": {
    type: "text",
    applies: "turn",
    default: undefined,
    tab: "tools",
    group: "Sources",
    about: "Further folders of skills of yours, by commas; each skill is a folder with a SKILL.md.",
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
