import type { Intent } from "@pith/agent";
import type { Parsed } from "../bash/parse.ts";
import type { Judgement } from "../judge/judged.ts";
import type { JudgeState } from "../judge/state.ts";

declare module "@pith/agent" {
  interface Intent {
    /** The command as it was read and judged, once, when the call was prepared. */
    judged?: JudgedCommand | undefined;
    /** True where nothing that the command does can be kept: it only looks, or the kernel lets it do no more. */
    held?: true | undefined;
    /** True where it leaves the sandbox in a mode that keeps commands in it: a person is asked about all of it. */
    outside?: true | undefined;
  }
}

/** The command of an intent, and what it runs in. */
export type CommandToJudge = Pick<Intent, "cwd" | "confined" | "env"> & { command: string };

export interface JudgedCommand {
  tree: Parsed;
  judgement: Judgement;
  /** The shell and the disk when it was judged. */
  state: JudgeState;
}
