import {
  type ListedSession,
  listSessions,
  openSessionDatabase,
  refreshSearch,
  type SearchHit,
  searchSessions,
  sessionDatabaseFile,
} from "@pith/agent";
import { sessionsFolder } from "@pith/coder";
import { type Database, messageOf } from "@pith/kit";
import { createList, cursorMark, fit, fuzzy, graphemes, type List, type ListItem, oneLine, printable } from "@pith/tui";
import { ago } from "../../../../view/ago.ts";
import type { Dialog, ScreenContext } from "../../context.ts";
import { createPreview } from "./preview.ts";

interface Session extends ListItem {
  session: ListedSession;
  /** The text that was found in it. */
  hit?: SearchHit;
}

const mostHits = 60;
const pauseMs = 80;

/** Lists sessions to go on with, the newest first; names and every word of a session are searched. */
export async function sessionsDialog(
  context: ScreenContext,
  close: () => void,
  choose?: (path: string | undefined) => void,
): Promise<Dialog> {
  const { theme, io } = context;
  const folder = sessionsFolder(context.settings, io);
  const database = await openSessionDatabase(sessionDatabaseFile(io.home));
  const all = othersIn(database, folder, context);
  const nothing = all.length === 0 ? "there is no other session yet" : "no session is like that";
  const preview = createPreview(theme);
  let done = false;
  const list = createList<Session>({
    theme,
    items: all,
    height: 12,
    empty: nothing,
    cancel: close,
    choose({ session: { file } }) {
      done = true;
      choose?.(file);
      close();
      if (!choose) void context.swap({ open: "file", path: file });
    },
  });
  const find = findWith({ database, folder, all, list }, context);
  return {
    title: "sessions",
    hint: "type to search names and all that was said  Enter resumes  Esc closes",
    rows: 20,
    input(event) {
      if (event.type === "paste") find.type(find.query + oneLine(event.text));
      if (event.type !== "key") return "used";
      if (event.combo === "escape" && find.query !== "") find.type("");
      else if (event.combo === "backspace") find.type(graphemes(find.query).slice(0, -1).join(""));
      else if (list.input(event) === "used") return "used";
      else if (event.text !== "") find.type(find.query + event.text);
      else return "passed";
      return "used";
    },
    render(columns, height) {
      const { current } = list;
      const below = current ? preview(current.session, current.hit, columns, Math.min(7, Math.floor(height / 2))) : [];
      const head = fit(`  ${theme.paint("dim", "find:")} ${printable(find.query)}${cursorMark}`, columns);
      return [head, ...list.render(columns, Math.max(2, height - below.length - 1)), ...below];
    },
    closed() {
      find.close();
      database.close();
      if (!done) choose?.(undefined);
    },
    spoken: () => list.current?.label ?? nothing,
  };
}

/** All sessions but the open one, those of this directory first. */
function othersIn(database: Database, folder: string, context: ScreenContext): Session[] {
  const sessions = listSessions(database, folder).filter(({ file }) => file !== context.coder?.file);
  const here = ({ cwd }: ListedSession) => cwd === context.cwd;
  const sorted = [...sessions.filter(here), ...sessions.filter((each) => !here(each))];
  return sorted.map((session) => itemOf(session, context));
}

interface Search {
  database: Database;
  folder: string;
  all: readonly Session[];
  list: List<Session>;
}

/** Searches for what is typed, after a pause; sessions are indexed meanwhile. */
function findWith({ database, folder, all, list }: Search, { timers, screen, io }: ScreenContext) {
  const closed = new AbortController();
  let query = "";
  let cancel = () => {};
  const find = () => {
    list.items = query.trim() === "" ? all : found(database, all, query, folder);
    screen.request();
  };
  void refreshSearch(database, folder, { pace: "gently", signal: closed.signal }).then(
    () => !closed.signal.aborted && query !== "" && find(),
    (error) => io.log.write("warn", "search is not up to date", messageOf(error)),
  );
  return {
    get query() {
      return query;
    },
    type(next: string) {
      query = next;
      cancel();
      cancel = timers.after(pauseMs, find);
    },
    close() {
      closed.abort();
      cancel();
    },
  };
}

function itemOf(session: ListedSession, context: ScreenContext): Session {
  const label = session.name ?? session.first ?? "(nothing was said)";
  const where = session.cwd === context.cwd ? "" : session.cwd;
  const when = ago(context.io.clock.now() - session.modified);
  return {
    session,
    id: session.file,
    label: oneLine(label).slice(0, 200),
    detail: [when, where].filter(Boolean).join(", "),
  };
}

/** Sessions whose names fit, then those with a text that does. */
function found(database: Database, all: readonly Session[], query: string, folder: string): Session[] {
  const named = fuzzy(all, query, ({ label, session }) => `${label} ${session.id}`).map(({ item }) => item);
  const byFile = new Map(all.map((item) => [item.session.file, item]));
  const known = new Set(named.map(({ session }) => session.file));
  const more: Session[] = [];
  for (const hit of searchSessions(database, { text: query, folder, limit: mostHits })) {
    const item = byFile.get(hit.file);
    if (!item || known.has(hit.file)) continue;
    known.add(hit.file);
    more.push({ ...item, hit });
  }
  return [...named.slice(0, 100), ...more];
}
