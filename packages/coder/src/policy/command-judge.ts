import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Intent } from "@pith/agent";
import type { Shell } from "@pith/host";
import { realPath } from "@pith/kit";
import type { Parsed } from "../bash/parse.ts";
import { judge } from "../judge/judge.ts";
import { gitLocation, gitReader } from "../judge/machine/git-file.ts";
import { indexReader } from "../judge/machine/git-index.ts";
import { linksMatching } from "../judge/machine/match.ts";
import { type ShellChanges, shellChangeReader } from "../judge/machine/shell-changes.ts";
import { isBelow } from "../judge/path-kind.ts";
import type { JudgeState } from "../judge/state.ts";
import type { Inside } from "./approval.ts";
import type { CommandToJudge, JudgedCommand } from "./judged-command.ts";

export interface LiveSources {
  cwd: string;
  userHome: string;
  inside: Inside;
  shell: Pick<Shell, "definitions">;
  env: Readonly<Record<string, string | undefined>>;
}

type Live = Pick<Intent, "cwd" | "confined" | "env">;

/** Judges the commands of a conversation, each once, by what its shell and the disk are at that moment. */
export function commandJudge(sources: LiveSources): (command: CommandToJudge, tree: Parsed) => JudgedCommand {
  const stateFor = liveState(sources);
  return (command, tree) => {
    const state = stateFor(command);
    return { tree, state, judgement: judge(command.command, state, tree) };
  };
}

/** In a sandbox nobody but the session has put anything there. */
const sandboxTemporary = ["/tmp", "/var/tmp", "/dev/shm"];

/** Collects what commands are judged by: the shell as it is now, the disk, the repository's configuration. */
export function liveState({ cwd, userHome, inside, shell, env }: LiveSources): (intent: Live) => JudgeState {
  const indexOf = indexReader();
  const git = gitReader(indexOf);
  const learned = learnedBy(shell);
  const temporary = [...new Set(["/tmp", "/var/tmp", "/dev/shm", tmpdir()].map(realPath))];
  const home = realPath(userHome);
  return (intent) => {
    const since = learned(intent.confined ? "inside" : "outside");
    const path = intent.env?.PATH ?? since?.path?.now ?? env.PATH ?? "";
    const trusted = since?.path?.began ?? env.PATH ?? "";
    return {
      cwd: realPath(intent.cwd ?? cwd),
      roots: inside.project,
      home,
      pithHome: inside.home,
      temporary,
      kept: [...inside.kept, ...inside.scratch, ...(intent.confined ? sandboxTemporary : [])],
      scratch: inside.scratch,
      aliases: since?.aliases ?? {},
      functions: since?.functions ?? [],
      startupFunctions: since?.startupFunctions ?? [],
      variables: { ...withoutPath(since?.variables ?? {}), ...withoutPath(intent.env ?? {}) },
      options: since?.options ?? [],
      unclear: since?.unclear ? "what the shell has become is not understood" : undefined,
      lookup: lookupIn(path, trusted, [...inside.project, ...temporary]),
      git,
      tracked: (directory) => {
        const place = gitLocation(directory);
        return place && indexOf(place.folder, place.root);
      },
      links: linksMatching,
      real: realPath,
    };
  };
}

type Learning = (side: "outside" | "inside") => ShellChanges | undefined;
const learnings = new WeakMap<LiveSources["shell"], Learning>();

/** Shares one reader of a shell's changes among all that judge by it. */
function learnedBy(shell: LiveSources["shell"]): Learning {
  const before = learnings.get(shell);
  if (before) return before;
  const learnedFrom = shellChangeReader();
  const learning: Learning = (side) => {
    const memory = shell.definitions(side);
    return memory && learnedFrom(memory);
  };
  learnings.set(shell, learning);
  return learning;
}

/** Leaves out `PATH`: which program a changed one leads to is looked up for each name. */
const withoutPath = ({ PATH: _, ...more }: Readonly<Record<string, string>>): Readonly<Record<string, string>> => more;

/**
 * Finds what a program's name leads to where that is a file that somebody may have put there. Only the folder that has
 * it is looked at closely: a path is long, and most of it has nothing to say.
 */
function lookupIn(path: string, trusted: string, open: readonly string[]): (name: string) => string | undefined {
  const folders = path.split(":");
  const known = new Set(trusted.split(":"));
  const isSafe = (folder: string): boolean => {
    if (!isAbsolute(folder) || !known.has(folder)) return false;
    const real = realPath(folder);
    return !open.some((one) => isBelow(one, real));
  };
  return (name) => {
    // What a folder without a beginning holds depends on where the command stands by then: it may hold the program.
    const folder = folders.find((one) => !isAbsolute(one) || existsSync(join(one, name)));
    return folder === undefined || isSafe(folder) ? undefined : join(folder || ".", name);
  };
}
