import { always, choiceOf, manyIn, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "tools", group: "Discovery", harmless: always })({
  "tools.discoveryMode": {
    ...choiceOf(["auto", "all", "mcp-only", "off"], "auto"),
    about:
      "Tools that the model is not told of, but finds by load_tools: all but the first ones (auto, all), those that pith does not bring itself (mcp-only), or none (off). With the profile local, auto leaves out the search, too.",
  },
  "tools.essentialOverride": {
    ...manyIn(", "),
    about:
      "Tools that the model begins with, separated by commas; unset is read, write, edit, bash, search, find, todo, job, load_tools, and ask where somebody can answer; the first six with the profile local.",
  },
});
