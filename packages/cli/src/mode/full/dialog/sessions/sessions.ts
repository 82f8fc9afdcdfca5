import { type Listed, listSessions, openShelf, shelfFile } from "@pith/agent";
import { sessionsFolder } from "@pith/coder";
import { createList, type Item } from "@pith/tui";
import type { Dialog, Seat } from "../../seat.ts";

interface Session extends Item {
  session: Listed;
}

/** Sessions to go on with, the newest first; those of this directory before the others. */
export async function sessionsDialog(
  seat: Seat,
  close: () => void,
  choose?: (path: string | undefined) => void,
): Promise<Dialog> {
  const database = await openShelf(shelfFile(seat.io.home));
  const all = listSessions(database, sessionsFolder(seat.settings, seat.io));
  database.close();
  const here = all.filter(({ cwd }) => cwd === seat.cwd);
  const items = [...here, ...all.filter(({ cwd }) => cwd !== seat.cwd)].map((session): Session => {
    const label = session.name ?? session.first ?? "(nothing was said)";
    return { session, label, keywords: session.cwd, detail: session.cwd === seat.cwd ? "" : session.cwd };
  });
  const list = createList<Session>({
    look: seat.look,
    items,
    filter: true,
    height: 14,
    empty: "no session is like that",
    choose([item]) {
      if (!item) return;
      if (choose) choose(item.session.file);
      close();
      if (!choose) void seat.swap({ open: "file", path: item.session.file });
    },
    cancel: close,
  });
  return Object.assign(list, {
    title: "sessions",
    hint: "Enter goes on with it  Escape closes",
    rows: 16,
    closed: () => choose?.(undefined),
  });
}
