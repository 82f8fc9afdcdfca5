import type { SessionChoice } from "@pith/coder";
import type { Result } from "@pith/kit";
import type { LaunchFlags } from "../argv/flag.ts";
import { exit } from "../io/interrupt.ts";
import { complain, type Io } from "../io/io.ts";
import type { Project } from "../open/project.ts";
import type { OpenOptions } from "../open/session.ts";
import type { SessionSlot } from "../open/slot.ts";
import type { LaunchPrompt } from "../prompt/prompt.ts";

/** A way to hold a conversation: print, full screen, RPC. */
export interface Frontend extends Pick<OpenOptions, "person" | "attend" | "otherwise"> {
  /** Says why the interface does not go with these flags. */
  refuses(flags: LaunchFlags): string | undefined;
  /** Shows the interface before there is a conversation, and keeps what is typed meanwhile. */
  begin?(start: FrontendStart, io: Io): Promise<void>;
  /** Lets a person choose a session; undefined when they leave instead. */
  choose?(sessions: string): Promise<SessionChoice | undefined>;
  /** Gives the terminal back; does nothing the second time. */
  end?(): Promise<void>;
  /** Holds the conversation to its end, which is the exit code. */
  run(task: FrontendTask, io: Io): Promise<number>;
}

/** Known before anything is opened. */
export type FrontendStart = Pick<Project, "flags" | "cwd" | "settings">;

export interface FrontendTask {
  slot: SessionSlot;
  /** From the command line and standard input. */
  prompt: LaunchPrompt | undefined;
  flags: LaunchFlags;
  /** The folder of all sessions. */
  sessions: string;
}

/**
 * Shows a frontend and holds a conversation in it. The terminal is given back before a failure is told; `left` is the
 * failure of a person who wants none, `lost` that of a conversation which had begun.
 */
export async function present(
  frontend: Frontend,
  start: FrontendStart,
  io: Io,
  converse: () => Promise<Result<number, string>>,
): Promise<number> {
  await frontend.begin?.(start, io);
  const ended = await converse().finally(() => frontend.end?.());
  if (ended.ok) return ended.value;
  if (ended.kind === "left") return exit.finished;
  complain(io, ended.message);
  return ended.kind === "lost" ? exit.unfinished : exit.usage;
}

/** The reason why a conversation at a terminal does not go with these flags. */
export function refusesAtTerminal(flags: LaunchFlags): string | undefined {
  if (flags.until) return "--until goes with -p";
  if (flags["max-time"]) return "--max-time goes with -p: at a terminal, Ctrl+C stops a turn";
  return flags.next ? "--next goes with -p: at a terminal, type it" : undefined;
}
