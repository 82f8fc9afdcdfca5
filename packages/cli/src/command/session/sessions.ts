import { resolve } from "node:path";
import {
  type Database,
  dropSessionDatabase,
  isDatabaseDamage,
  type ListedSession,
  listSessions,
  openSessionDatabase,
  refreshSearch,
  type SearchHit,
  search,
  sessionDatabaseFile,
  sessionIds,
} from "@pith/agent";
import { fail, formatBytes, isInside, ok, plainText, type Result } from "@pith/kit";
import { type Flags, type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { sessionDir, sessionsFolder } from "../../open/folder.ts";
import { dayAndMinute } from "../../view/clock.ts";
import type { Command } from "../command.ts";
import { inRows, inWindow, roomOf } from "../list.ts";

export const options = {
  here: { takes: "nothing", about: "only of this directory" },
  project: { takes: "text", as: "dir", about: "only of this directory and those below" },
  since: { takes: "text", as: "date", about: "only from this day on, or the last 7d, 12h" },
  until: { takes: "text", as: "date", about: "only before this day" },
  model: { takes: "text", as: "name", about: "only what this model answered, with or without its vendor" },
  tool: { takes: "text", as: "name", about: "only calls and results of this tool" },
  file: { takes: "text", as: "path", about: "only where this file was read or changed" },
  limit: { takes: "count", as: "n", about: "at most n (20)" },
  json: { takes: "nothing", about: "one JSON object per line" },
  "session-dir": sessionDir,
} as const satisfies FlagTable;
type SessionFlags = Flags<typeof options>;

/** `pith sessions`: the list of sessions; with words, every place where they were said. */
export const sessions: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  const [since, until] = [timeOf("since", flags.since, io), timeOf("until", flags.until, io)];
  if (!since.ok) return usage(io, since.message);
  if (!until.ok) return usage(io, until.message);
  const folder = await sessionsFolder(io, flags["session-dir"]);
  if (!folder.ok) return usage(io, folder.message);
  const range: Range = {
    since: since.value,
    until: until.value,
  };
  const text = [...words, ...plain].join(" ");
  const wantsWords = text !== "" || [flags.tool, flags.file, flags.model].some((wanted) => wanted !== undefined);
  const show = (database: Database) =>
    wantsWords ? find(database, folder.value, text, flags, range, io) : list(database, folder.value, flags, range, io);
  try {
    return await withShelf(io, show);
  } catch (error) {
    // Everything in it can be read again from the sessions.
    if (!isDatabaseDamage(error)) throw error;
    complain(io, "the index of all sessions was damaged; it is built anew");
    dropSessionDatabase(sessionDatabaseFile(io.home));
    return withShelf(io, show);
  }
};

async function withShelf(io: Io, use: (database: Database) => number | Promise<number>): Promise<number> {
  const database = await openSessionDatabase(sessionDatabaseFile(io.home));
  try {
    return await use(database);
  } finally {
    database.close();
  }
}

interface Range {
  since?: number;
  until?: number;
}

const usualLimit = 20;

function list(
  database: Database,
  folder: string,
  flags: SessionFlags,
  { since = 0, until = Number.POSITIVE_INFINITY }: Range,
  io: Io,
): number {
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

async function find(
  database: Database,
  folder: string,
  text: string,
  flags: SessionFlags,
  range: Range,
  io: Io,
): Promise<number> {
  const stop = new AbortController();
  using _ = io.interrupts.handle(() => stop.abort());
  const progress = progressTo(io);
  await refreshSearch(database, folder, { tell: progress, signal: stop.signal });
  if (stop.signal.aborted) return exit.interrupted;
  const { model, tool, file } = flags;
  const query = {
    text,
    folder,
    ...range,
    cwd: flags.here ? io.cwd : undefined,
    project: projectOf(flags, io),
    model,
    tool,
    file,
  };
  const hits = search(database, { ...query, limit: flags.limit ?? usualLimit });
  // What a hit names must be enough to go on with it, whatever other sessions there are.
  const length = idLength(sessionIds(database));
  for (const hit of hits) io.out.write(flags.json ? jsonLine(hit, io) : `${hitLines(hit, length, io).join("\n")}\n`);
  if (hits.length === 0) complain(io, "nothing was found");
  return hits.length > 0 ? exit.finished : exit.unfinished;
}

/** Only a long first reading is worth a word. */
function progressTo(io: Io): (progress: { done: number; total: number }) => void {
  let said = 0;
  return ({ done, total }) => {
    const part = Math.floor((done / Math.max(1, total)) * 10);
    if (total < 50 << 20 || part === said) return;
    said = part;
    complain(io, `reading ${formatBytes(total)} of sessions for the first time: ${part * 10} %`);
  };
}

const projectOf = (flags: SessionFlags, io: Io): string | undefined =>
  flags.project === undefined ? undefined : resolve(io.cwd, flags.project);

function listLine(
  { id, modified, size, pinned, name, first, cwd }: ListedSession,
  length: number,
  room: number,
): string {
  const all = [id.slice(0, length), dayAndMinute(modified), formatBytes(size).padStart(6)];
  // In a narrow window a session is known by what it is about: its size goes first, then its time.
  const kept = [3, 2].find((count) => all.slice(0, count).join("  ").length + leastTitle <= room) ?? 1;
  const facts = all.slice(0, kept).join("  ");
  const title = oneLine(name ?? first ?? "(nothing said)").slice(0, 200);
  return plainText(`${facts}  ${pinned ? "* " : ""}${title}  [${oneLine(cwd)}]`);
}

function hitLines({ session, entry, time, role, name, cwd, excerpt }: SearchHit, length: number, io: Io): string[] {
  const heading = `${session.slice(0, length)}${entry && `#${entry}`}  ${dayAndMinute(time)}  ${role}`;
  const where = `${heading}  ${name ? `${oneLine(name)}  ` : ""}[${oneLine(cwd)}]`;
  return [inWindow(plainText(where), io), ...inRows(excerpt, io, "    ", "    ")];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

/** As much of a title as tells one session from another. */
const leastTitle = 20;

/** As short as ids can be cut and still be told apart; those of one minute begin alike. */
function idLength(ids: readonly string[]): number {
  for (const length of [8, 13, 18, 23])
    if (new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size) return length;
  return 36;
}

const spans: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

function timeOf(name: string, text: string | undefined, io: Io): Result<number | undefined, string> {
  if (text === undefined) return ok(undefined);
  const [, count, unit] = /^(\d+)([hdw])$/.exec(text) ?? [];
  if (count && unit) return ok(io.clock.now() - Number(count) * (spans[unit] ?? 0));
  const time = Date.parse(text);
  return Number.isNaN(time)
    ? fail("usage", `--${name}: expected a date like 2026-03-01, or 7d, 12h, found ${JSON.stringify(text)}`)
    : ok(time);
}
