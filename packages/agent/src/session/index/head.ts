/** What an entry is, as far as finding it again needs to know. */
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
  "pith.prompt",
  "pith.todo",
  "pith.checkpoint",
  "pith.heal",
  "pith.jobs",
  "pith.pending",
] as const;
export type Code = (typeof codes)[number];

export interface Head {
  id: string;
  parentId: string | null;
  code: Code;
  /** The id of the entry that this one names. */
  refId?: string;
}

// The order of fields in which pi, omp and we write: all of it stands in the first bytes, so a long line is not parsed.
const usual =
  /^\{"type":"(\w+)","id":"([\w.-]+)","parentId":(?:null|"([\w.-]+)"),"timestamp":"[^"\\]*"(?:,"message":\{"role":"(\w+)"|,"customType":"([^"\\]+)")?/;
// Only the writer of a user message puts this at the end of a line: inside a text its quotes would be escaped.
const delivered = /,"inbox":"([\w.-]+)"\}$/;
const headBytes = 320;
/** Types that name another entry, or are told apart deep inside. */
const parsedWhole: ReadonlySet<string> = new Set(["compaction", "label", "session"]);

/**
 * The head of a line; undefined when the line is not an entry. A line that is broken further on is found out when it
 * is read.
 */
export function readHead(given: Buffer): Head | undefined {
  const line = trimmed(given);
  if (line.length < 2 || line[0] !== 123 || line[line.length - 1] !== 125) return undefined;
  const found = usual.exec(line.toString("latin1", 0, headBytes));
  const [, type = "", id = "", parent, role, customType] = found ?? [];
  if (!found || parsedWhole.has(type) || (type === "message" && role === undefined))
    return headOf(parseObject(line.toString("utf8")));
  const code = codeOf(type, role, customType);
  const refId =
    code === "user" ? delivered.exec(line.toString("latin1", Math.max(0, line.length - 80)))?.[1] : undefined;
  return { id, parentId: parent ?? null, code, ...(refId === undefined ? {} : { refId }) };
}

/** Without the space that other programs leave around an object: a carriage return, an indent. */
function trimmed(line: Buffer): Buffer {
  let from = 0;
  let to = line.length;
  while (from < to && isSpace(line[from])) from++;
  while (to > from && isSpace(line[to - 1])) to--;
  return line.subarray(from, to);
}
const isSpace = (byte: number | undefined) => byte === 32 || byte === 13 || byte === 10 || byte === 9;
export const isBlank = (line: Buffer): boolean => trimmed(line).length === 0;

/** The same from an entry in memory. */
export function headOf(entry: unknown): Head | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { type, id, parentId, message, customType, inbox, targetId, firstKeptEntryId } = entry as Record<
    string,
    unknown
  >;
  // A second header is where two files were put together; it is no entry.
  if (typeof type !== "string" || typeof id !== "string" || type === "session") return undefined;
  const role = (message as { role?: unknown } | null | undefined)?.role;
  const refId = [inbox, targetId, firstKeptEntryId].find((ref) => typeof ref === "string") as string | undefined;
  const code = codeOf(
    type,
    typeof role === "string" ? role : undefined,
    typeof customType === "string" ? customType : undefined,
  );
  return {
    id,
    parentId: typeof parentId === "string" ? parentId : null,
    code,
    ...(refId === undefined ? {} : { refId }),
  };
}

export function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const known: ReadonlySet<string> = new Set(codes);
function codeOf(type: string, role: string | undefined, customType: string | undefined): Code {
  if (type === "message") return role === "user" || role === "assistant" || role === "toolResult" ? role : "message";
  if (type === "custom" && customType?.startsWith("pith.") && known.has(customType)) return customType as Code;
  return known.has(type) ? (type as Code) : "other";
}
