import { fill } from "@pith/kit";
import type { Image, Message, SealedMessage, Text, UserMessage } from "@pith/llm";
import branchProse from "./branch.md" with { type: "text" };
import { archiveOf } from "./compaction/frame.ts";
import { quotesPart } from "./compaction/quotes.ts";
import { sealOf } from "./compaction/seal.ts";
import compactProse from "./compaction.md" with { type: "text" };
import type { Compaction, Entry } from "./entry.ts";
import fileProse from "./file.md" with { type: "text" };
import { isPart } from "./format/sound.ts";
import shellProse from "./shell.md" with { type: "text" };

/** Messages of an entry for the model. The only place that decides it, for turns and summaries. */
export function messagesOf(entry: Entry): Message[] {
  switch (entry.type) {
    case "message":
      return fromMessage(entry.message as Foreign, Date.parse(entry.timestamp));
    case "custom_message":
      return user(entry.content, Date.parse(entry.timestamp));
    case "branch_summary":
      return user(fill(branchProse, { summary: entry.summary }), Date.parse(entry.timestamp));
    case "compaction":
      return withSeal(entry, user(compacted(entry), Date.parse(entry.timestamp)));
    default:
      return [];
  }
}

/** Content of a compaction: the summary, and its pictures if any. */
function compacted({ summary, preserveData }: Compaction): UserMessage["content"] {
  const said = fill(compactProse, { summary });
  const { frames = [], text, head, tail } = archiveOf(preserveData) ?? {};
  const pictures = frames.map(({ type, data, mimeType }): Image => ({ type, data, mimeType }));
  // If a picture is lost, the text of all of them is worth more than the rest.
  const isWhole = !pictures.some(isGone) && (pictures.length > 0 || text === undefined);
  const parts = isWhole || text === undefined ? [head, ...pictures, tail] : [text];
  const shown = parts.filter((part) => part !== undefined);
  if (shown.length === 0) return said;
  return [said, ...shown].map((part) => (typeof part === "string" ? { type: "text", text: part } : part));
}

/** Adds the vendor's own summary, and the literal parts. */
function withSeal({ summary, preserveData }: Compaction, messages: UserMessage[]): Message[] {
  const made = sealOf(preserveData);
  if (!made) return messages;
  const sealed = { ...made, text: quotesPart(summary) };
  return messages.map((message): SealedMessage => ({ ...message, sealed }));
}

/** A message of any program, not yet checked. */
interface Foreign {
  role: string;
  content?: unknown;
  timestamp?: number;
  summary?: string;
  command?: string;
  code?: string;
  output?: string;
  exitCode?: number;
  cancelled?: boolean;
  timedOut?: boolean;
  signal?: string;
  limit?: string;
  truncated?: boolean;
  artifactId?: string;
  excludeFromContext?: boolean;
  files?: { path: string; content?: string; image?: Image }[];
}

function fromMessage(message: Foreign, time: number): Message[] {
  const convert = Object.hasOwn(roles, message.role) ? roles[message.role] : undefined;
  return convert?.(message, message.timestamp ?? time) ?? [];
}

// Other roles (a system prompt of another program, and future ones) are kept in the file and not sent.
const roles: Readonly<Record<string, (message: Foreign, time: number) => Message[]>> = {
  user: (message) => [withContent(message)],
  assistant: (message) => [withContent(message)],
  toolResult: (message) => [withContent(message)],
  custom: (message, time) => user(contentOf(message.content), time),
  developer: (message, time) => user(contentOf(message.content), time),
  hookMessage: (message, time) => user(contentOf(message.content), time),
  branchSummary: (message, time) => user(fill(branchProse, { summary: message.summary ?? "" }), time),
  compactionSummary: (message, time) => user(fill(compactProse, { summary: message.summary ?? "" }), time),
  bashExecution: shell,
  pythonExecution: shell,
  fileMention: (message, time) => {
    const files = message.files ?? [];
    const texts = files.map(
      (file): Text => ({ type: "text", text: fill(fileProse, { path: file.path, content: file.content ?? "" }) }),
    );
    return user([...texts, ...files.flatMap((file) => (file.image ? [file.image] : []))], time);
  },
};

function shell(message: Foreign, time: number): Message[] {
  if (message.excludeFromContext) return [];
  const { command, code = "", output = "", truncated, artifactId } = message;
  const whole = artifactId === undefined ? "" : `: artifact://${artifactId}`;
  const cut = truncated ? `\n[This is the end of the output. All of it${whole || " was not kept"}]` : "";
  return user(fill(shellProse, { command: command ?? code, output: `${output}${cut}`, end: endOf(message) }), time);
}

function endOf({ cancelled, timedOut, limit, signal, exitCode }: Foreign): string {
  if (cancelled) return "cancelled";
  if (timedOut) return "out of time";
  if (limit !== undefined) return `ended: ${limit}`;
  return signal === undefined ? `exit code ${exitCode ?? "unknown"}` : `ended by ${signal}`;
}

const user = (content: UserMessage["content"], timestamp: number): UserMessage[] => [
  { role: "user", content: present(content), timestamp },
];

/** Returns the same object if it can be sent as it is, so that its encoded form is reused. */
function withContent(message: Foreign): Message {
  const content = contentOf(message.content);
  const shown = present(content);
  return (shown === message.content ? message : { ...message, content: shown }) as unknown as Message;
}

/** The parts that can be sent; the same object if all can. */
export function contentOf(content: unknown): UserMessage["content"] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return [];
  return content.every(isPart) ? content : content.filter(isPart);
}

/** Replaces lost images by a text, since their references would be taken for pictures. */
function present<C extends UserMessage["content"]>(content: C): C {
  if (typeof content === "string" || !content.some(isGone)) return content;
  return content.map((part) =>
    isGone(part) ? { type: "text", text: "[An image stood here. Its data is no longer available.]" } : part,
  ) as C;
}

// True for any reference, valid or not: base64 has no colon.
const isGone = (part: Text | Image) => part.type === "image" && (/^blob:/.test(part.data) || isDamaged(part.data));

/** Short images stand in the line itself, where damage shows only in invalid letters. */
const isDamaged = (data: string) => data.length < 1024 && !/^[A-Za-z0-9+/]*={0,2}$/.test(data);
