import { type Entry, ownContent } from "@pith/agent";
import { cleanText } from "@pith/kit";
import type { Image } from "@pith/llm";
import { resultBrief } from "../view/view.ts";

/** An entry for readers, whatever the form of the export. */
export interface ExportedEntry {
  who: "user" | "assistant" | "tool" | "note" | "summary" | "change";
  title: string;
  parts: Part[];
}
export type Part =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "call"; id: string; name: string; input: string }
  | { type: "output"; text: string; failed: boolean; summary: string }
  | { type: "diff"; path: string; patch: string }
  | { type: "image"; mimeType: string; data: string };

/** Undefined for entries that only the program needs. */
export function exportedEntry(entry: Entry): ExportedEntry | undefined {
  const shown = view(entry);
  return shown && { ...shown, title: exportedLine(shown.title) };
}

/** A name, label or title as one line without anything that a terminal would obey. */
export const exportedLine = (text: string): string => cleanText(text).replace(/\s+/g, " ").trim();

function view(entry: Entry): ExportedEntry | undefined {
  switch (entry.type) {
    case "message":
      return messageView(entry.message as Foreign);
    case "custom_message":
      return entry.display ? { who: "note", title: entry.customType, parts: contentParts(entry.content) } : undefined;
    case "compaction":
      return summary("Compacted: the model goes on with this summary", entry.summary);
    case "branch_summary":
      return summary("Came back from another branch", entry.summary);
    case "model_change":
      return { who: "change", title: modelTitle(entry), parts: [] };
    default:
      return undefined;
  }
}

const modelTitle = ({ role, provider, modelId }: Entry & { type: "model_change" }): string =>
  `Model${role ? ` for ${role}` : ""}: ${provider}/${modelId}`;

/** A message of this or another program. */
interface Foreign {
  role: string;
  content?: unknown;
  model?: string;
  toolName?: string;
  isError?: boolean;
  details?: Record<string, unknown>;
  errorMessage?: string;
  command?: string;
  code?: string;
  output?: string;
  exitCode?: number;
  customType?: string;
  display?: boolean;
  summary?: string;
  files?: { path?: string; content?: string; image?: unknown }[];
}

const messageView = (message: Foreign): ExportedEntry | undefined =>
  Object.hasOwn(roles, message.role) ? roles[message.role]?.(message) : undefined;

const roles: Readonly<Record<string, (message: Foreign) => ExportedEntry | undefined>> = {
  user: (message) => ({ who: "user", title: "User", parts: contentParts(message.content) }),
  assistant: (message) => {
    const { content, errorMessage: text, model = "Assistant" } = message;
    const failed = text ? [outputPart({ text, failed: true, summary: "failed" })] : [];
    return { who: "assistant", title: model, parts: [...contentParts(content), ...failed] };
  },
  toolResult: (message) => ({ who: "tool", title: message.toolName ?? "tool", parts: resultParts(message) }),
  bashExecution: (message) => ran(message, message.command),
  pythonExecution: (message) => ran(message, message.code),
  custom: note,
  hookMessage: note,
  developer: note,
  branchSummary: (message) => summary("Came back from another branch", message.summary),
  compactionSummary: (message) => summary("Compacted: the model goes on with this summary", message.summary),
  fileMention: ({ files }) => ({
    who: "user",
    title: "User attached",
    parts: (Array.isArray(files) ? files : []).flatMap((file): Part[] => [
      outputPart({ text: file?.content, failed: false, summary: exportedLine(String(file?.path ?? "a file")) }),
      ...contentParts([file?.image]),
    ]),
  }),
};

const summary = (title: string, text: unknown): ExportedEntry => ({
  who: "summary",
  title,
  parts: [{ type: "text", text: cleanText(String(text ?? "")) }],
});

const ran = ({ output: text, exitCode = 0 }: Foreign, command = ""): ExportedEntry => {
  const summary = exitCode ? `exit code ${exitCode}` : "output";
  return { who: "user", title: `User ran: ${command}`, parts: [outputPart({ text, failed: exitCode !== 0, summary })] };
};

const outputPart = ({ text, failed, summary }: { text: unknown; failed: boolean; summary: string }): Part => ({
  type: "output",
  text: cleanText(String(text ?? "")),
  failed,
  summary,
});

function note(message: Foreign): ExportedEntry | undefined {
  return message.display === false
    ? undefined
    : { who: "note", title: message.customType ?? "note", parts: contentParts(message.content) };
}

function resultParts(message: Foreign): Part[] {
  const { details } = message;
  const parts = contentParts(
    Array.isArray(message.content) ? ownContent({ content: message.content, details }) : message.content,
  );
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const diffs = diffsOf(details);
  const failed = message.isError === true;
  const result = { content: [{ type: "text" as const, text }], isError: failed };
  const summary = resultBrief(details ? { ...result, details: { ...details, reminders: 0 } } : result) || "no output";
  const output: Part = { type: "output", text, failed, summary };
  return [...diffs, output, ...parts.filter((part) => part.type === "image")];
}

function diffsOf(details: Record<string, unknown> | undefined): Part[] {
  if (details?.kind !== "diff" || !Array.isArray(details.files)) return [];
  return details.files.flatMap((file): Part[] =>
    typeof file?.patch === "string"
      ? [{ type: "diff", path: cleanText(String(file.path)), patch: cleanText(file.patch) }]
      : [],
  );
}

function contentParts(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: cleanText(content) }];
  return Array.isArray(content) ? content.flatMap(contentPart) : [];
}

function contentPart(
  part: { type?: string; text?: string; thinking?: string; id?: string; name?: string; arguments?: unknown } & Picture,
): Part[] {
  switch (part?.type) {
    case "text":
      return [{ type: "text", text: cleanText(part.text ?? "") }];
    case "thinking":
      return part.thinking ? [{ type: "thinking", text: cleanText(part.thinking) }] : [];
    case "toolCall":
      return [callPart(part.id ?? "", part.name ?? "", part.arguments ?? {})];
    case "image":
      return isPicture(part)
        ? [{ type: "image", mimeType: part.mimeType, data: part.data }]
        : [{ type: "text", text: "[an image that is no longer available]" }];
    default:
      return [];
  }
}

const callPart = (id: string, name: string, input: unknown): Part => ({
  type: "call",
  id,
  name: cleanText(name),
  input: cleanText(JSON.stringify(input, null, 2)),
});

type Picture = Partial<Pick<Image, "data" | "mimeType">>;

/** True for a picture in base64; nothing else gets into a page. */
const isPicture = (part: Picture): part is Required<Picture> =>
  /^image\/[\w.+-]+$/.test(part.mimeType ?? "") &&
  part.mimeType !== "image/svg+xml" &&
  /^[A-Za-z0-9+/=\s]+$/.test(part.data ?? "");
