import { sessionsFolder } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";
import type { LaunchFlags } from "../../argv/flag.ts";
import type { Io } from "../../io/io.ts";
import { openProject } from "../../open/project.ts";
import { type OpenOptions, openSession } from "../../open/session.ts";
import { sessionOf } from "../../open/session-choice.ts";
import { HostedSession } from "./hosted-session.ts";

export interface OpenRequest {
  cwd: string;
  /** The id of one that was held before, or its file; a new one without. */
  session?: string | undefined;
  model?: string | undefined;
}

/** The sessions that live in this process. */
export class HostedSessions {
  readonly #flags: LaunchFlags;
  readonly #io: Io;
  readonly #sessions = new Map<string, HostedSession>();
  /** Records that are being opened, so that two who ask for one at once get the same. */
  readonly #opening = new Map<string, Promise<Result<HostedSession, string>>>();
  readonly #stop: () => void;

  constructor(flags: LaunchFlags, io: Io, stop: () => void) {
    this.#flags = flags;
    this.#io = io;
    this.#stop = stop;
  }

  get(id: string): HostedSession | undefined {
    const all = [...this.#sessions.values()];
    return this.#sessions.get(id) ?? (id.length >= 6 ? only(all.filter((one) => one.id.startsWith(id))) : undefined);
  }

  facts() {
    return { pid: process.pid, sessions: [...this.#sessions.values()].map((hosted) => hosted.facts()) };
  }

  async open({ cwd, session, model }: OpenRequest): Promise<Result<HostedSession, string>> {
    const flags = { ...this.#flags, model: model ?? this.#flags.model };
    const project = await openProject(flags, this.#io, { cwd, base: "project" });
    if (!project.ok) return project;
    const { settings } = project.value;
    const choice = sessionOf({ resume: session }, project.value.cwd, sessionsFolder(settings, this.#io));
    if (!choice.ok) return choice;
    const options: OpenOptions = { ...project.value, session: choice.value, person: "there" };
    if (choice.value.open !== "file") return this.#begin(options);
    const { path } = choice.value;
    const there = this.#holding(path);
    if (there) return ok(there);
    const made = this.#opening.get(path) ?? this.#begin(options);
    this.#opening.set(path, made);
    try {
      return await made;
    } finally {
      this.#opening.delete(path);
    }
  }

  async #begin(options: OpenOptions): Promise<Result<HostedSession, string>> {
    const opened = await openSession(options, this.#io);
    if (!opened.ok) return fail("open", opened.message);
    const hosted = new HostedSession(opened.value, this.#io);
    this.#sessions.set(hosted.id, hosted);
    return ok(hosted);
  }

  /** By itself: a session that was handed over has another id than the one it was opened by. */
  async close(hosted: HostedSession): Promise<void> {
    for (const [id, one] of this.#sessions) if (one === hosted) this.#sessions.delete(id);
    await hosted.close();
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((hosted) => this.close(hosted)));
  }

  stop(): void {
    this.#stop();
  }

  #holding(file: string): HostedSession | undefined {
    return [...this.#sessions.values()].find(({ coder }) => coder.file === file);
  }
}

const only = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);
