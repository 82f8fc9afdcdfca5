import { integer, settingGroup, texts, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "tools", group: "Extensions", applies: "turn" })({
  "hooks.enabled": {
    ...toggle(true),
    about: "Asks the hooks of hooks.yml, Claude Code and Codex; counts from the next session on.",
  },
  "tools.directBytes": {
    ...integer(0, 1_000_000, 6000),
    about: "Bytes of definitions of your own tools that the model is told at once; it finds the others by searching.",
  },
  "hooks.disabled": {
    ...texts("hooks", "the user"),
    about: "Hooks that are not asked, by their command, name, file or event.",
  },
});
