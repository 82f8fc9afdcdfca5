import { matchesGlob, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { Trust } from "../policy/trust/trust.ts";
import { repositoryRoot } from "../setting/repository.ts";
import type { SettingView } from "../setting/setting.ts";
import { skillsIn } from "./layout.ts";
import type { Place } from "./look.ts";
import { Capabilities } from "./registry.ts";
import { Shelf } from "./shelf.ts";
import { sources } from "./sources.ts";

export interface CapabilityOptions extends Omit<Place, "root"> {
  settings: Pick<SettingView, "get">;
  trust: Pick<Trust, "ask">;
}

/** The registry with everybody in it, as the settings want it. */
export function openCapabilities({ settings, trust, ...at }: CapabilityOptions): Capabilities {
  const capabilities = new Capabilities({
    place: { ...at, root: repositoryRoot(at.cwd) ?? at.cwd },
    trust,
    shelf: new Shelf(at.home),
    watches: () => settings.get("ttsr.enabled"),
    off(kind) {
      const off = settings.get("sources.disabled");
      const [only, ignored] =
        kind === "skill" ? [settings.get("skills.include"), settings.get("skills.ignore")] : [[], []];
      const rules = kind === "rule" ? settings.get("ttsr.disabledRules") : [];
      const builtin = settings.get("ttsr.builtinRules");
      return ({ name, source, level }) => {
        if (off.includes(source) || off.includes(`${source}:${level}`)) return "sources.disabled names its source";
        if (rules.includes(name)) return "ttsr.disabledRules names it";
        if (source === "builtin" && !builtin) return "ttsr.builtinRules says so";
        if (only.length > 0 && !only.some((glob) => matchesGlob(name, glob))) return "skills.include leaves it out";
        return ignored.some((glob) => matchesGlob(name, glob)) ? "skills.ignore names it" : undefined;
      };
    },
  });
  capabilities.add(...sources, {
    name: "custom",
    title: "skills.folders",
    priority: 98,
    finds: {
      skill: (look) =>
        skillsIn(
          look,
          settings
            .get("skills.folders")
            .flatMap((folder) => look.user(resolve(at.home, expandHome(folder, at.userHome)))),
        ),
    },
  });
  return capabilities;
}
