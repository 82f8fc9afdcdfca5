import type { Env } from "@pith/host";
import type { Clock } from "@pith/kit";
import type { Models, TransportOptions } from "@pith/llm";
import type { PromptSources } from "../context/prompt.ts";
import type { Editor } from "../files/unsaved.ts";
import type { Approval } from "../policy/approval.ts";
import type { Trust } from "../policy/trust/trust.ts";
import type { Settings } from "../setting/setting.ts";
import type { TerminalFrontend } from "../shell/at-terminal.ts";
import type { Terminals } from "../shell/client-terminal.ts";

/** Options of one process of pith; `given.ts` has the defaults. */
export interface HouseOptions {
  cwd: string;
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  env: Env;
  /** The environment of commands, when it is smaller than pith's own. */
  commandEnv?: Env | undefined;
  settings: Settings;
  /** Decides which content of a project may execute; the default reads the user's stored answers. */
  trust?: Trust | undefined;
  clock: Clock;
  /** True when somebody can answer a question; otherwise a call that would ask is refused. */
  asks: boolean;
  /** The approval modes this run may be given; only these are named in refusals. */
  modes?: readonly Approval[] | undefined;
  /** Says whether another turn may follow, or the session ends with the first. */
  after: "more" | "end";
  /** The frontend that can show a program which needs a terminal. */
  face: TerminalFrontend | undefined;
  /** Access to models, when it is not the configured one. */
  models?: Models | undefined;
  /** Disposed last, with the process. */
  own?: Disposable | undefined;
  /** Identifies the terminal, where there is one. */
  terminal?: string | undefined;
  /** Words in the place of the system prompt, or behind it; `{ system: "" }` leaves it out. */
  words?: PromptSources["wanted"];
  /** An editor that may show unsaved files of the project. */
  editor?: Editor | undefined;
  /** Runs the model's commands in somebody else's terminals, without our shell and sandbox. */
  terminals?: Terminals | undefined;
  /** Records or disturbs the traffic to models. */
  wire?: TransportOptions | undefined;
}
