import { always, type Spec } from "../spec.ts";

/** How things look. */
export const displaySettings = {
  "theme.dark": {
    type: "text",
    default: "titanium",
    applies: "now",
    tab: "display",
    group: "Theme",
    about: "The theme on dark grounds: a built-in one, or a file of that name in the folder themes.",
  },
  "theme.light": {
    type: "text",
    default: "light",
    applies: "now",
    tab: "display",
    group: "Theme",
    about: "The theme on light grounds.",
  },
  symbolPreset: {
    type: "choice",
    values: ["unicode", "nerd", "ascii"],
    default: undefined,
    applies: "now",
    tab: "display",
    group: "Theme",
    about: "Which signs are drawn; unset is what the theme says.",
  },
  colorBlindMode: {
    type: "switch",
    default: false,
    applies: "now",
    tab: "display",
    group: "Theme",
    about: "Blue and orange in the place of green and red, in every theme.",
  },
  "tasks.todoClearDelay": {
    type: "number",
    min: -1,
    max: 86_400,
    default: 60,
    harmless: always,
    applies: "now",
    tab: "display",
    group: "Panels",
    about: "Seconds after which closed tasks leave the panel; 0 is at once, below 0 never.",
  },
  "statusLine.segments": {
    type: "text",
    default: "model thinking mode path git context cost jobs agents",
    harmless: always,
    applies: "now",
    tab: "display",
    group: "Panels",
    about: "What the status line shows, in this order: model, thinking, mode, path, git, context, cost, jobs, agents.",
  },
} as const satisfies Record<string, Spec>;
