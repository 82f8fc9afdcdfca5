import type { Event } from "@pith/agent";
import type { Coder, SessionChoice } from "@pith/coder";
import type { Result } from "@pith/kit";
import type { Model } from "@pith/llm";
import type { Line } from "./frame.ts";
import type { HostTools } from "./host-tools.ts";

/**
 * What the commands of a program may use: the conversation that is open, and the way to another. It knows nothing of
 * how lines come and go.
 */
export interface SessionHost {
  readonly coder: Coder;
  readonly cwd: string;
  /** Opens another session in the place of this one. Nothing of the old one is told after this has resolved. */
  swap(session: SessionChoice): Promise<Result<undefined, string>>;
  /** Why no other can be opened in its place, where that is so. */
  readonly stays: string | undefined;
  /** Models that can be used now. */
  models(): Promise<Result<readonly Model[], string>>;
  /** Writes the session as a page; where it is. */
  exportHtml(file: string | undefined): Promise<Result<string, string>>;
  /** Answers a question; fails where it is not open, or where that is no answer to it. */
  answer(question: string, said: AnswerFields): Result<undefined, string>;
  /** Hears what happens before it is told as lines. */
  hear(listener: (event: Event) => void): Disposable;
  /** Tells something that is no event of the session. */
  emit(line: Line): void;
  readonly tools: HostTools;
  /** Whether calls that have not begun are left out once somebody has said something. */
  interruptMode: "immediate" | "wait";
  /** What is being carried out and can be stopped: slash commands. */
  readonly performing: Set<AbortController>;
  /** Ends all of it, in order, once the answer to this command is out. */
  leave(): void;
}

/** An answer in the words of our own command, or of a dialog of pi. */
export type AnswerFields =
  | { option?: string | readonly string[]; words?: string; holds?: "once" | "session" | "project" }
  | { value: string }
  | { confirmed: boolean }
  | { cancelled: true };
