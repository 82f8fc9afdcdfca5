import { shortId } from "@pith/kit";
import { formatVersion, type Header } from "../entry.ts";
import { parseObject } from "../index/head.ts";

/** The lines of an older version as version 3, in order, the header first. Lines that cannot be read are left out. */
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
  // A compaction of version 1 counts the lines of the file, its header included.
  const ids = version < 2 ? giveIds(entries, lines.slice(0, at + 1).length) : entries;
  const renamed = ids.map(renameRole);
  const fresh = { ...header, version: formatVersion, cwd: header.cwd ?? fallbackCwd };
  return [fresh, ...renamed].map((line) => `${JSON.stringify(line)}\n`).join("");
}

type Line = Record<string, unknown>;

/** Version 1 is a list: each entry gets an id and hangs on the one before it. */
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

/** Version 3 calls the messages of extensions by another name. */
function renameRole(entry: Line): Line {
  const message = entry.message as Line | undefined;
  return message?.role === "hookMessage" ? { ...entry, message: { ...message, role: "custom" } } : entry;
}
