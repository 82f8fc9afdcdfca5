import type { Script } from "../script.ts";

/** Says what it was told; for quick checks of everything around a model. */
export const echo: Script = { name: "Echo (scripted)", turns: [{ text: "{{user}}" }], after: "repeat-last" };
