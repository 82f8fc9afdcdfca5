import { resolve } from "node:path";
import {
  dropSessionDatabase,
  isDatabaseDamage,
  type ListedSession,
  listSessions,
  openSessionDatabase,
  refreshSearch,
  type SearchHit,
  searchSessions,
  sessionDatabaseFile,
  sessionIds,
} from "@pith/agent";
import { type Database, formatBytes, isInside, plainText } from "@pith/kit";
import { pastTime } from "../../argv/duration.ts";
import type { Flags, FlagTable } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { sessionDir, sessionsFolder } from "../../open/folder.ts";
import { dayAndMinute } from "../../view/clock.ts";
import { inRows, inWindow, roomOf } from "../list.ts";
import { subcommand } from "../subcommand.ts";

const options = {
  here: { takes: "nothing", about: "only this directory" },
  project: { takes: "text", as: "dir", about: "only this directory and those below" },
  since: { takes: "text", as: "date", about: "only since this day, or the last 7d, 12h" },
  until: { takes: "text", as: "date", about: "only before this day" },
  model: { takes: "text", as: "name", about: "only this model, with or without its vendor" },
  tool: { takes: "text", as: "name", about: "only calls and results of this tool" },
  file: { takes: "text", as: "path", about: "only where this file was read or changed" },
  limit: { takes: "count", as: "n", about: "at most n (20)" },
  json: { takes: "nothing", about: "one JSON object per line" },
  "session-dir": sessionDir,
} as const satisfies FlagTable;
type SessionFlags = Flags<typeof options>;

/** Lists the sessions; with words, every entry that has them. */
export const sessions = subcommand({
  usage: "[words]",
  about: "list and search sessions",
  help: "sessions",
  options,
  run: ({ flags, words }, io) => listOrFind(flags, words.join(" "), io),
});

async function listOrFind(flags: SessionFlags, text: string, io: Io): Promise<number> {
  const now = io.clock.now();
  const [since, until] = [pastTime("since", flags.since, now), pastTime("until", flags.until, now)];
  if (!since.ok) return usage(io, since.message);
  if (!until.ok) return usage(io, until.message);
  const folder = await sessionsFolder(io, flags["session-dir"]);
  if (!folder.ok) return usage(io, folder.message);
  const range = { since: since.value, until: until.value };
  const searches = text !== "" || [flags.tool, flags.file, flags.model].some((filter) => filter !== undefined);
  const show = (database: Database) => {
    const request = { database, folder: folder.value, flags, range };
    return searches ? find(request, text, io) : list(request, io);
  };
  try {
    return await withShelf(io, show);
  } catch (error) {
    // Everything in the index can be read again from the sessions.
    if (!isDatabaseDamage(error)) throw error;
    complain(io, "the index of all sessions was damaged; it is built anew");
    dropSessionDatabase(sessionDatabaseFile(io.home));
    return withShelf(io, show);
  }
}

async function withShelf(io: Io, use: (database: Database) => number | Promise<number>): Promise<number> {
  const database = await openSessionDatabase(sessionDatabaseFile(io.home));
  try {
    return await use(database);
  } finally {
    database.close();
  }
}

interface ListRequest {
  database: Database;
  /** The folder of all sessions. */
  folder: string;
  flags: SessionFlags;
  range: { since: number | undefined; until: number | undefined };
}

const usualLimit = 20;

function list({ database, folder, flags, range }: ListRequest, io: Io): number {
  const { since = 0, until = Number.POSITIVE_INFINITY } = range;
  const project = projectOf(flags, io);
  const all = listSessions(database, folder);
  const fitting = all.filter(
    ({ cwd, modified }) =>
      (!project || isInside(project, cwd)) && (!flags.here || cwd === io.cwd) && modified >= since && modified < until,
  );
  const shown = fitting.slice(0, flags.limit ?? usualLimit);
  const length = idLength(all.map(({ id }) => id));
  for (const session of shown)
    io.out.write(flags.json ? jsonLine(session, io) : `${inWindow(listLine(session, length, roomOf(io)), io)}\n`);
  if (fitting.length > shown.length)
    complain(io, `${fitting.length - shown.length} more; pith sessions --limit <n> shows them`);
  const timed = flags.since !== undefined || flags.until !== undefined;
  if (fitting.length === 0)
    complain(io, timed && all.length > 0 ? "no session is of that time" : "there are no sessions here yet");
  return exit.finished;
}

async function find({ database, folder, flags, range }: ListRequest, text: string, io: Io): Promise<number> {
  const stop = new AbortController();
  using _ = io.interrupts.handle(() => stop.abort());
  await refreshSearch(database, folder, { tell: progressTo(io), signal: stop.signal });
  if (stop.signal.aborted) return exit.interrupted;
  const { model, tool, file } = flags;
  const cwd = flags.here ? io.cwd : undefined;
  const query = { text, folder, ...range, cwd, project: projectOf(flags, io), model, tool, file };
  const hits = searchSessions(database, { ...query, limit: flags.limit ?? usualLimit });
  // The shortened id of a hit must name its session among all sessions.
  const length = idLength(sessionIds(database));
  for (const hit of hits) io.out.write(flags.json ? jsonLine(hit, io) : `${hitLines(hit, length, io).join("\n")}\n`);
  if (hits.length === 0) complain(io, "nothing was found");
  return hits.length > 0 ? exit.finished : exit.unfinished;
}

/** Tells the progress of a long first reading. */
function progressTo(io: Io): (progress: { done: number; total: number }) => void {
  let last = 0;
  return ({ done, total }) => {
    const part = Math.floor((done / Math.max(1, total)) * 10);
    if (total < 50 << 20 || part === last) return;
    last = part;
    complain(io, `reading ${formatBytes(total)} of sessions for the first time: ${part * 10} %`);
  };
}

const projectOf = (flags: SessionFlags, io: Io): string | undefined =>
  flags.project === undefined ? undefined : resolve(io.cwd, flags.project);

function listLine(
  { id, modified, size, pinned, name, first, cwd }: ListedSession,
  length: number,
  columns: number,
): string {
  const all = [id.slice(0, length), dayAndMinute(modified), formatBytes(size).padStart(6)];
  // In a narrow window the title matters most: the size goes first, then the time.
  const count = [3, 2].find((fits) => all.slice(0, fits).join("  ").length + minTitle <= columns) ?? 1;
  const facts = all.slice(0, count).join("  ");
  const title = oneLine(name ?? first ?? "(nothing said)").slice(0, 200);
  return plainText(`${facts}  ${pinned ? "* " : ""}${title}  [${oneLine(cwd)}]`);
}

function hitLines({ session, entry, time, role, name, cwd, excerpt }: SearchHit, length: number, io: Io): string[] {
  const heading = `${session.slice(0, length)}${entry && `#${entry}`}  ${dayAndMinute(time)}  ${role}`;
  const where = `${heading}  ${name ? `${oneLine(name)}  ` : ""}[${oneLine(cwd)}]`;
  return [inWindow(plainText(where), io), ...inRows(excerpt, io, "    ", "    ")];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

/** Columns of a title that tell one session from another. */
const minTitle = 20;

/** The shortest length at which ids differ; those of one minute begin alike. */
function idLength(ids: readonly string[]): number {
  for (const length of [8, 13, 18, 23])
    if (new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size) return length;
  return 36;
}
