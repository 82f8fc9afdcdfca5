import { openSessionDatabase, refreshSearch, sessionDatabaseFile } from "@pith/agent";
import { type History, historyFile, openHistory } from "@pith/coder";
import type { Clock } from "@pith/kit";

/**
 * What happens beside a conversation at a prompt: what is typed is kept, and while nobody works the search is brought
 * up to date.
 */
export interface Background {
  typed(text: string): void;
  /** What was typed before, the newest first. */
  recall(): Promise<string[]>;
  /** Nobody works any more. */
  idle(): void;
  /** Somebody works again. */
  busy(): void;
  close(): Promise<void>;
}

export interface BackgroundOptions {
  /** The directory of pith's own files. */
  home: string;
  cwd: string;
  /** The folder of all sessions. */
  sessions: string;
  clock: Clock;
  /** How long it is quiet before there is time for other things. */
  quietMs?: number;
}

export function openBackground({ home, cwd, sessions, clock, quietMs = 30_000 }: BackgroundOptions): Background {
  let history: Promise<History> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: AbortController | undefined;
  let work: Promise<void> | undefined;
  const recalled = () => (history ??= openHistory(historyFile(home), clock));
  const busy = () => {
    clearTimeout(timer);
    timer = undefined;
    stop?.abort();
  };
  return {
    typed: (text) => void recalled().then((kept) => kept.add(text, cwd)),
    recall: async () => (await recalled()).recent(recallMost).map(({ prompt }) => prompt),
    idle() {
      busy();
      timer = setTimeout(() => {
        stop = new AbortController();
        // An index that cannot be brought up to date now will be by whoever searches.
        work = refresh(home, sessions, stop.signal).catch(() => {});
      }, quietMs);
      timer.unref();
    },
    busy,
    async close() {
      busy();
      await work;
      (await history)?.close();
    },
  };
}

const recallMost = 200;

async function refresh(home: string, sessions: string, signal: AbortSignal): Promise<void> {
  const database = await openSessionDatabase(sessionDatabaseFile(home));
  try {
    await refreshSearch(database, sessions, { pace: "gently", signal });
  } finally {
    database.close();
  }
}
