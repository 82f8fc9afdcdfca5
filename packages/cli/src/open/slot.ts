import type { SessionChoice, Settings } from "@pith/coder";
import { ok, type Result } from "@pith/kit";
import type { Io } from "../io/io.ts";
import { type Conversation, type Opening, openConversation } from "./open.ts";

/** The conversation that is open, and the way to another in its place. */
export interface Place {
  readonly current: Conversation;
  /** Opens another, perhaps elsewhere; the present one is closed when that has worked, and stays when it has not. */
  swap(session: SessionChoice, cwd?: string): Promise<Result<Conversation, string>>;
  close(): Promise<void>;
}

/** Opens the first; settings of other directories are read when somebody goes there. */
export async function openPlace(
  opening: Opening,
  io: Io,
  settingsAt: (cwd: string) => Promise<Result<Settings, string>>,
): Promise<Result<Place, string>> {
  const first = await openConversation(opening, io);
  if (!first.ok) return first;
  let current = first.value;
  let settled = process.memoryUsage.rss();
  return ok({
    get current() {
      return current;
    },
    async swap(session, cwd = current.cwd) {
      const settings = cwd === current.cwd ? ok(current.settings) : await settingsAt(cwd);
      if (!settings.ok) return settings;
      const other = await openConversation({ ...opening, session, cwd, settings: settings.value }, io);
      if (!other.ok) return other;
      await current.close();
      current = other.value;
      settled = letGo(settled);
      return other;
    },
    close: () => current.close(),
  });
}

/** Bytes that conversations which have ended may hold. */
const spare = 16 * 1024 * 1024;

/** What was said in the old one is let go of now, while nobody waits for words; by itself that comes much later. */
function letGo(before: number): number {
  if (process.memoryUsage.rss() - before < spare) return before;
  Bun.gc(true);
  return process.memoryUsage.rss();
}
