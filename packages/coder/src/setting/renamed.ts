import { isKey, type Key } from "./schema.ts";

interface Renamed {
  key: Key;
  /** What a value of theirs is one of ours. */
  value?(value: unknown): unknown;
}

const joined = (value: unknown): unknown => (Array.isArray(value) ? value.join(",") : value);

/** Keys that were called otherwise, here or by those whose settings are read too. */
const renamed: Readonly<Record<string, Renamed>> = {
  queueMode: { key: "steeringMode" },
  defaultThinkingLevel: { key: "thinking" },
  "grep.enabled": { key: "search.enabled" },
  "retry.maxRetries": { key: "retry.max" },
  disabledProviders: { key: "sources.disabled", value: joined },
  includeSkills: { key: "skills.include", value: joined },
  ignoredSkills: { key: "skills.ignore", value: joined },
  "skills.includeSkills": { key: "skills.include", value: joined },
  "skills.ignoredSkills": { key: "skills.ignore", value: joined },
  "skills.customDirectories": { key: "skills.folders", value: joined },
  "skills.enableSkillCommands": { key: "skills.commands" },
};

/** What a key of a file is called now; undefined when it is not one that was renamed. */
export const renamedTo = (name: string): Renamed | undefined =>
  isKey(name) || !Object.hasOwn(renamed, name) ? undefined : renamed[name];

export const oldNames: readonly string[] = Object.keys(renamed);
