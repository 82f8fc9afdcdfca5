import { plainText } from "@pith/kit";
import type { Entry } from "../entry.ts";
import { textOf } from "../text.ts";
import type { SessionTree } from "../tree.ts";

export const outlineFilters = ["default", "no-tools", "user-only", "labeled-only", "all"] as const;
export type OutlineFilter = (typeof outlineFilters)[number];

export interface OutlineRow {
  entry: Entry;
  /** Forks between the root and this entry. */
  depth: number;
  /** On the path to the leaf. */
  active: boolean;
  /** The leaf; if it is hidden, the nearest shown entry above. */
  leaf: boolean;
  label: string | undefined;
  /** The entry in one line. */
  text: string;
  /** Command, path or arguments of the call, for a result. */
  call?: string | undefined;
}

/** Rows of the tree, oldest child first; an only child is not indented. */
export const outline = (tree: SessionTree, filter?: OutlineFilter, query?: string): OutlineRow[] => [
  ...outlineRows(tree, filter, query),
];

/** The same one at a time, so that the entries of a long session need not all be held. */
export function* outlineRows(tree: SessionTree, filter: OutlineFilter = "default", query = ""): Generator<OutlineRow> {
  for (const step of walk(tree, filter, query)) if (typeof step !== "number") yield step;
}

/** Works in small steps for callers with other work; each yields the number of entries read. */
export function* outlineSteps(
  tree: SessionTree,
  filter: OutlineFilter = "default",
  query = "",
): Generator<number, OutlineRow[], void> {
  const rows: OutlineRow[] = [];
  for (const step of walk(tree, filter, query)) {
    if (typeof step === "number") yield step;
    else rows.push(step);
  }
  return rows;
}

/** An entry without what it says, of which there may be more than fits into memory. */
type Place = Pick<Entry, "id" | "parentId" | "timestamp">;

function* walk(tree: SessionTree, filter: OutlineFilter, query: string): Generator<number | OutlineRow> {
  const places: Place[] = [];
  for (const { id, parentId, timestamp } of tree.all())
    if (places.push({ id, parentId, timestamp }) % stepOf === 0) yield places.length;
  const children = childrenOf(places);
  const labels = tree.labels();
  const { active, leaf } = yield* wayTo(tree, filter, places.length);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  // A list instead of recursion: a long session is one long path.
  const open = (children.get(null) ?? []).map(({ id }) => ({ id, depth: 0 })).reverse();
  const calls = new Map<string, string>();
  let seen = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    if (++seen % stepOf === 0) yield places.length;
    const { id, depth } = next;
    const entry = tree.get(id);
    if (!entry) continue;
    const [label, text] = [labels.get(id), lineOf(entry)];
    const call = callOf(entry, calls);
    const row: OutlineRow = { entry, depth, active: active.has(id), leaf: id === leaf, label, text, call };
    if (shows[filter](row) && (words.length === 0 || holds(searched(row), words))) yield row;
    const below = (children.get(id) ?? []).toSorted((a, b) =>
      a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0,
    );
    for (const child of below.reverse()) open.push({ id: child.id, depth: depth + (below.length > 1 ? 1 : 0) });
  }
}

/** Keeps the calls of a reply; of a result, returns the command, path or arguments of its call. */
function callOf(entry: Entry, calls: Map<string, string>): string | undefined {
  if (entry.type !== "message") return undefined;
  const { message } = entry;
  if (message.role === "toolResult") return calls.get(message.toolCallId);
  if (message.role !== "assistant" || !Array.isArray(message.content)) return undefined;
  for (const part of message.content) {
    if (part?.type !== "toolCall") continue;
    const { command, path, pattern } = (part.arguments ?? {}) as Record<string, unknown>;
    const main = [command, path, pattern].find((value) => typeof value === "string" && value !== "");
    const text = typeof main === "string" ? main : (JSON.stringify(part.arguments) ?? "");
    calls.set(part.id, plainText(text.slice(0, lineLength)).replace(/\s+/g, " ").trim());
  }
  return undefined;
}

/** Ids on the path, and the row that stands for the leaf. */
function* wayTo(tree: SessionTree, filter: OutlineFilter, read: number) {
  const active = new Set<string>();
  let leaf: string | undefined;
  for (const entry of tree.back()) {
    if (active.add(entry.id).size % stepOf === 0) yield read;
    if (filter === "all" || !hiddenInOutline.has(entry.type)) leaf ??= entry.id;
  }
  return { active, leaf };
}

/** Entries per step: about a millisecond unless they are very long. */
const stepOf = 20;

/** Entries by parent; one whose parent is missing is a root. */
function childrenOf(entries: readonly Place[]): Map<string | null, Place[]> {
  const known = new Set(entries.map((entry) => entry.id));
  return Map.groupBy(entries, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null));
}

export const hiddenInOutline: ReadonlySet<string> = new Set([
  "label",
  "custom",
  "model_change",
  "thinking_level_change",
  // A name belongs to the whole session, and is mostly generated.
  "session_info",
]);
const shows: Record<OutlineFilter, (row: OutlineRow) => boolean> = {
  default: (row) => !hiddenInOutline.has(row.entry.type) && !isOnlyCalls(row),
  "no-tools": (row) => shows.default(row) && roleOf(row.entry) !== "toolResult",
  "user-only": (row) => roleOf(row.entry) === "user",
  "labeled-only": (row) => row.label !== undefined,
  all: () => true,
};

/** True for a reply of calls alone, which its results show; not if it failed or is the leaf. */
function isOnlyCalls(row: OutlineRow): boolean {
  const { entry } = row;
  if (row.leaf || entry.type !== "message" || entry.message.role !== "assistant") return false;
  if (entry.message.stopReason === "error" || entry.message.stopReason === "aborted") return false;
  return textOf(entry.message.content).trim() === "";
}

const roleOf = (entry: Entry): string | undefined => (entry.type === "message" ? entry.message.role : undefined);

const holds = (text: string, words: readonly string[]) => words.every((word) => text.includes(word));

/** Searchable text of a row: all of the entry, not only the line that is shown. */
function searched(row: OutlineRow): string {
  const { entry } = row;
  const custom = "customType" in entry ? entry.customType : "";
  const { command, code, output, summary } = (entry.type === "message" ? entry.message : {}) as Spoken;
  const calls =
    entry.type === "message" && entry.message.role === "assistant"
      ? entry.message.content.map((part) => (part.type === "toolCall" ? JSON.stringify(part.arguments) : ""))
      : [];
  return [row.label, roleOf(entry), row.call, custom, said(entry), command, code, output, summary, ...calls]
    .join(" ")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

const lineLength = 500;
const lineOf = (entry: Entry): string => plainText(said(entry).slice(0, lineLength)).replace(/\s+/g, " ").trim();

/** Text of an entry, or its type. */
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
      // Unknown type.
      return (entry as { type: string }).type;
  }
}

/** A message of any program. */
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
  // A failed answer shows its error.
  return textOf(content) || calls.join(" ") || command || (typeof errorMessage === "string" ? errorMessage : "");
}
