import { openSessionDatabase, refreshSearch, sessionDatabaseFile } from "@pith/agent";
import { type History, historyFile, openHistory } from "@pith/coder";
import type { Clock } from "@pith/kit";

/**
 * Work beside a conversation: keeps prompts for later sessions, and indexes sessions for the search while nothing runs.
 */
export interface Background {
  typed(text: string): void;
  /** Earlier prompts, the newest first. */
  recall(): Promise<string[]>;
  /** Called when nothing runs any more. */
  idle(): void;
  /** Called when something runs again. */
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
  /** Milliseconds of quiet until sessions are indexed. */
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
        // A failure does not matter: a search brings the index up to date as well.
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
