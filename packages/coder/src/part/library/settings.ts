import { always, settingGroup, texts, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "tools", group: "Sources", applies: "turn" })({
  "sources.disabled": {
    ...texts("sources (`claude`, `cursor:project`)", "a project too"),
    harmless: Array.isArray,
    about: "Whose configuration is not read (pith doctor names them).",
  },
  "skills.include": {
    ...texts("patterns of names", "a project too"),
    harmless: Array.isArray,
    about: "Only skills whose names match one of these, as git-*.",
  },
  "skills.ignore": {
    ...texts("patterns of names", "a project too"),
    harmless: Array.isArray,
    about: "No skills whose names match one of these.",
  },
  "skills.folders": {
    ...texts("folders", "the user"),
    about: "Further folders of skills of yours; each skill is a folder with a SKILL.md.",
  },
  "skills.commands": { ...toggle(true), harmless: always, about: "Whether every skill is a command, /skill:<name>." },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
