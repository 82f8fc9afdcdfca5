import type { Entry, OutlineRow } from "@pith/agent";
import { hiddenInOutline, textOf } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { plainText } from "@pith/kit";

/** Reads the path of a long session from its end, as far as somebody looks. */
export function pathRows(record: Pick<Coder["record"], "back">): { take(count: number): OutlineRow[] } {
  const entries = record.back()[Symbol.iterator]();
  let first = true;
  return {
    take(count) {
      const rows: OutlineRow[] = [];
      while (rows.length < count) {
        const next = entries.next();
        if (next.done) break;
        const row = rowOf(next.value, first);
        if (!row) continue;
        first = false;
        rows.push(row);
      }
      return rows.reverse();
    },
  };
}

function rowOf(entry: Entry, leaf: boolean): OutlineRow | undefined {
  if (hiddenInOutline.has(entry.type)) return undefined;
  const text = plainText(saidIn(entry).slice(0, 500)).replace(/\s+/g, " ").trim();
  // A reply of nothing but calls is represented by their results.
  if (text === "" && !leaf) return undefined;
  return { entry, depth: 0, active: true, leaf, label: undefined, text: text || entry.type };
}

function saidIn(entry: Entry): string {
  if (entry.type === "message") {
    const { content, command } = entry.message as { content?: unknown; command?: string };
    return textOf(content) || (command ?? "");
  }
  if (entry.type === "compaction" || entry.type === "branch_summary") return entry.summary;
  return entry.type === "custom_message" ? textOf(entry.content) : entry.type;
}
