import type { Entry } from "../../entry.ts";
import { textOf } from "../../text.ts";

/** Searchable parts of an entry. */
export interface SearchText {
  text: string;
  /** Paths that were read or changed. */
  files: string;
  role: string;
  model?: string;
  tools?: string | undefined;
  time: number;
}

/** Longer output is not indexed beyond this. */
const maxText = 64 << 10;
const pathKeys: ReadonlySet<string> = new Set(
  "path paths file files file_path filePath from to notebook_path".split(" "),
);

/** Searchable text of an entry; undefined if there is none. */
export function searchTextOf(entry: Entry): SearchText | undefined {
  const time = Date.parse(entry.timestamp) || 0;
  if (entry.type === "compaction" || entry.type === "branch_summary")
    return { text: entry.summary, files: "", role: "summary", time };
  if (entry.type === "custom_message")
    return { text: textOf(entry.content).slice(0, maxText), files: "", role: "note", time };
  if (entry.type === "session_info")
    return entry.name ? { text: entry.name, files: "", role: "name", time } : undefined;
  if (entry.type !== "message" || !entry.message) return undefined;
  const { message } = entry;
  if (message.role === "assistant") return fromReply(message.content, `${message.provider}/${message.model}`, time);
  const text = textOf(message.content).slice(0, maxText);
  if (message.role === "toolResult")
    return { text, files: pathsIn(message.details).join("\n"), role: "tool", tools: message.toolName, time };
  const role = heard.get(message.role);
  return role === undefined ? undefined : { text, files: "", role, time };
}

/** Roles in results by role of the message, of any program. */
const heard: ReadonlyMap<string, string> = new Map([
  ["user", "user"],
  ...["developer", "custom", "hookMessage"].map((role): [string, string] => [role, "note"]),
]);

function fromReply(content: unknown, model: string, time: number): SearchText {
  const parts: { type?: string; name?: string; arguments?: unknown }[] = Array.isArray(content) ? content : [];
  const calls = parts.filter((part) => part?.type === "toolCall");
  const asked = calls.map((call) => strings(call.arguments).join(" "));
  return {
    text: [textOf(content), ...asked].join("\n").slice(0, maxText),
    files: calls.flatMap((call) => pathsIn(call.arguments)).join("\n"),
    role: "assistant",
    model,
    tools: calls.length > 0 ? calls.map((call) => call.name ?? "").join(",") : undefined,
    time,
  };
}

function pathsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    pathKeys.has(key) ? [...strings(item), ...pathsIn(item)] : [],
  );
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(strings);
}
