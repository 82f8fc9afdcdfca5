import { type Files, openFiles } from "../files/files.ts";
import { Unsaved } from "../files/unsaved.ts";
import type { MakePart } from "../hall/part.ts";
import { isOwn } from "../policy/approval.ts";
import { isBarred } from "../policy/rule/path-rules.ts";
import { sandboxTmp, seenInSandbox } from "../shell/sandbox.ts";
import { Snapshots } from "../snapshot/snapshot.ts";
import { Conflicts } from "../url/conflicts.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    files: Files;
    /** Unsaved text of an editor, where there is one. */
    unsaved: Unsaved | undefined;
    snapshots: Snapshots;
    conflicts: Conflicts;
  }
}

type Directories = "cwd" | "home" | "userHome" | "roots" | "directory";
type Needs = Directories | "env" | "launch" | "secrets" | "sandbox" | "inside" | "access";

/** Files as tools see them: masked, checked against the rules, with an editor's unsaved text. */
export const sessionFiles: MakePart<Needs, "files" | "unsaved" | "snapshots" | "conflicts"> = (hall) => {
  const { cwd, home, userHome, env, roots, secrets, directory, sandbox, inside } = hall;
  const { looking, closed, isOpen } = hall.access;
  const { editor } = hall.launch;
  const unsaved = editor && new Unsaved(editor, (real) => isOwn(real, inside) && isOpen(real));
  const snapshots = new Snapshots(
    directory.lasting === undefined ? undefined : () => directory.folder,
    (text) => secrets.mask(text) !== text,
  );
  return {
    name: "session files",
    owns: {
      files: openFiles({
        cwd,
        userHome,
        roots,
        tmp: (path) =>
          sandbox.isGiven(path) ? path : sandboxTmp(path, sandbox.tmp(), [cwd, ...roots, directory.folder]),
        seenAs: (path) => seenInSandbox(path, sandbox.tmp()),
        cacheDir: `${home}/cache`,
        closed: inside.home,
        path: env.PATH,
        restore: (held, said) => secrets.restore(held, said),
        check: (path) => looking.check(path),
        bars: closed && ((path, from) => isBarred(closed, path, from)),
        unsaved,
      }),
      unsaved,
      snapshots,
      conflicts: new Conflicts(() => directory.lasting),
    },
    [Symbol.asyncDispose]: () => snapshots.flush(),
  };
};
