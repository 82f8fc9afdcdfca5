import { always, freeText, integer, settingGroup, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Checks", applies: "turn" })({
  "verify.enabled": {
    ...toggle(true),
    harmless: (value) => value === true,
    about: "Checks changed files when the model stops: syntax errors, and verify.command.",
  },
  "verify.command": {
    ...freeText(),
    trusted: always,
    about:
      "A command that checks the work after files were changed; unset, you are asked once about one of the project.",
  },
  "verify.timeout": { ...integer(1, 3600, 120), harmless: always, about: "Timeout of verify.command in seconds." },
});
