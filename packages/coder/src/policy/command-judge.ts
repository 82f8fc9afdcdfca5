import { tmpdir } from "node:os";
import type { Intent } from "@pith/agent";
import { isDirectory, realPath } from "@pith/kit";
import type { Parsed } from "../bash/parse.ts";
import { judge } from "../judge/judge.ts";
import { gitDanger, type IsTrusted } from "../judge/machine/git-config.ts";
import { matchesOf } from "../judge/machine/glob.ts";
import { programFinder } from "../judge/machine/program-file.ts";
import type { JudgeState } from "../judge/state.ts";
import type { Inside } from "./approval.ts";
import type { CommandToJudge, JudgedCommand } from "./judged-command.ts";

export interface LiveSources {
  cwd: string;
  userHome: string;
  inside: Inside;
  env: Readonly<Record<string, string | undefined>>;
  isTrusted?: IsTrusted | undefined;
  /** True for a file of the machine's `/tmp` that the person named. */
  isGiven?(path: string): boolean;
}

/** Judges the commands of a conversation, each once, by what the disk is at that moment. */
export function commandJudge(sources: LiveSources): (command: CommandToJudge, tree: Parsed) => JudgedCommand {
  const stateFor = stateBy(sources);
  return (command, tree) => {
    const state = stateFor(command);
    return { tree, state, judgement: judge(command.command, state, tree) };
  };
}

/** In a sandbox nobody but the session has put anything there. */
const sandboxTemporary = ["/tmp", "/var/tmp", "/dev/shm"];

/** Collects what commands are judged by: the disk, and the configuration of repositories. */
export function stateBy({ cwd, userHome, inside, env, isTrusted = () => false, isGiven }: LiveSources) {
  const temporary = [...new Set([...sandboxTemporary, tmpdir()].map(realPath))];
  const home = realPath(userHome);
  const program = programFinder(env.PATH ?? "", [...inside.project, ...temporary]);
  return (intent: Pick<Intent, "cwd" | "confined">): JudgeState => ({
    cwd: realPath(intent.cwd ?? cwd),
    roots: inside.project,
    home,
    pithHome: inside.home,
    temporary,
    given: intent.confined ? isGiven : undefined,
    kept: [...inside.kept, ...inside.scratch, ...(intent.confined ? sandboxTemporary : [])],
    scratch: inside.scratch,
    searchPath: env.PATH ?? "",
    program,
    git: (directory) => gitDanger(directory, isTrusted),
    glob: matchesOf,
    isDirectory,
    real: realPath,
  });
}
