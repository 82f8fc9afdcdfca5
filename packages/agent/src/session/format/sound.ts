import { isRecord } from "@pith/kit";
import { noUsage } from "@pith/llm";
import type { Entry } from "../entry.ts";

type Json = Record<string, unknown>;
type Check = (value: unknown) => boolean;

/**
 * Checks an entry of an untrusted line: returns the same object if valid, a repaired copy if a field is missing, or a
 * `pith.damaged` entry if it is unusable.
 */
export function validEntry(entry: Json): Entry {
  const hung = entry.parentId === null || isText(entry.parentId) ? entry : { ...entry, parentId: null };
  const dated = isText(hung.timestamp) ? hung : { ...hung, timestamp: new Date(0).toISOString() };
  const mend = Object.hasOwn(mends, String(entry.type)) ? mends[String(entry.type)] : undefined;
  const sound = mend ? mend(dated) : dated;
  if (sound) return sound as unknown as Entry;
  const { id, parentId, timestamp } = dated;
  return { type: "custom", id, parentId, timestamp, customType: "pith.damaged", data: { entry } } as Entry;
}

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
type FieldCheck = readonly [isSound: Check, instead: unknown];
const unknownText: FieldCheck = [isText, "unknown"];
const optionalText: FieldCheck = [(value) => value === undefined || isText(value), undefined];

/** Required fields by type; undefined if the entry is unusable. */
const mends: Readonly<Record<string, (entry: Json) => Json | undefined>> = {
  message: (entry) => {
    if (!isRecord(entry.message) || !isText(entry.message.role)) return undefined;
    const message = soundMessage(entry.message, entry.timestamp);
    return message === entry.message ? entry : { ...entry, message };
  },
  model_change: (entry) => {
    // omp writes both in one word.
    const [, provider = "unknown", modelId = entry.model ?? "unknown"] =
      /^([^/]+)\/(.+)$/s.exec(String(entry.model ?? "")) ?? [];
    return withFields(entry, { provider: [isText, provider], modelId: [isText, modelId] });
  },
  thinking_level_change: (entry) => withFields(entry, { thinkingLevel: [isText, "off"] }),
  custom_message: (entry) => withFields(withContent(entry), { customType: unknownText }),
  compaction: (entry) =>
    withFields(entry, { summary: [isText, ""], firstKeptEntryId: [isText, entry.id], tokensBefore: [isNumber, 0] }),
  branch_summary: (entry) => withFields(entry, { summary: [isText, ""], fromId: [isText, "root"] }),
  custom: (entry) => withFields(entry, { customType: unknownText }),
  label: (entry) => (isText(entry.targetId) ? withFields(entry, { label: optionalText }) : undefined),
  session_info: (entry) => withFields(entry, { name: optionalText }),
};

function soundMessage(message: Json, time: unknown): Json {
  const timestamp: FieldCheck = [isNumber, Date.parse(String(time)) || 0];
  if (message.role === "user") return withFields(withContent(message), { timestamp });
  if (message.role === "toolResult") {
    const fields = { toolCallId: unknownText, toolName: unknownText, isError: [isFlag, false], timestamp } as const;
    return withFields(withContent(message, "as parts"), fields);
  }
  if (["custom", "hookMessage", "developer"].includes(String(message.role))) return withContent(message);
  if (message.role === "fileMention") return withFiles(message);
  if (message.role !== "assistant")
    return withFields(message, Object.fromEntries(Object.entries(said).filter(([name]) => name in message)));
  const named = { api: unknownText, provider: unknownText, model: unknownText };
  const fields = { ...named, usage: [isUsage, noUsage()], stopReason: [isText, "stop"], timestamp } as const;
  return withFields(withContent(message, "as parts"), fields);
}

/** Fields in messages of other programs. */
const said: Readonly<Record<string, FieldCheck>> = {
  summary: [isText, undefined],
  command: [isText, undefined],
  code: [(value) => isText(value) || isNumber(value), undefined],
  output: [isText, undefined],
  exitCode: [isNumber, undefined],
};

/** Keeps the usable parts of attached files. */
function withFiles(message: Json): Json {
  const files = Array.isArray(message.files) ? message.files.filter((file) => isRecord(file) && isText(file.path)) : [];
  const isSound = (file: Json) =>
    (file.content === undefined || isText(file.content)) && (file.image === undefined || isImage(file.image));
  const mended = ({ path, content, image }: Json) => ({
    path,
    content: isText(content) ? content : "",
    image: isImage(image) ? image : undefined,
  });
  return { ...message, files: files.map((file) => (isSound(file) ? file : mended(file))) };
}
const isImage = (image: unknown): boolean => isRecord(image) && isText(image.data) && isText(image.mimeType);

const isUsage: Check = (usage) =>
  isRecord(usage) && isNumber(usage.input) && isNumber(usage.output) && isRecord(usage.cost);

function withFields(value: Json, fields: Readonly<Record<string, FieldCheck>>): Json {
  let sound = value;
  for (const [name, [isSound, instead]] of Object.entries(fields))
    if (!isSound(sound[name])) sound = { ...sound, [name]: instead };
  return sound;
}

/** Keeps text, or valid parts. */
function withContent(value: Json, form?: "as parts"): Json {
  const { content } = value;
  if (typeof content === "string")
    return form ? { ...value, content: content === "" ? [] : [{ type: "text", text: content }] } : value;
  if (!Array.isArray(content)) return { ...value, content: [] };
  return content.every(isPart) ? value : { ...value, content: content.filter(isPart) };
}

const parts: Readonly<Record<string, (part: Json) => boolean>> = {
  text: ({ text }) => isText(text),
  image: ({ data, mimeType }) => isText(data) && isText(mimeType),
  thinking: ({ thinking }) => isText(thinking),
  toolCall: ({ id, name, arguments: input }) => isText(id) && isText(name) && isRecord(input),
};

// Unknown kinds of parts are left to their readers.
export const isPart = (part: unknown): boolean =>
  isRecord(part) && isText(part.type) && (parts[String(part.type)]?.(part) ?? true);
