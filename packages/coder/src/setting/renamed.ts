import { isKey, type Key } from "./schema.ts";

interface Renamed {
  key: Key;
}

/** Keys that were called otherwise, here or by those whose settings are read too. */
const renamed: Readonly<Record<string, Renamed>> = {
  queueMode: { key: "steeringMode" },
  defaultThinkingLevel: { key: "thinking" },
  "grep.enabled": { key: "search.enabled" },
  "retry.maxRetries": { key: "retry.max" },
  disabledProviders: { key: "sources.disabled" },
  includeSkills: { key: "skills.include" },
  ignoredSkills: { key: "skills.ignore" },
  "skills.includeSkills": { key: "skills.include" },
  "skills.ignoredSkills": { key: "skills.ignore" },
  "skills.customDirectories": { key: "skills.folders" },
  "skills.enableSkillCommands": { key: "skills.commands" },
  enableSkillCommands: { key: "skills.commands" },
};

/** What a key of a file is called now; undefined when it is not one that was renamed. */
export const renamedTo = (name: string): Renamed | undefined =>
  isKey(name) || !Object.hasOwn(renamed, name) ? undefined : renamed[name];

/** All names that a key has had. */
export const namesOf = (key: Key): string[] => [key, ...oldNames.filter((name) => renamed[name]?.key === key)];

export const oldNames: readonly string[] = Object.keys(renamed);
