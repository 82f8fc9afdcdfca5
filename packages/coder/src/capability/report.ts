import { plainText } from "@pith/kit";
import type { Item } from "./item.ts";
import { type CapabilityKind, type KindSpec, kindNames, kinds, unusedWhy } from "./kind/kind.ts";
import type { Capabilities } from "./registry.ts";

/** Items, sources and warnings, for `pith doctor` and `/sources`. */
export interface Report {
  sources: { name: string; title: string; priority: number; items: number }[];
  items: (Pick<Item, "kind" | "name" | "source" | "level" | "file" | "line" | "why" | "unmapped"> & {
    /** Says whether it counts; nothing that pith does not use is active. */
    state: Item["state"] | "unused";
  })[];
  warnings: string[];
  /** Kinds that were found and that pith does not use yet. */
  unused: { kind: CapabilityKind; items: number }[];
}

export function reportOf(capabilities: Capabilities, only: readonly CapabilityKind[] = kindNames): Report {
  const found = only.map((kind) => capabilities.of(kind));
  const items = found.flatMap(({ all }) => all as readonly Item[]).map(used);
  return {
    sources: capabilities.sources.map(({ name, title, priority }) => ({
      name,
      title,
      priority,
      items: items.filter(({ source }) => source === name).length,
    })),
    items,
    warnings: [...new Set(found.flatMap(({ warnings }) => warnings))],
    unused: only.flatMap((kind) => {
      const count = items.filter((item) => item.kind === kind && (item.state === "unused" || isUnused(kind))).length;
      return count > 0 ? [{ kind, items: count }] : [];
    }),
  };
}

/** An item as it counts here: one that pith does not use is neither active nor waiting for trust. */
function used({ data, ...item }: Item): Report["items"][number] {
  const counts = item.state === "active" || item.state === "untrusted";
  const why = counts ? unusedWhy(item.kind, data) : undefined;
  if (why === undefined) return item;
  return { ...item, state: "unused", why: isUnused(item.kind) ? undefined : why };
}

/** True for a kind of which pith uses nothing. */
const isUnused = (kind: CapabilityKind): boolean => (kinds[kind] as KindSpec<CapabilityKind>).unused === true;
const unused = " (found, and not used by pith)";

/** Lists in a few words what was found and is not used; undefined when there is nothing of that sort. */
export function unusedText({ unused: rows }: Pick<Report, "unused">): string | undefined {
  const all = rows.map(({ kind, items }) => `${items} ${kinds[kind].plural}`);
  return all.length > 0 ? `found, and not used by pith: ${all.join(", ")}` : undefined;
}

/** Names in one line what a project brings for other agents that pith does not use; undefined where it brings nothing. */
export function unusedOfProject(capabilities: Capabilities): string | undefined {
  const rows = kindNames.flatMap((kind) => {
    if ((kinds[kind] as KindSpec<CapabilityKind>).unused === undefined) return [];
    const found = (capabilities.of(kind).all as readonly Item[]).filter(
      ({ level, state, data }) =>
        level === "project" && state !== "invalid" && state !== "disabled" && unusedWhy(kind, data) !== undefined,
    );
    const files = [...new Set(found.map(({ file }) => capabilities.shortName(file)))];
    return found.length === 0 ? [] : [`${kinds[kind].plural} (${found.length}, in ${files.join(", ")})`];
  });
  return rows.length === 0
    ? undefined
    : `This project has for other agents, and pith does not use: ${rows.join("; ")}.${hint(rows)}`;
}

const hint = (rows: readonly string[]): string =>
  rows.some((row) => row.startsWith("permissions")) ? " Rules for pith stand in policy.rules (pith help rules)." : "";

/** Lists what was found, line by line. */
export function sourcesText(capabilities: Capabilities, kind = ""): string {
  const only = kindNames.filter((name) => kind === "" || name === kind || `${name}s` === kind);
  if (only.length === 0) return `There is no kind "${plainText(kind)}". Known: ${kindNames.join(", ")}`;
  const { items, warnings } = reportOf(capabilities, only);
  const lines = only.flatMap((name) => {
    const rows = items.filter((item) => item.kind === name);
    return rows.length === 0 ? [] : [`${kinds[name].plural}${isUnused(name) ? unused : ""}:`, ...rows.map(lineOf)];
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
