import type { Event } from "@pith/agent";
import type { Coder, SessionChoice } from "@pith/coder";
import type { Fail, Result } from "@pith/kit";
import type { Model } from "@pith/llm";
import type { Line } from "./frame.ts";
import type { HostTools } from "./host-tools.ts";

/** Everything that commands of a program may use: the session that is open, and the way to another. */
export interface SessionHost {
  readonly coder: Coder;
  readonly cwd: string;
  /** Opens another session in the place of this one, of which nothing is told once this has resolved; or says why not. */
  swap(session: SessionChoice): Promise<Fail<string> | undefined>;
  /** The reason why no other session can take the place of this one, where that is so. */
  readonly stays: string | undefined;
  /** Models that can be used now. */
  models(): Promise<Result<readonly Model[], string>>;
  /** Writes the session as a page; gives its path. */
  exportHtml(file: string | undefined): Promise<Result<string, string>>;
  /** Answers a question; fails when it is not open, or when that is no answer to it. */
  answer(question: string, fields: AnswerFields): Fail<string> | undefined;
  /** Hears events before they are told as lines. */
  hear(listener: (event: Event) => void): Disposable;
  /** Tells something that is no event of the session. */
  emit(line: Line): void;
  readonly tools: HostTools;
  /** `immediate` leaves out calls that have not begun once somebody has said something. */
  interruptMode: "immediate" | "wait";
  /** Slash commands that run and can be stopped. */
  readonly performing: Set<AbortController>;
  /** Ends all of it, in order, once the answer to this command is out. */
  leave(): void;
}

/** Fields of an answer: those of our own command, or of a dialog of pi. */
export type AnswerFields =
  | { option?: string | readonly string[]; words?: string; holds?: "once" | "session" | "project" }
  | { value: string }
  | { confirmed: boolean }
  | { cancelled: true };
