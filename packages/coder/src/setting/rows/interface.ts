import { always, choiceOf, freeText, integer, settingGroup, toggle } from "../spec.ts";

/** Look and behaviour of the full screen. */
export const interfaceSettings = {
  ...settingGroup({ tab: "display", group: "Theme", applies: "now" })({
    "theme.dark": {
      ...freeText("titanium"),
      about: "The theme on dark grounds: a built-in one, or a file of that name in the folder themes.",
    },
    "theme.light": { ...freeText("light"), about: "The theme on light grounds." },
    symbolPreset: {
      ...choiceOf(["unicode", "nerd", "ascii"]),
      about: "Which signs are drawn; unset is what the theme says.",
    },
    colorBlindMode: { ...toggle(false), about: "Blue and orange in the place of green and red, in every theme." },
  }),
  ...settingGroup({ tab: "display", group: "Panels", applies: "now", harmless: always })({
    "statusLine.segments": {
      ...freeText("model thinking mode path git context cost jobs agents"),
      about:
        "What the status line shows, in this order: model, thinking, mode, path, git, context, cost, jobs, agents.",
    },
  }),
  ...settingGroup({ tab: "session", group: "Screen", harmless: always })({
    doubleEscapeAction: {
      ...choiceOf(["tree", "branch", "none"], "tree"),
      about:
        "What Escape does when it is pressed twice and nothing is typed: the tree of the session, a branch, nothing.",
    },
    "editor.vim": { ...toggle(false), about: "Whether what is typed is edited as in vim." },
    "transcript.replayRows": {
      ...integer(100, 1_000_000, 10_000),
      about: "How many rows of the conversation are written again when the window has another size.",
    },
    "transcript.thinking": {
      ...choiceOf(["brief", "whole"], "brief"),
      about: "What is shown of what the model thinks: one line, or all of it (Ctrl+T changes it).",
    },
    notifications: {
      ...toggle(true),
      about: "Whether you are called when a turn ends or a question waits while you look elsewhere.",
    },
  }),
};
