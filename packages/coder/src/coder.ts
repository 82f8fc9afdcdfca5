import type { Answer, Entry, Event, Header, Input } from "@pith/agent";
import type { Result } from "@pith/kit";
import type { Model } from "@pith/llm";

/** What a face needs of a coding agent. Everything else is told through events. */
export interface Coder {
  readonly header: Header;
  /** Where the record is; undefined when nothing is recorded. */
  readonly file: string | undefined;
  readonly model: Model;
  /** Entries from the root to the leaf. */
  path(): readonly Entry[];
  /** Admits input. `now` begins a turn when idle and steers when busy; `after` waits for the end of the turn. Resolves when the turn that takes it has ended. */
  send(input: Input, when?: "now" | "steer" | "after"): Promise<void>;
  answer(question: string, answer: Answer): void;
  interrupt(reason: string): Promise<void>;
  subscribe(listener: (event: Event) => void): Disposable;
  /** Flushes the record and ends what runs. */
  close(): Promise<void>;
}

export type Approval = "ask" | "write" | "auto" | "yolo" | "plan";

export interface CoderOptions {
  cwd: string;
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  env: Readonly<Record<string, string | undefined>>;
  /** As the user typed it; undefined takes the setting, then what is configured. */
  model: string | undefined;
  session: { open: "new" } | { open: "none" } | { open: "last" } | { open: "file"; path: string };
  approval: Approval;
  /** Whether somebody can answer a question; without, what would be asked is refused. */
  asks: boolean;
  maxSteps?: number;
}

export type OpenFailure = "model" | "session" | "setting";
export type OpenCoder = (options: CoderOptions) => Promise<Result<Coder, OpenFailure>>;
