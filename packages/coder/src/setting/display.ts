import type { Spec } from "./spec.ts";

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
} as const satisfies Record<string, Spec>;
