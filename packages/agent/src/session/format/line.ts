import { tryOr } from "@pith/kit";
import type { Entry } from "../entry.ts";
import { parseObject } from "../index/head.ts";
import { type Blobs, isBlobRef } from "../store/blob.ts";
import { validEntry } from "./sound.ts";

/** Longer strings are stored as blobs; the line has their beginning, for programs that do not know our blobs. */
const maxString = 500_000;
const cutNotice = "[Session persistence truncated large content]";
const spilled = new RegExp(`\\n(blob:sha256:[0-9a-f]{64})\\n${cutNotice.replace(/[[\]]/g, "\\$&")}$`);
/** Base64 of images is stored as a blob from this length on. */
const minBlob = 1024;

const transient: ReadonlySet<string> = new Set(["partialJson", "jsonlEvents"]);
const mayBeTransient = new RegExp([...transient].join("|"));
const signatures: ReadonlySet<string> = new Set(["thinkingSignature", "thoughtSignature", "textSignature"]);

/** Writes an entry as a line: images and long strings become blobs, transient fields are dropped. */
export function toLine(entry: Entry, blobs: Blobs | undefined): string {
  const line = JSON.stringify(entry);
  // A short line has no long strings.
  return line.length < minBlob && !mayBeTransient.test(line) ? line : JSON.stringify(lean(entry, blobs));
}

/** Reads the entry of a line and restores its images; undefined if it is none. A missing blob stays a reference. */
export function fromLine(line: string, blobs: Blobs | undefined, onMissing: (ref: string) => void): Entry | undefined {
  const entry = parseObject(line);
  if (!entry || typeof entry.id !== "string" || typeof entry.type !== "string") return undefined;
  return validEntry(line.includes("blob:sha256:") ? full(entry, blobs, onMissing) : entry);
}

/** Returns the same value if nothing changes, so that most entries are not copied. */
function lean<T>(value: T, blobs: Blobs | undefined): T {
  if (typeof value !== "object" || value === null) return value;
  return mapValues(value, (item, key, owner) => {
    if (typeof item === "string") return item.length < minBlob ? item : leanString(item, key, owner, blobs);
    return lean(item, blobs);
  });
}

function leanString(text: string, key: string, owner: object, blobs: Blobs | undefined): string {
  if (isImageData(key, owner)) return imageRef(text, blobs) ?? text;
  if (key === "image_url" && /^data:image\/[^,]*;base64,/.test(text)) return keep(Buffer.from(text), blobs) ?? text;
  if (text.length <= maxString) return text;
  if (signatures.has(key)) return "";
  const ref = keep(Buffer.from(text), blobs);
  if (ref === undefined) return text;
  const end = `\n${ref}\n${cutNotice}`;
  return `${whole(text.slice(0, maxString - end.length))}${end}`;
}

// Base64 that does not survive the round trip stays as it is.
function imageRef(data: string, blobs: Blobs | undefined): string | undefined {
  const bytes = Buffer.from(data, "base64");
  return bytes.toString("base64") === data ? keep(bytes, blobs) : undefined;
}

// If the blob cannot be written, the line may still be; its failure is reported there.
const keep = (bytes: Buffer, blobs: Blobs | undefined) => tryOr(() => blobs?.put(bytes));

/** A text without an unpaired surrogate at its end. */
const whole = (text: string) => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);

function full<T>(value: T, blobs: Blobs | undefined, onMissing: (ref: string) => void): T {
  if (typeof value !== "object" || value === null) return value;
  return mapValues(value, (item, key, owner) => {
    if (typeof item === "string" && item.endsWith(cutNotice)) return unspill(item, blobs, onMissing);
    if (!isBlobRef(item)) return full(item, blobs, onMissing);
    const encoding = isImageData(key, owner) ? "base64" : key === "image_url" ? "utf8" : undefined;
    if (!encoding) return item;
    const bytes = blobs?.get(item);
    if (!bytes) onMissing(item);
    return bytes?.toString(encoding) ?? item;
  });
}

/** Restores a long string. A string that only looks like a stored one has another beginning and stays. */
function unspill(text: string, blobs: Blobs | undefined, onMissing: (ref: string) => void): string {
  const [end, ref] = spilled.exec(text.slice(-200)) ?? [];
  if (end === undefined || ref === undefined || !blobs) return text;
  const bytes = blobs.get(ref);
  if (!bytes) onMissing(ref);
  const whole = bytes?.toString("utf8");
  return whole?.startsWith(text.slice(0, -end.length)) ? whole : text;
}

const isImageData = (key: string, owner: object) => key === "data" && (owner as { type?: unknown }).type === "image";

function mapValues<T extends object>(value: T, map: (item: unknown, key: string, owner: object) => unknown): T {
  let copy: Record<string, unknown> | undefined;
  for (const key in value) {
    const item: unknown = value[key];
    const mapped = transient.has(key) ? undefined : map(item, key, value);
    if (mapped === item) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    if (mapped === undefined) delete copy[key];
    else copy[key] = mapped;
  }
  return (copy as T | undefined) ?? value;
}
