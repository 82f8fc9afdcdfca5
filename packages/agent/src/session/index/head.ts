import { isRecord } from "@pith/kit";
/** Types of entries that `agent` looks for. Other `custom` entries are found by name. */
export const codes = [
  "other",
  "user",
  "assistant",
  "toolResult",
  "message",
  "model_change",
  "thinking_level_change",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "label",
  "session_info",
  "pith.inbox",
  "pith.withdrawn",
  "ttsr_injection",
] as const;
export type Code = (typeof codes)[number];

export interface Head {
  id: string;
  parentId: string | null;
  code: Code;
  /** The `customType` of entries that have one. */
  name?: string;
  /** Id of the entry that this one names. */
  refId?: string;
}

// Field order of pi, omp and us: all of it is in the first bytes, so a long line is not parsed. A name with special
// characters is left to the parser, since these bytes are not decoded.
const usual = new RegExp(
  '^\\{"type":"(\\w+)","id":"([\\w.-]+)","parentId":(?:null|"([\\w.-]+)"),"timestamp":"[^"\\\\]*"' +
    '(?:,"message":\\{"role":"(\\w+)"|,"customType":"([ !#-\\[\\]-~]+)")?',
);
// Only the writer of a user message puts this at the end of a line: inside a text its quotes would be escaped.
const delivered = /,"inbox":"([\w.-]+)"\}$/;
const headBytes = 320;
/** Types that name another entry, or need fields deep inside. */
const parsedWhole: ReadonlySet<string> = new Set(["compaction", "label", "session", "pith.withdrawn"]);
const named: ReadonlySet<string> = new Set(["custom", "custom_message"]);

/** Reads the head of a line; undefined if it is no entry. Damage further on is found when the line is read. */
export function readHead(bytes: Buffer): Head | undefined {
  const line = trimmed(bytes);
  if (line.length < 2 || line[0] !== 123 || line[line.length - 1] !== 125) return undefined;
  const [, type, id, parent, role, name] = usual.exec(line.toString("latin1", 0, headBytes)) ?? [];
  if (type === undefined || id === undefined || !tellsAll(type, role, name))
    return headOf(parseObject(line.toString("utf8")));
  const head: Head = { id, parentId: parent ?? null, code: codeOf(type, role, name) };
  if (name !== undefined && named.has(type)) head.name = name;
  const refId =
    head.code === "user" ? delivered.exec(line.toString("latin1", Math.max(0, line.length - 80)))?.[1] : undefined;
  if (refId !== undefined) head.refId = refId;
  return head;
}

/** False if the first bytes are not enough. */
function tellsAll(type: string, role: string | undefined, name: string | undefined): boolean {
  if (type === "message") return role !== undefined;
  return !parsedWhole.has(type) && (!named.has(type) || (name !== undefined && !parsedWhole.has(name)));
}

/** Trims space that other programs leave around an object: a carriage return, an indent. */
function trimmed(line: Buffer): Buffer {
  let from = 0;
  let to = line.length;
  while (from < to && isSpace(line[from])) from++;
  while (to > from && isSpace(line[to - 1])) to--;
  return line.subarray(from, to);
}
const isSpace = (byte: number | undefined) => byte === 32 || byte === 13 || byte === 10 || byte === 9;
export const isBlank = (line: Buffer): boolean => trimmed(line).length === 0;

/** Head of an entry in memory. */
export function headOf(entry: unknown): Head | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { type, id, parentId, message, customType, data, inbox, targetId, firstKeptEntryId } = entry as Record<
    string,
    unknown
  >;
  // A second header stems from joined files; it is no entry.
  if (typeof type !== "string" || typeof id !== "string" || type === "session") return undefined;
  const role = (message as { role?: unknown } | null | undefined)?.role;
  // A missing name is read as `unknown`.
  const name = !named.has(type) ? undefined : typeof customType === "string" ? customType : "unknown";
  const code = codeOf(type, typeof role === "string" ? role : undefined, name);
  const head: Head = { id, parentId: typeof parentId === "string" ? parentId : null, code };
  if (name !== undefined) head.name = name;
  const withdrawn = code === "pith.withdrawn" ? (data as { inbox?: unknown } | null | undefined)?.inbox : undefined;
  const refId = [withdrawn, inbox, targetId, firstKeptEntryId].find((ref) => typeof ref === "string");
  if (typeof refId === "string") head.refId = refId;
  return head;
}

/** Parses a line; undefined if it is no object, or nested too deeply to walk. */
export function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line);
    const isObject = isRecord(value);
    return isObject && !isDeeper(value, deepest) ? value : undefined;
  } catch {
    return undefined;
  }
}

const deepest = 500;

function isDeeper(value: object, levels: number): boolean {
  for (const key in value) {
    const item: unknown = value[key as keyof typeof value];
    if (typeof item === "object" && item !== null && (levels === 0 || isDeeper(item, levels - 1))) return true;
  }
  return false;
}

/** Code of a `custom` entry by its name. */
export const customCode = (name: string | undefined): Code =>
  name === "pith.inbox" || name === "pith.withdrawn" ? name : "custom";

const known: ReadonlySet<string> = new Set(codes);
function codeOf(type: string, role: string | undefined, name: string | undefined): Code {
  if (type === "message") return role === "user" || role === "assistant" || role === "toolResult" ? role : "message";
  if (type === "custom") return customCode(name);
  return known.has(type) ? (type as Code) : "other";
}
