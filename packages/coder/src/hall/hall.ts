import type { Channel, Journal, Questions } from "@pith/agent";
import type { Env } from "@pith/host";
import type { Clock } from "@pith/kit";
import type { PromptSources } from "../context/prompt.ts";
import type { Choice } from "../model/choice.ts";
import type { Grants } from "../policy/grant/grant.ts";
import type { Settings } from "../setting/setting.ts";
import type { TerminalFrontend } from "../shell/at-terminal.ts";
import type { NamedPaths } from "../shell/named.ts";
import type { HouseOptions } from "./house.ts";

/**
 * Everything that the conversations of one process share. A part that is made once per process adds what it owns by
 * extending this interface in its own file.
 */
export interface House {
  cwd: string;
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  env: Env;
  clock: Clock;
  /** The files of settings and their values; a conversation reads them through `settings`, which knows its profile. */
  store: Settings;
  /** All options that the process was opened with. */
  launch: HouseOptions;
}

/**
 * Everything that one conversation consists of: the main one, or a sub-agent's. A part adds what it owns by extending
 * this interface in its own file.
 */
export interface Hall extends House, Opening {}

/** Facts about a conversation that are known before its parts are made. */
export interface Opening {
  /** The name of the agent that speaks here. */
  agent: string;
  scope: "main" | "child";
  /** True when somebody can answer a question; otherwise a call that would ask is refused. */
  asks: boolean;
  /** Says whether another turn may follow, or the session ends with the first. */
  after: "more" | "end";
  /** The frontend that can show a program which needs a terminal. */
  face: TerminalFrontend | undefined;
  /** Words in the place of the system prompt, or behind it. */
  words: PromptSources["wanted"];
  opened: {
    journal: Journal;
    channel: Channel;
    choice: Choice;
    /** Grants and questions of a sub-agent: its parent's grants, and questions that are asked in its parent's conversation. */
    grants?: Grants;
    /** Paths that the person named in the parent's conversation. */
    named?: NamedPaths;
    questions?: Questions;
  };
}
