import { matchesGlob, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { Trust } from "../policy/trust/trust.ts";
import { repositoryRoot } from "../setting/repository.ts";
import type { SettingView } from "../setting/setting.ts";
import { CapabilityCache } from "./cache.ts";
import type { SearchRoots } from "./config-files.ts";
import { skillsIn } from "./layout.ts";
import { Capabilities } from "./registry.ts";
import { sources } from "./sources.ts";

export interface CapabilityOptions extends Omit<SearchRoots, "root"> {
  settings: Pick<SettingView, "get">;
  trust: Pick<Trust, "ask">;
}

/** Opens the registry with all sources, filtered by the settings. */
export function openCapabilities({ settings, trust, ...at }: CapabilityOptions): Capabilities {
  const capabilities = new Capabilities({
    place: { ...at, root: repositoryRoot(at.cwd) ?? at.cwd },
    trust,
    cache: new CapabilityCache(at.home),
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
      skill: (files) =>
        skillsIn(
          files,
          settings
            .get("skills.folders")
            .flatMap((folder) => files.user(resolve(at.home, expandHome(folder, at.userHome)))),
        ),
    },
  });
  return capabilities;
}
