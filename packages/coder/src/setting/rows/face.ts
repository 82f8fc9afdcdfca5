import { always, type Spec } from "../spec.ts";

/** How the full screen behaves. */
export const faceSettings = {
  doubleEscapeAction: {
    type: "choice",
    values: ["tree", "branch", "none"],
    default: "tree",
    harmless: always,
    tab: "session",
    group: "Screen",
    about:
      "What Escape does when it is pressed twice and nothing is typed: the tree of the session, a branch, nothing.",
  },
  "editor.vim": {
    type: "switch",
    default: false,
    harmless: always,
    tab: "session",
    group: "Screen",
    about: "Whether what is typed is edited as in vim.",
  },
  "transcript.replayRows": {
    type: "number",
    min: 100,
    max: 1_000_000,
    default: 10_000,
    harmless: always,
    tab: "session",
    group: "Screen",
    about: "How many rows of the conversation are written again when the window has another size.",
  },
  "transcript.thinking": {
    type: "choice",
    values: ["brief", "whole"],
    default: "brief",
    harmless: always,
    tab: "session",
    group: "Screen",
    about: "What is shown of what the model thinks: one line, or all of it (Ctrl+T changes it).",
  },
  notifications: {
    type: "switch",
    default: true,
    harmless: always,
    tab: "session",
    group: "Screen",
    about: "Whether you are called when a turn ends or a question waits while you look elsewhere.",
  },
} as const satisfies Record<string, Spec>;
