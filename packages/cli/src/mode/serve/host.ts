import { resolve } from "node:path";
import { findSession } from "@pith/agent";
import { openTrust, type SessionChoice, sessionsFolder } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";
import { workDirectory } from "../../argv/directory.ts";
import type { LaunchFlags } from "../../argv/flag.ts";
import type { Io } from "../../io/io.ts";
import { openConversation } from "../../open/open.ts";
import { overridesOf } from "../../open/override.ts";
import { settingsIn } from "../../open/setting.ts";
import { Hosted } from "./hosted.ts";

export interface Order {
  cwd: string;
  /** The id of one that was held before, or its file; a new one without. */
  session?: string | undefined;
  model?: string | undefined;
}

/** The sessions that live in this process. */
export class Host {
  readonly #flags: LaunchFlags;
  readonly #io: Io;
  readonly #sessions = new Map<string, Hosted>();
  /** Records that are being opened, so that two who ask for one at once get the same. */
  readonly #opening = new Map<string, Promise<Result<Hosted, string>>>();
  readonly #stop: () => void;

  constructor(flags: LaunchFlags, io: Io, stop: () => void) {
    this.#flags = flags;
    this.#io = io;
    this.#stop = stop;
  }

  get(id: string): Hosted | undefined {
    const all = [...this.#sessions.values()];
    return this.#sessions.get(id) ?? (id.length >= 6 ? only(all.filter((one) => one.id.startsWith(id))) : undefined);
  }

  facts() {
    return { pid: process.pid, sessions: [...this.#sessions.values()].map((hosted) => hosted.facts()) };
  }

  async open({ cwd: wanted, session, model }: Order): Promise<Result<Hosted, string>> {
    const io = this.#io;
    const flags = { ...this.#flags, ...(model === undefined ? {} : { model }) };
    const cwd = workDirectory(wanted, io.cwd);
    if (!cwd.ok) return cwd;
    const overrides = overridesOf(flags, { ...io, cwd: cwd.value });
    if (!overrides.ok) return overrides;
    const trust = openTrust({ home: io.home, run: flags.trust ? "everything" : undefined });
    const overlays = flags.config?.map((file) => resolve(io.cwd, file));
    const settings = await settingsIn(io, { cwd: cwd.value, overlays, overrides: overrides.value }, trust);
    if (!settings.ok) return settings;
    const choice = chosen(session, sessionsFolder(settings.value, io), cwd.value);
    if (!choice.ok) return choice;
    const { value: sessionChoice } = choice;
    const opening = {
      flags,
      settings: settings.value,
      trust,
      cwd: cwd.value,
      session: sessionChoice,
      person: "there",
    } as const;
    if (sessionChoice.open !== "file") return this.#begin(opening);
    const { path } = sessionChoice;
    const there = this.#holding(path);
    if (there) return ok(there);
    const made = this.#opening.get(path) ?? this.#begin(opening);
    this.#opening.set(path, made);
    try {
      return await made;
    } finally {
      this.#opening.delete(path);
    }
  }

  async #begin(opening: Parameters<typeof openConversation>[0]): Promise<Result<Hosted, string>> {
    const opened = await openConversation(opening, this.#io);
    if (!opened.ok) return fail("open", opened.message);
    const hosted = new Hosted(opened.value, this.#io);
    this.#sessions.set(hosted.id, hosted);
    return ok(hosted);
  }

  /** By itself: a session that was handed over has another id than the one it was opened by. */
  async close(hosted: Hosted): Promise<void> {
    for (const [id, one] of this.#sessions) if (one === hosted) this.#sessions.delete(id);
    await hosted.close();
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((hosted) => this.close(hosted)));
  }

  stop(): void {
    this.#stop();
  }

  #holding(file: string): Hosted | undefined {
    return [...this.#sessions.values()].find(({ coder }) => coder.file === file);
  }
}

function chosen(session: string | undefined, sessions: string, cwd: string): Result<SessionChoice, string> {
  if (session === undefined) return ok({ open: "new" });
  const file = findSession(session, sessions, cwd);
  return file.ok ? ok({ open: "file", path: file.value }) : file;
}

const only = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);
