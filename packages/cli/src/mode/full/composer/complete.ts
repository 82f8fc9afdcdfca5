import { listSessions, openSessionDatabase, sessionDatabaseFile } from "@pith/agent";
import { type Command, sessionsFolder } from "@pith/coder";
import { type Completer, type Completion, fuzzy } from "@pith/tui";
import type { ScreenContext } from "../context.ts";

/** Milliseconds for which a list is not made again. */
const freshMs = 5000;
const most = 50;

/** Completes commands and their words, files behind `@`, sessions and artifacts behind `#`. */
export function completerFor(context: ScreenContext): Completer {
  const files = remembered(context, (signal) => context.coder?.draft.names(signal) ?? Promise.resolve([]));
  const others = remembered(context, () => addresses(context));
  return async (text, cursor, signal) => {
    const before = text.slice(0, cursor);
    if (before.startsWith("/") && !before.includes("\n")) return commands(context, before, cursor);
    const [, sign, word = ""] = /(?:^|[\s("'])([@#])([^\s"']*)$/.exec(before) ?? [];
    if (sign === undefined) return [];
    const from = cursor - word.length - 1;
    if (sign === "#") {
      const found = fuzzy(await others(signal), word, ({ label }) => label);
      return found.slice(0, most).map(({ item }) => ({ ...item, from, to: cursor }));
    }
    const found = fuzzy(await files(signal), word, (path) => path);
    return found.slice(0, most).map(({ item }) => ({
      label: item,
      insert: `${/\s/.test(item) ? `@"${item}"` : `@${item}`} `,
      from,
      to: cursor,
    }));
  };
}

function remembered<T>({ timers }: ScreenContext, list: (signal: AbortSignal) => Promise<readonly T[]>) {
  let kept: { at: number; items: readonly T[] } | undefined;
  return async (signal: AbortSignal): Promise<readonly T[]> => {
    if (kept && timers.now() - kept.at < freshMs) return kept.items;
    const items = await list(signal);
    if (!signal.aborted) kept = { at: timers.now(), items };
    return items;
  };
}

async function commands({ coder }: ScreenContext, before: string, cursor: number): Promise<Completion[]> {
  if (!coder) return [];
  const name = /^\/([\w:-]*)$/.exec(before)?.[1];
  if (name !== undefined)
    return fuzzy(inGroups(coder.commands.rows), name, (row) => row.name)
      .slice(0, most)
      .map(({ item }) => ({
        label: `/${item.name}`,
        detail: [item.about, item.usage ?? "", item.from ? `(${groupOf(item)})` : ""].filter(Boolean).join("  "),
        insert: `/${item.name}${item.usage ? " " : ""}`,
        from: 0,
        to: cursor,
      }));
  const words = await coder.commands.complete(before);
  // A suggestion may have spaces: one that begins with all typed words replaces all of them.
  const begin = /^\S+\s*/.exec(before)?.[0].length ?? 0;
  const fromOf = (word: string) => (word.startsWith(before.slice(begin)) ? begin : before.lastIndexOf(" ") + 1);
  return words.slice(0, most).map((word) => ({ label: word, insert: word, from: fromOf(word), to: cursor }));
}

/** The group of a command: of pith itself, or where its file is. */
const groupOf = ({ from, name }: Command): string =>
  from === undefined ? "" : name.startsWith("skill:") ? "skill" : from.level;

/** Commands by their names: those of pith, then those of files by where these are. */
const inGroups = (rows: readonly Command[]): Command[] =>
  rows.toSorted((a, b) => groupOf(a).localeCompare(groupOf(b)) || a.name.localeCompare(b.name));

/** Lists the artifacts that this session cites, and other sessions. */
async function addresses({
  coder,
  io,
  settings,
}: ScreenContext): Promise<Pick<Completion, "label" | "detail" | "insert">[]> {
  const cited = new Set<string>();
  let looked = 0;
  for (const entry of coder?.record.back() ?? []) {
    if (++looked > 200) break;
    if (entry.type === "message")
      for (const [, id = ""] of JSON.stringify(entry.message).matchAll(/artifact:\/\/(\d+)/g)) cited.add(id);
  }
  const artifacts = [...cited].map((id) => ({
    label: `artifact ${id}`,
    detail: "an output, whole",
    insert: `artifact://${id}`,
  }));
  const database = await openSessionDatabase(sessionDatabaseFile(io.home));
  try {
    const sessions = listSessions(database, sessionsFolder(settings, io)).filter(({ file }) => file !== coder?.file);
    return [
      ...artifacts,
      ...sessions.slice(0, 500).map(({ id, name, first }) => ({
        label: (name ?? first ?? id).replace(/\s+/g, " ").slice(0, 80),
        detail: id.slice(0, 8),
        insert: `session ${id}`,
      })),
    ];
  } finally {
    database.close();
  }
}
