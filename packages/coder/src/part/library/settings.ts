import { always, settingGroup, texts, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "tools", group: "Sources", applies: "turn" })({
  "sources.disabled": {
    ...texts("sources (`claude`, `cursor:project`)", "a project too"),
    harmless: Array.isArray,
    about: "Sources whose configuration is ignored; pith doctor lists them.",
  },
  "skills.include": {
    ...texts("patterns of names", "a project too"),
    harmless: Array.isArray,
    about: "Uses only skills whose names match one of these, as git-*.",
  },
  "skills.ignore": {
    ...texts("patterns of names", "a project too"),
    harmless: Array.isArray,
    about: "Skills that are not used, by patterns of names.",
  },
  "skills.folders": {
    ...texts("folders", "the user"),
    about: "More folders with your skills; each skill is a folder with a SKILL.md.",
  },
  "skills.commands": { ...toggle(true), harmless: always, about: "Makes every skill a command, /skill:<name>." },
});
