import type { Coder } from "@pith/coder";
import type { LaunchFlags } from "../argv/flag.ts";
import type { Io } from "../io/io.ts";
import type { Opening } from "../open/open.ts";
import type { Said } from "../prompt/prompt.ts";

/** A way to hold a conversation. Which one it is, is asked once; the rest is in what it says of itself. */
export interface Face extends Pick<Opening, "person" | "attend"> {
  /** Why it does not go with these flags. */
  refuses(flags: LaunchFlags): string | undefined;
  /** Holds the conversation to its end, which is the exit code. */
  run(task: FaceTask, io: Io): Promise<number>;
}

export interface FaceTask {
  coder: Coder;
  /** Nothing is connected, so the tour plays. */
  tour: boolean;
  /** What was said on the command line, or piped in. */
  said: Said | undefined;
  flags: LaunchFlags;
  /** The folder of all sessions. */
  sessions: string;
}
