import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail, messageOf, ok, type Result, shortId } from "@pith/kit";
import { type Entry, formatVersion, type Header } from "../entry.ts";
import { toLine } from "../format/line.ts";
import { parseObject } from "../index/head.ts";
import { bucket, fileName } from "../library/files.ts";
import { writeSession } from "../library/write.ts";
import type { Blobs } from "../store/blob.ts";
import { readClaude } from "./claude.ts";
import { readCodex } from "./codex.ts";
import type { Foreign, Json, Timed } from "./read.ts";

export type Source = "claude" | "codex";

const readers: Record<Source, (lines: readonly Json[]) => Foreign | undefined> = {
  claude: readClaude,
  codex: readCodex,
};

export interface Imported {
  file: string;
  done: "imported" | "known";
}

/** Brings one session file of another program in, under its own id; what was brought in before is left as it is. */
export function importSession(
  source: Source,
  file: string,
  sessions: string,
  blobs: Blobs,
): Result<Imported, "foreign" | "unwritable"> {
  try {
    if (!statSync(file).isFile()) return fail("foreign", `${file} is not a file.`);
    const lines = readFileSync(file, "utf8")
      .replace(/^\ufeff/, "")
      .split("\n")
      .flatMap((line): Json[] => {
        const value = parseObject(line);
        return value ? [value] : [];
      });
    const foreign = readers[source](lines);
    if (!foreign || foreign.drafts.length === 0) return fail("foreign", `${file} holds no conversation of ${source}.`);
    // Both become part of a file's name.
    const [id, time] = [foreign.id.replace(/[^\w-]/g, "_"), Date.parse(foreign.timestamp) || 0];
    const header: Header = {
      type: "session",
      version: formatVersion,
      id,
      timestamp: new Date(time).toISOString(),
      cwd: foreign.cwd,
    };
    const target = join(bucket(sessions, foreign.cwd), fileName(header));
    if (existsSync(target)) return ok({ file: target, done: "known" });
    writeSession(target, header, linesOf(foreign.drafts, blobs));
    return ok({ file: target, done: "imported" });
  } catch (error) {
    return fail("unwritable", `${file} could not be imported: ${messageOf(error)}`);
  }
}

function* linesOf(drafts: readonly Timed[], blobs: Blobs): Generator<Buffer> {
  const taken = new Set<string>();
  const ids = new Map<string, string>();
  let parentId: string | null = null;
  for (const { draft, timestamp, origin } of drafts) {
    const id = shortId((candidate) => taken.has(candidate));
    taken.add(id);
    if (origin !== undefined && !ids.has(origin)) ids.set(origin, id);
    const { type, ...rest } = draft;
    const entry = { type, id, parentId, timestamp, ...rest } as Entry;
    // A summary that stands for all before it keeps nothing of that.
    yield Buffer.from(
      toLine(
        entry.type === "compaction" ? { ...entry, firstKeptEntryId: ids.get(entry.firstKeptEntryId) ?? id } : entry,
        blobs,
      ),
    );
    parentId = id;
  }
}
