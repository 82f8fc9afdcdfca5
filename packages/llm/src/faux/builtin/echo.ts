import type { Script } from "../script.ts";

/** Repeats the prompt; for quick checks of everything around a model. */
export const echo: Script = { name: "Echo (scripted)", turns: [{ text: "{{user}}" }], after: "repeat-last" };
