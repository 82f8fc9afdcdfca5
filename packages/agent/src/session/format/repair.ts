import { basename } from "node:path";
import { type Clock, fail, ok, type Result, uuid7 } from "@pith/kit";
import { formatVersion, type Header } from "../entry.ts";
import { parseObject, readHead } from "../index/head.ts";
import { readBeginning } from "../index/open.ts";
import { scanLines } from "../index/scan.ts";
import { rewritten, type Storage } from "../store/storage.ts";
import { migrate } from "./migrate.ts";

export interface PreparedStorage {
  storage: Storage;
  header: Header;
  notes: string[];
}

/** Presents any session as version 3 with a header; the disk is unchanged until the first append. */
export function prepareStorage(storage: Storage, clock: Clock): Result<PreparedStorage, "foreign" | "newer"> {
  const size = storage.size() ?? 0;
  const beginning = readBeginning((from, to) => storage.read(from, to), size);
  if (beginning === "foreign" || (beginning === "damaged" && !looksLikeSession(storage, size))) {
    return fail("foreign", `${storage.file ?? "This"} is not a session: it has no header line.`);
  }
  if (beginning === "damaged") return ok(withNewHeader(storage, size, clock));
  const { header } = beginning;
  if ((header.version ?? 1) > formatVersion) {
    const session = storage.file ?? "This session";
    const versions = `format version ${header.version}; this one knows up to ${formatVersion}`;
    return fail("newer", `${session} was written by a newer pith (${versions}).`);
  }
  const line = `${JSON.stringify({ ...header, version: formatVersion })}\n`;
  if (!beginning.whole) return ok({ storage: rewritten(storage, Buffer.from(line)), header, notes: [] });
  if ((header.version ?? 1) === formatVersion) return ok({ storage, header, notes: [] });
  const text = Buffer.from(migrate(storage.read()?.toString("utf8") ?? "", header.cwd ?? ""));
  return ok({ storage: rewritten(storage, text), header: { ...header, version: formatVersion }, notes: [] });
}

/** True for a torn header, or entries without an intact header. */
function looksLikeSession(storage: Storage, size: number): boolean {
  const odd: string[] = [];
  for (const line of scanLines((from, to) => storage.read(from, to), 0, size)) {
    const text = line.bytes.toString("latin1", 0, 100).trim();
    if (readHead(line.bytes) || headerStarts.some((start) => text.startsWith(start))) return true;
    if (text !== "") odd.push(text);
    // So short a text may be the beginning of anything; accepted only alone.
    if (odd.length > 1) odd.splice(0, 1, "more than one");
  }
  return odd.every((text) => headerStarts.some((start) => start.startsWith(text)));
}
const headerStarts = ['{"type":"session",', '{"type":"title",'];

/** Builds a header from the rest of the line and the file name. */
function withNewHeader(storage: Storage, size: number, clock: Clock): PreparedStorage {
  const now = clock.now();
  const [, date, time, id] = /^(\d{4}-\d\d-\d\d)T([\d-]+Z)_([\w.-]+)\.jsonl$/.exec(basename(storage.file ?? "")) ?? [];
  const [hour, minute, second, milli] = (time ?? "").split(/[-Z]/);
  const timestamp = date && milli ? `${date}T${hour}:${minute}:${second}.${milli}Z` : new Date(now).toISOString();
  const bytes = storage.read() ?? Buffer.alloc(0);
  const next = bytes.indexOf(10) === -1 ? size : bytes.indexOf(10) + 1;
  const torn = bytes.toString("utf8", 0, Math.min(next, longestHeader));
  const [cwd, parentSession] = [fieldIn(torn, "cwd"), fieldIn(torn, "parentSession")];
  const header: Header = {
    type: "session",
    version: formatVersion,
    id: id ?? fieldIn(torn, "id") ?? uuid7(now),
    timestamp,
    cwd: cwd ?? "",
    parentSession,
  };
  const rest = readHead(bytes.subarray(0, next)) ? bytes : bytes.subarray(next);
  const text = Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    rest,
    Buffer.from(rest.length > 0 && rest.at(-1) !== 10 ? "\n" : ""),
  ]);
  const lost = cwd === undefined ? ", without its directory" : "";
  const note = `The first line of the session could not be read; it was written anew${lost}.`;
  return { storage: rewritten(storage, text), header, notes: [note] };
}
const longestHeader = 64 << 10;

/** A complete field of a torn line. */
function fieldIn(torn: string, name: string): string | undefined {
  const [, text] = new RegExp(`[{,]"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(torn) ?? [];
  const value = parseObject(`{"text":${text}}`)?.text;
  return typeof value === "string" ? value : undefined;
}
