import { type Entry, textOf, touchedFiles } from "@pith/agent";
import { plainText, recordOf } from "@pith/kit";
import { type Memory, newest } from "./facts.ts";

/** The most characters of a task, of another fact, and of a result to search for names. */
const longest = { task: 2000, row: 300, finding: 20_000 };

/** The memory after more entries, oldest first. */
export function withEntries(memory: Memory, entries: readonly Entry[]): Memory {
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

/** Adds facts to a list, newest last. */
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

/** Remembers a failed call until the same one succeeds. */
function withResult(known: Memory, { toolName, details, isError, content }: Result): Memory {
  const memory = !isError && intelligent.has(toolName) ? withNames(known, textOf(content)) : known;
  const { intent, exitCode } = recordOf(details);
  const { command, paths } = recordOf(intent);
  const about = typeof command === "string" ? command : Array.isArray(paths) ? paths[0]?.path : undefined;
  const call = line(about === undefined ? toolName : `${toolName} ${String(about)}`);
  const errors = memory.errors.filter((error) => error.call !== call);
  const failed = isError || (typeof exitCode === "number" && exitCode !== 0);
  if (!failed || memory.dropped.includes(call))
    return errors.length < memory.errors.length ? { ...memory, errors } : memory;
  return { ...memory, errors: newest([...errors, { call, why: line(reason(textOf(content))) }]) };
}

/** Tools that find code by its structure. */
const intelligent: ReadonlySet<string> = new Set(["ast_grep", "lsp"]);
const declared =
  /\b(?:function\*?|func|fun|fn|def|class|interface|struct|enum|trait|type|const)\s+([A-Za-z_$][\w$]{1,60})\s*(?=[({<:=\s]|$)/gm;

/** Adds the names that a result declares. */
function withNames(memory: Memory, text: string): Memory {
  const names = new Set([...text.slice(0, longest.finding).matchAll(declared)].map(([, name = ""]) => name));
  const fresh = [...names].filter((name) => !memory.dropped.includes(name));
  return fresh.length === 0 ? memory : { ...memory, explored: joined(memory.explored, fresh) };
}

/** The line of an output that most likely tells the reason. */
const reason = (text: string): string => {
  const lines = text.split("\n").filter((row) => row.trim() !== "");
  return lines.find((row) => /\b(error|fail(ed|ure)?|cannot|denied|not found)\b/i.test(row)) ?? lines[0] ?? "";
};

/** Takes decisions and failed approaches from a summary, in place of those of an earlier one. */
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

/** A text as one line of limited length, without control characters. */
export const line = (text: string): string =>
  plainText(text).replace(/\s+/g, " ").trim().slice(0, longest.row).toWellFormed();
