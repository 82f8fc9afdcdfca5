import type { ConfigFiles } from "../../capability/config-files.ts";
import type { Item } from "../../capability/item.ts";
import type { Interrupts, WatchScope } from "../../capability/kind/kind.ts";
import { isFor, isNamed } from "../../capability/rule-files.ts";
import type { StreamSource } from "./rule.ts";

/** True when a rule watches a text, by its scopes and its files; `named` resolves other names of tools. */
export function watches(
  item: Item<"rule">,
  source: StreamSource,
  files: ConfigFiles,
  named: (tool: string) => string = (tool) => tool,
): boolean {
  const { watch, globs } = item.data;
  if (!watch?.scopes.some((scope) => covers(scope, source, files, named))) return false;
  if (globs.length === 0) return true;
  return source.of === "tool" && source.path !== undefined && isFor(item, source.path, files);
}

function covers(scope: WatchScope, source: StreamSource, files: ConfigFiles, named: (tool: string) => string): boolean {
  if (scope.of !== "tool" || source.of !== "tool") return scope.of === source.of;
  if (scope.tool !== undefined && named(scope.tool) !== source.tool) return false;
  return scope.files === undefined || (source.path !== undefined && isNamed(scope.files, source.path, files));
}

/** True when a text of this kind is interrupted. */
export const interrupts = (mode: Interrupts, { of }: StreamSource): boolean =>
  mode === "always" || mode === (of === "tool" ? "tool-only" : "prose-only");
