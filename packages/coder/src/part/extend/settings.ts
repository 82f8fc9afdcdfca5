import { settingGroup, texts, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "tools", group: "Extensions", applies: "turn" })({
  "hooks.enabled": {
    ...toggle(true),
    about: "Asks the hooks of hooks.yml, Claude Code and Codex; counts from the next session on.",
  },
  "hooks.disabled": {
    ...texts("hooks", "the user"),
    about: "Hooks that are not asked, by their command, name, file or event.",
  },
});
