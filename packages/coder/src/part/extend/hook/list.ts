import { plainText } from "@pith/kit";
import { unusedWhy } from "../../../capability/kind/kind.ts";
import type { Capabilities } from "../../../capability/registry.ts";
import type { Hooks } from "./hooks.ts";
import { hookName, isGuard } from "./row.ts";

/** Lists all hooks that were found, and what each of them does here. */
export function hooksText(capabilities: Capabilities, hooks: Hooks | undefined): string {
  const { all, warnings } = capabilities.of("hook");
  const rows = hooks?.rows ?? [];
  const lines = all.map((item) => {
    const row = rows.find((one) => one.item.file === item.file && one.item.name === item.name);
    const name = hookName({ item, folder: "" });
    const where = `${item.source}, ${item.level}`;
    const unused = unusedWhy("hook", item.data);
    if (unused !== undefined) return `${name}  ${where}  (not used: ${unused})`;
    if (!row) return `${name}  ${where}  (off: ${item.why ?? "hooks.disabled names it"})`;
    const fault = hooks?.lastFault.get(name);
    const does = row.broken !== undefined ? "refuses, because it cannot be read" : isGuard(row) ? "guards" : "listens";
    return `${name}  ${where}  (${does}${fault === undefined ? "" : `; last fault: ${fault}`})`;
  });
  const found = lines.length === 0 ? ["There are no hooks. docs/hooks.md shows how to write one."] : lines;
  return plainText([...found, ...warnings.map((text) => `warning: ${text}`)].join("\n"));
}
