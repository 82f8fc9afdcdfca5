import { join } from "node:path";

export type Relative = "omp" | "pi";

/** Where relatives keep settings, the weaker one first, and of each the weaker file first. */
const places: readonly { who: Relative; project: string; names: readonly string[]; user: string }[] = [
  { who: "pi", project: ".pi", names: ["settings.json"], user: join(".pi", "agent") },
  { who: "omp", project: ".omp", names: ["settings.json", "config.yml"], user: join(".omp", "agent") },
];

export const foreignUserFiles = (userHome: string, only?: Relative): string[] =>
  places
    .filter(({ who }) => only === undefined || who === only)
    .flatMap(({ names, user }) => names.map((name) => join(userHome, user, name)));

export const foreignProjectFiles = (folder: string): string[] =>
  places.flatMap(({ project, names }) => names.map((name) => join(folder, project, name)));
