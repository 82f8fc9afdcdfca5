import { plainText } from "@pith/kit";
import type { Entry } from "../entry.ts";
import { textOf } from "../text.ts";
import type { SessionTree } from "../tree.ts";

export const outlineFilters = ["default", "no-tools", "user-only", "labeled-only", "all"] as const;
export type OutlineFilter = (typeof outlineFilters)[number];

export interface OutlineRow {
  entry: Entry;
  /** How many forks lie between the root and this entry. */
  depth: number;
  /** On the way to the leaf. */
  active: boolean;
  /** Where the next entry attaches; where that one is hidden, the nearest above it that is not. */
  leaf: boolean;
  label: string | undefined;
  /** One line of what it says. */
  text: string;
}

/** The tree as the rows of a list, oldest child first; an only child stands below its parent, without a step aside. */
export function outline(tree: SessionTree, filter: OutlineFilter = "default", query = ""): OutlineRow[] {
  const steps = outlineSteps(tree, filter, query);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in small steps, for who has something else to do meanwhile; each tells how many entries were read. */
export function* outlineSteps(
  tree: SessionTree,
  filter: OutlineFilter = "default",
  query = "",
): Generator<number, OutlineRow[], void> {
  const entries: Entry[] = [];
  for (const entry of tree.all()) if (entries.push(entry) % stepOf === 0) yield entries.length;
  const children = childrenOf(entries);
  const labels = tree.labels();
  const { active, leaf } = yield* wayTo(tree, filter, entries.length);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: OutlineRow[] = [];
  // A list instead of recursion: a long session is one long path.
  const open = (children.get(null) ?? []).map((entry) => ({ entry, depth: 0 })).reverse();
  let seen = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    if (++seen % stepOf === 0) yield entries.length;
    const { entry, depth } = next;
    const label = labels.get(entry.id);
    const row: OutlineRow = {
      entry,
      depth,
      active: active.has(entry.id),
      leaf: entry.id === leaf,
      label,
      text: lineOf(entry),
    };
    if (shows[filter](row) && (words.length === 0 || holds(searched(row), words))) rows.push(row);
    const below = (children.get(entry.id) ?? []).toSorted((a, b) =>
      a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0,
    );
    for (const child of below.reverse()) open.push({ entry: child, depth: depth + (below.length > 1 ? 1 : 0) });
  }
  return rows;
}

/** What lies on the way to the leaf, and which of it stands for the leaf. */
function* wayTo(tree: SessionTree, filter: OutlineFilter, read: number) {
  const active = new Set<string>();
  let leaf: string | undefined;
  for (const entry of tree.back()) {
    if (active.add(entry.id).size % stepOf === 0) yield read;
    if (filter === "all" || !hiddenInOutline.has(entry.type)) leaf ??= entry.id;
  }
  return { active, leaf };
}

/** Entries of a step: a millisecond or so, unless they are very long. */
const stepOf = 20;

/** Entries by what they hang on; one whose parent is gone is a root. */
function childrenOf(entries: readonly Entry[]): Map<string | null, Entry[]> {
  const children = new Map<string | null, Entry[]>();
  const known = new Set(entries.map((entry) => entry.id));
  for (const entry of entries) {
    const parent = entry.parentId !== null && known.has(entry.parentId) ? entry.parentId : null;
    const list = children.get(parent);
    if (list) list.push(entry);
    else children.set(parent, [entry]);
  }
  return children;
}

export const hiddenInOutline: ReadonlySet<string> = new Set([
  "label",
  "custom",
  "model_change",
  "thinking_level_change",
  // A name is of the whole session, and mostly nobody gave it.
  "session_info",
]);
const shows: Record<OutlineFilter, (row: OutlineRow) => boolean> = {
  default: (row) => !hiddenInOutline.has(row.entry.type) && !isOnlyCalls(row),
  "no-tools": (row) => shows.default(row) && roleOf(row.entry) !== "toolResult",
  "user-only": (row) => roleOf(row.entry) === "user",
  "labeled-only": (row) => row.label !== undefined,
  all: () => true,
};

/** A reply that says nothing but calls is seen through its results; unless it went wrong or is where we stand. */
function isOnlyCalls(row: OutlineRow): boolean {
  const { entry } = row;
  if (row.leaf || entry.type !== "message" || entry.message.role !== "assistant") return false;
  if (entry.message.stopReason === "error" || entry.message.stopReason === "aborted") return false;
  return textOf(entry.message.content).trim() === "";
}

const roleOf = (entry: Entry): string | undefined => (entry.type === "message" ? entry.message.role : undefined);

const holds = (text: string, words: readonly string[]) => words.every((word) => text.includes(word));

/** All that an entry says, not only the line of it that is shown. */
function searched(row: OutlineRow): string {
  const { entry } = row;
  const custom = "customType" in entry ? entry.customType : "";
  const { command, code, output, summary } = (entry.type === "message" ? entry.message : {}) as Spoken;
  const calls =
    entry.type === "message" && entry.message.role === "assistant"
      ? entry.message.content.map((part) => (part.type === "toolCall" ? JSON.stringify(part.arguments) : ""))
      : [];
  return [row.label, roleOf(entry), custom, said(entry), command, code, output, summary, ...calls]
    .join(" ")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

const lineLength = 500;
function lineOf(entry: Entry): string {
  return plainText(said(entry).slice(0, lineLength)).replace(/\s+/g, " ").trim();
}

/** What an entry says, or else what it is. */
function said(entry: Entry): string {
  switch (entry.type) {
    case "message":
      return messageText(entry.message as Spoken) || entry.message.role;
    case "session_info":
      return `named ${entry.name ?? ""}`;
    case "model_change":
      return `model ${entry.provider}/${entry.modelId}${entry.role ? ` for ${entry.role}` : ""}`;
    case "thinking_level_change":
      return `thinking ${entry.thinkingLevel}`;
    case "label":
      return `label ${entry.label ?? ""}`;
    case "custom":
      return entry.customType;
    case "custom_message":
      return textOf(entry.content) || entry.customType;
    case "compaction":
    case "branch_summary":
      return entry.summary || entry.type;
    default:
      // Of a type that we do not know.
      return (entry as { type: string }).type;
  }
}

/** A message of whatever program. */
interface Spoken {
  role: string;
  content?: unknown;
  command?: string;
  code?: string;
  output?: string;
  summary?: string;
  errorMessage?: string;
}

function messageText({ content, command, errorMessage }: Spoken): string {
  const calls = Array.isArray(content)
    ? content.flatMap((part) => (part?.type === "toolCall" ? [`${part.name}(${JSON.stringify(part.arguments)})`] : []))
    : [];
  // An answer that failed says why.
  return (
    textOf(content) || calls.join(" ") || (command ?? "") || (typeof errorMessage === "string" ? errorMessage : "")
  );
}
