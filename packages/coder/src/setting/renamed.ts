import type { Key } from "./schema.ts";

/** Keys by their former names, and by their names in other products whose settings are read too. */
const renamed: Readonly<Record<string, Key>> = {
  queueMode: "steeringMode",
  defaultThinkingLevel: "thinking",
  "grep.enabled": "search.enabled",
  "retry.maxRetries": "retry.max",
  disabledProviders: "sources.disabled",
  includeSkills: "skills.include",
  ignoredSkills: "skills.ignore",
  "skills.includeSkills": "skills.include",
  "skills.ignoredSkills": "skills.ignore",
  "skills.customDirectories": "skills.folders",
  "skills.enableSkillCommands": "skills.commands",
  enableSkillCommands: "skills.commands",
};

/** Returns what a name in a file is called now; undefined when it was not renamed. */
export const renamedTo = (name: string): Key | undefined => (Object.hasOwn(renamed, name) ? renamed[name] : undefined);

/** Returns all names that a key has had. */
export const namesOf = (key: Key): string[] => [key, ...oldNames.filter((name) => renamed[name] === key)];

export const oldNames: readonly string[] = Object.keys(renamed);
