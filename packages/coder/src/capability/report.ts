import { plainText } from "@pith/kit";
import type { Item } from "./item.ts";
import { type Kind, kindNames, kinds } from "./kind/kind.ts";
import type { Capabilities } from "./registry.ts";

/** What was found, for people and programs: `pith doctor`, `/sources`. */
export interface Report {
  sources: { name: string; title: string; priority: number; items: number }[];
  items: (Pick<Item, "kind" | "name" | "source" | "level" | "file" | "line" | "state" | "why"> & {
    unmapped: readonly string[];
  })[];
  warnings: string[];
}

export function reportOf(capabilities: Capabilities, only: readonly Kind[] = kindNames): Report {
  const found = only.map((kind) => capabilities.of(kind));
  const items = found.flatMap(({ all }) => all as readonly Item[]).map(({ data: _, ...item }) => item);
  return {
    sources: capabilities.sources.map(({ name, title, priority }) => ({
      name,
      title,
      priority,
      items: items.filter(({ source }) => source === name).length,
    })),
    items,
    warnings: [...new Set(found.flatMap(({ warnings }) => warnings))],
  };
}

/** The same as lines. */
export function sourcesText(capabilities: Capabilities, kind = ""): string {
  const only = kindNames.filter((name) => kind === "" || name === kind || `${name}s` === kind);
  if (only.length === 0) return `There is no kind "${plainText(kind)}". Known: ${kindNames.join(", ")}`;
  const { items, warnings } = reportOf(capabilities, only);
  const lines = only.flatMap((name) => {
    const rows = items.filter((item) => item.kind === name);
    return rows.length === 0 ? [] : [`${kinds[name].plural}:`, ...rows.map(lineOf)];
  });
  if (lines.length === 0 && warnings.length === 0) return "Nothing was found in any configuration.";
  return [
    ...lines,
    ...(warnings.length > 0 ? ["warnings:", ...warnings.map((text) => `  ${plainText(text)}`)] : []),
  ].join("\n");
}

function lineOf({ name, source, level, file, line, state, why, unmapped }: Report["items"][number]): string {
  const where = line === undefined ? file : `${file}:${line}`;
  const said = why ? `${state}, ${why}` : state;
  const left = unmapped.length > 0 ? `; not understood: ${unmapped.join(", ")}` : "";
  return plainText(`  ${name}  ${source}, ${level}  ${where}  (${said}${left})`);
}
