import { matchesGlob, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { Trust } from "../policy/trust.ts";
import { repositoryRoot } from "../setting/repository.ts";
import type { SettingView } from "../setting/setting.ts";
import type { Place } from "./look.ts";
import { skillsIn } from "./native.ts";
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
    off({ kind, name, source, level }) {
      const off = settings.get("sources.disabled");
      if (off.includes(source) || off.includes(`${source}:${level}`)) return "sources.disabled names its source";
      if (kind !== "skill") return undefined;
      const only = settings.get("skills.include");
      if (only.length > 0 && !only.some((glob) => matchesGlob(name, glob))) return "skills.include leaves it out";
      const ignored = settings.get("skills.ignore").some((glob) => matchesGlob(name, glob));
      return ignored ? "skills.ignore names it" : undefined;
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
