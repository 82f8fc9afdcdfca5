import { shortId } from "@pith/kit";
import { formatVersion, type Header } from "../entry.ts";
import { parseObject } from "../index/head.ts";

/** Converts an older version to version 3, the header first. Unreadable lines are dropped. */
export function migrate(text: string, fallbackCwd: string): string {
  const lines = text
    .replace(/^\ufeff/, "")
    .split("\n")
    .map(parseObject)
    .filter((line) => line !== undefined);
  const at = lines.findIndex((line) => line.type === "session");
  const header = lines[at] as unknown as Header & { version?: number };
  const version = header.version ?? 1;
  const entries = lines.slice(at + 1);
  // In version 1 a compaction counts the lines of the file, header included.
  const ids = version < 2 ? giveIds(entries, lines.slice(0, at + 1).length) : entries;
  const renamed = ids.map(renameRole);
  const fresh = { ...header, version: formatVersion, cwd: header.cwd ?? fallbackCwd };
  return [fresh, ...renamed].map((line) => `${JSON.stringify(line)}\n`).join("");
}

type Line = Record<string, unknown>;

/** Gives entries ids and parents: version 1 is a list. */
function giveIds(entries: readonly Line[], before: number): Line[] {
  const taken = new Set<string>();
  const ids = entries.map(() => {
    const id = shortId((candidate) => taken.has(candidate));
    taken.add(id);
    return id;
  });
  return entries.map(({ type, firstKeptEntryIndex, ...rest }, index) => {
    const kept = typeof firstKeptEntryIndex === "number" ? ids[firstKeptEntryIndex - before] : undefined;
    return {
      type,
      id: ids[index],
      parentId: ids[index - 1] ?? null,
      ...rest,
      ...(kept === undefined ? {} : { firstKeptEntryId: kept }),
    };
  });
}

/** Renames the role of extension messages. */
function renameRole(entry: Line): Line {
  const message = entry.message as Line | undefined;
  return message?.role === "hookMessage" ? { ...entry, message: { ...message, role: "custom" } } : entry;
}
