import type { SessionChoice } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";
import type { Io } from "../io/io.ts";
import { createGarbageCollector } from "./garbage.ts";
import { openProject } from "./project.ts";
import { type OpenOptions, type OpenSession, openSession } from "./session.ts";

/** Holds the session that is open, and can put another into its place. */
export interface SessionSlot {
  readonly current: OpenSession;
  /** Opens another one, perhaps in another directory. The present one is closed once that worked, and stays if not. */
  swap(session: SessionChoice, cwd?: string): Promise<Result<OpenSession, string>>;
  close(): Promise<void>;
}

/** Opens the first session. Settings of another directory are read when a session is opened there. */
export async function openSlot(options: OpenOptions, io: Io): Promise<Result<SessionSlot, string>> {
  const first = await openSession(options, io);
  if (!first.ok) return first;
  let current = first.value;
  const collect = createGarbageCollector();
  return ok({
    get current() {
      return current;
    },
    async swap(session, cwd = current.cwd) {
      const { flags, trust } = options;
      const project = cwd === current.cwd ? ok(current) : await openProject(flags, io, { cwd, trust });
      if (!project.ok) return project;
      const other = await openSession({ ...options, session, cwd, settings: project.value.settings }, io);
      if (!other.ok) return other;
      await current.close();
      current = other.value;
      // Nobody waits for an answer; the runtime would collect what the old session held much later.
      collect();
      return other;
    },
    close: () => current.close(),
  });
}

/** A slot whose session stays; `reason` is the answer to every other one. */
export const fixedSlot = (current: OpenSession, reason: string): SessionSlot => ({
  current,
  swap: async () => fail("fixed", reason),
  close: () => current.close(),
});
