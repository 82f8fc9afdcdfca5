import { always, choiceOf, freeText, integer, manyIn, settingGroup, toggle } from "../spec.ts";

/** Look and behaviour of the full screen. */
export const interfaceSettings = {
  ...settingGroup({ tab: "display", group: "Theme", applies: "now" })({
    "theme.dark": {
      ...freeText("titanium"),
      about: "The theme on a dark background: a built-in one, or a file of that name in the folder themes.",
    },
    "theme.light": { ...freeText("light"), about: "The theme on a light background." },
    symbolPreset: {
      ...choiceOf(["unicode", "nerd", "ascii"]),
      about: "The symbols to draw; unset is the choice of the theme.",
    },
    colorBlindMode: { ...toggle(false), about: "Uses blue and orange in place of green and red, in every theme." },
  }),
  ...settingGroup({ tab: "display", group: "Panels", applies: "now", harmless: always })({
    "statusLine.segments": {
      ...manyIn(", ", "model thinking mode path git context cost jobs agents"),
      about:
        "Segments of the status line in their order: model, thinking, mode, path, git, context, cost, jobs, agents.",
    },
  }),
  ...settingGroup({ tab: "session", group: "Screen", harmless: always })({
    doubleEscapeAction: {
      ...choiceOf(["tree", "branch", "none"], "tree"),
      about: "What pressing Escape twice does while nothing is typed: the tree of the session, a branch, or nothing.",
    },
    "editor.vim": { ...toggle(false), about: "Edits input as in vim." },
    "transcript.replayRows": {
      ...integer(100, 1_000_000, 10_000),
      about: "Rows of the conversation that are written again when the window is resized.",
    },
    "transcript.thinking": {
      ...choiceOf(["brief", "whole"], "brief"),
      about: "Shows the model's thinking in one line, or all of it (Ctrl+T changes it).",
    },
    notifications: {
      ...toggle(true),
      about: "Notifies you of the end of a turn or a question while you look elsewhere.",
    },
  }),
};
