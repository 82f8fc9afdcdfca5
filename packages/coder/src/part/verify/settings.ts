import { always, freeText, integer, settingGroup, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Checks", applies: "turn" })({
  "verify.enabled": {
    ...toggle(true),
    harmless: (value) => value === true,
    about: "Whether what the model changed is checked when it stops: syntax errors, and verify.command.",
  },
  "verify.command": {
    ...freeText(),
    trusted: always,
    about: "A command that checks the work when files were changed; unset, one of the project is asked about once.",
  },
  "verify.timeout": { ...integer(1, 3600, 120), harmless: always, about: "Seconds that verify.command may take." },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
