import type { Coder, SessionChoice, Settings } from "@pith/coder";
import type { Result } from "@pith/kit";
import type { LaunchFlags } from "../argv/flag.ts";
import type { Io } from "../io/io.ts";
import type { Conversation, Opening } from "../open/open.ts";
import type { Place } from "../open/slot.ts";
import type { Said } from "../prompt/prompt.ts";

/** A way to hold a conversation. Which one it is, is asked once; the rest is in what it says of itself. */
export interface Face extends Pick<Opening, "person" | "attend" | "otherwise"> {
  /** Why it does not go with these flags. */
  refuses(flags: LaunchFlags): string | undefined;
  /** Shows itself before there is a conversation; what is typed meanwhile is kept. */
  begin?(start: FaceStart, io: Io): Promise<void>;
  /** Lets a person say which session; undefined when they would rather leave. */
  choose?(sessions: string): Promise<SessionChoice | undefined>;
  /** There will be no conversation: the terminal is given back before anybody says why. */
  abandon?(): Promise<void>;
  /** Holds the conversation to its end, which is the exit code. */
  run(task: FaceTask, io: Io): Promise<number>;
}

/** What is known before anything is opened. */
export interface FaceStart {
  settings: Settings;
  flags: LaunchFlags;
  cwd: string;
}

export interface FaceTask extends Pick<FaceStart, "settings" | "cwd"> {
  coder: Coder;
  /** Nothing is connected, so the tour plays. */
  tour: boolean;
  /** What was said on the command line, or piped in. */
  said: Said | undefined;
  flags: LaunchFlags;
  /** The folder of all sessions. */
  sessions: string;
  /** Where the conversation is open. */
  place: Place;
  /** Opens another conversation in the place of this one, which is closed when that has worked; perhaps elsewhere. */
  reopen(session: SessionChoice, cwd?: string): Promise<Result<Conversation, string>>;
}
