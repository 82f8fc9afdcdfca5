import type { SettingView } from "../../setting/setting.ts";
import type { Rule } from "./schema.ts";

/** The rules of one file. A project's may only make it stricter. */
export interface RuleLayer {
  from: "user" | "project";
  rules: readonly Rule[];
}

export const ruleLayers = (settings: Pick<SettingView, "lists">): RuleLayer[] =>
  settings
    .lists("policy.rules")
    .map(({ origin, items }) => ({ from: origin.layer === "project" ? "project" : "user", rules: items }));
