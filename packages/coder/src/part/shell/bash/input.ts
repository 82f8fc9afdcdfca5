import { schema as s } from "@pith/agent";
import type { Parsed } from "../../../bash/parse.ts";
import type { Files } from "../../../files/files.ts";
import type { Approval } from "../../../policy/approval.ts";
import type { CommandToJudge, JudgedCommand } from "../../../policy/judged-command.ts";
import type { TerminalFrontend } from "../../../shell/at-terminal.ts";
import type { CommandSandbox } from "../../../shell/sandbox.ts";
import type { InterceptRule } from "./intercept-rules.ts";
import type { PatchOptions } from "./patch.ts";
import type { RunOptions } from "./run.ts";

/** Seconds. */
export const maxTimeout = 3600;

const base = {
  command: s.string(),
  cwd: s.string().optional(),
  timeout: s.number().optional(),
  env: s.record(s.string()).optional(),
  pty: s.boolean().optional().describe("At a terminal, with the user at it"),
};
const async = s.boolean().optional().describe("In the background");
/** Ways in which a command may need more than its sandbox lets it do. */
export const levels = ["write", "network", "outside"] as const;
const needs = s.oneOf(levels).optional();
const reason = s.string().optional().describe("Why the sandbox must let it do that; the user is asked");
const whole = s.object({ ...base, async, needs, reason });
export type BashInput = s.Infer<typeof whole>;
/** Reads fields that are not offered too: `async` is refused then, and nothing needs more than there is. */
export const offered = (jobs: boolean, sandbox: boolean): s.Schema<BashInput> =>
  new s.Schema(s.object({ ...base, ...(jobs && { async }), ...(sandbox && { needs, reason }) }).json, whole.read);

export interface BashOptions extends RunOptions {
  files: Files;
  /** Seconds a command may run when the call does not say. */
  timeout?: number;
  /** A trailing `| tail` is taken off or stays. */
  pipes?: "strip" | "keep";
  /** A command that runs longer becomes a job. */
  backgroundMs?: number | undefined;
  rules?: readonly InterceptRule[];
  /** True when a tool is there that a blocked command may be sent to. */
  has?(tool: string): boolean;
  /** A terminal with a person at it; absent where there is none. */
  face?: TerminalFrontend | undefined;
  /** Applies a command that is nothing but a patch; absent, the shell runs that too. */
  patch?: PatchOptions;
  /** Judges a command as it will run; what the intent carries of it is what rules and modes decide by. */
  judge?(command: CommandToJudge, tree: Parsed): Promise<JudgedCommand>;
  /** The approval mode, by which it is chosen where a command runs. */
  approval?(): Approval;
  /** True where somebody can be asked to let a command out of the sandbox. */
  asks?(): boolean;
  /** Set where the agent only looks: its commands run where nothing can be kept, or as plain ones. */
  looks?: true | undefined;
  /** The sandbox for commands, if they may have one. */
  sandbox?: CommandSandbox | undefined;
}
