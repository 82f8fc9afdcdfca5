import type { Value, Values } from "./schema.ts";

/**
 * Defaults for a kind of model, below every file: what somebody sets wins over them. A small model that runs on one's
 * own machine copies text more surely than it keeps line numbers and tags.
 */
export const profiles: Readonly<Record<Value<"profile">, Values>> = {
  default: {},
  local: { "edit.mode": "replace", "tools.essentialOverride": "read, write, edit, bash, search, find" },
};
