import { join } from "node:path";

export type Relative = "omp" | "pi";

export interface RelativeHomes {
  userHome: string;
  /** The user's folder of pi, if it is not the usual one. */
  piHome?: string | undefined;
}

/** Files of other products' settings: the weaker product first, and of each the weaker file first. */
const places: readonly {
  who: Relative;
  project: string;
  names: readonly string[];
  user(homes: RelativeHomes): string;
}[] = [
  {
    who: "pi",
    project: ".pi",
    names: ["settings.json"],
    user: ({ userHome, piHome }) => piHome || join(userHome, ".pi", "agent"),
  },
  {
    who: "omp",
    project: ".omp",
    names: ["settings.json", "config.yml"],
    user: ({ userHome }) => join(userHome, ".omp", "agent"),
  },
];

export const foreignUserFiles = (homes: RelativeHomes, only?: Relative): string[] =>
  places
    .filter(({ who }) => only === undefined || who === only)
    .flatMap(({ names, user }) => names.map((name) => join(user(homes), name)));

export const foreignProjectFiles = (folder: string): string[] =>
  places.flatMap(({ project, names }) => names.map((name) => join(folder, project, name)));
