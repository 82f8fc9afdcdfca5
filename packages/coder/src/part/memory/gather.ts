import { type Entry, textOf, touchedFiles } from "@pith/agent";
import { plainText } from "@pith/kit";
import { type Memory, newest } from "./facts.ts";

/** Characters of a task, of any other thing that is remembered, and of a finding that is looked at. */
const longest = { task: 2000, row: 300, finding: 20_000 };

/** What is known once these entries have been read, too; the oldest first. */
export function remembered(memory: Memory, entries: readonly Entry[]): Memory {
  const { readFiles, modifiedFiles } = touchedFiles(
    entries.filter(({ type }) => type === "message" || type === "custom"),
  ).details;
  const isNew = (path: string) => !memory.dropped.includes(path);
  const written = joined(memory.written, modifiedFiles.filter(isNew));
  const known = {
    ...memory,
    written,
    read: joined(memory.read, readFiles.filter(isNew)).filter((path) => !written.includes(path)),
  };
  return entries.reduce(withEntry, known);
}

/** The newest stand last. */
const joined = (known: readonly string[], more: readonly string[]): string[] =>
  newest([...known.filter((one) => !more.includes(one)), ...more]);

function withEntry(memory: Memory, entry: Entry): Memory {
  if (entry.type === "compaction") return withSummary(memory, entry.summary);
  if (entry.type !== "message") return memory;
  const { message } = entry;
  if (message.role === "user")
    return memory.task === "" ? { ...memory, task: textOf(message.content).slice(0, longest.task) } : memory;
  return message.role === "toolResult" ? withResult(memory, message) : memory;
}

type Result = Extract<Extract<Entry, { type: "message" }>["message"], { role: "toolResult" }>;

/** A call that failed is remembered until the same one works. */
function withResult(known: Memory, { toolName, details, isError, content }: Result): Memory {
  const memory = !isError && intelligent.has(toolName) ? withNames(known, textOf(content)) : known;
  const { intent, exitCode } = (details ?? {}) as {
    intent?: { command?: unknown; paths?: unknown };
    exitCode?: unknown;
  };
  const paths = Array.isArray(intent?.paths) ? intent.paths : [];
  const about = typeof intent?.command === "string" ? intent.command : paths[0]?.path;
  const call = line(about === undefined ? toolName : `${toolName} ${String(about)}`);
  const errors = memory.errors.filter((error) => error.call !== call);
  const failed = isError || (typeof exitCode === "number" && exitCode !== 0);
  if (!failed || memory.dropped.includes(call))
    return errors.length < memory.errors.length ? { ...memory, errors } : memory;
  return { ...memory, errors: newest([...errors, { call, why: line(reason(textOf(content))) }]) };
}

/** Tools whose findings are code that was understood. */
const intelligent: ReadonlySet<string> = new Set(["ast_grep", "lsp"]);
const declared =
  /\b(?:function\*?|func|fun|fn|def|class|interface|struct|enum|trait|type|const)\s+([A-Za-z_$][\w$]{1,60})\s*(?=[({<:=\s]|$)/gm;

/** The names that findings declare. */
function withNames(memory: Memory, text: string): Memory {
  const names = new Set([...text.slice(0, longest.finding).matchAll(declared)].map(([, name = ""]) => name));
  const fresh = [...names].filter((name) => !memory.dropped.includes(name));
  return fresh.length === 0 ? memory : { ...memory, explored: joined(memory.explored, fresh) };
}

/** The line that says most likely what went wrong. */
const reason = (text: string): string => {
  const lines = text.split("\n").filter((row) => row.trim() !== "");
  return lines.find((row) => /\b(error|fail(ed|ure)?|cannot|denied|not found)\b/i.test(row)) ?? lines[0] ?? "";
};

/** What a summary says under its headings takes the place of what the one before said. */
function withSummary(memory: Memory, summary: string): Memory {
  const under = (heading: RegExp) =>
    sectionOf(summary, heading)
      .map(line)
      .filter((row) => row !== "" && !/^none\.?$/i.test(row) && !memory.dropped.includes(row));
  const decided = under(/promises made|decisions/i);
  const tried = under(/approaches that failed|what failed/i);
  return {
    ...memory,
    decided: decided.length > 0 ? newest(decided) : memory.decided,
    tried: tried.length > 0 ? newest(tried) : memory.tried,
  };
}

function sectionOf(text: string, heading: RegExp): string[] {
  const rows = text.split("\n");
  const at = rows.findIndex((row) => /^#{1,4} /.test(row) && heading.test(row));
  if (at === -1) return [];
  const end = rows.findIndex((row, index) => index > at && /^(#{1,4} |---|<)/.test(row));
  return rows.slice(at + 1, end === -1 ? undefined : end).map((row) => row.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ""));
}

/** One line of bearable length, with nothing that a terminal obeys. */
export const line = (text: string): string =>
  plainText(text).replace(/\s+/g, " ").trim().slice(0, longest.row).toWellFormed();
