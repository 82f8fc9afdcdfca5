import { always, choiceOf, freeText, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "tools", group: "Discovery", harmless: always })({
  "tools.discoveryMode": {
    ...choiceOf(["auto", "all", "mcp-only", "off"], "auto"),
    about:
      "Which tools the model finds by search_tool_bm25 instead of being told of them: auto and all, every one but those it begins with; mcp-only, those that pith does not bring itself; off, none. With the profile local, auto leaves the search out too.",
  },
  "tools.essentialOverride": {
    ...freeText(),
    about:
      "The tools that the model begins with, separated by commas; unset is read, write, edit, bash, search, find, todo, job, search_tool_bm25, and ask where somebody can answer; with the profile local the first six.",
  },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
