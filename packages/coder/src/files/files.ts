import type { Stats } from "node:fs";
import {
  applySteps,
  findAny,
  findTarget,
  isDatabase,
  listArchive,
  listFiles,
  listSources,
  nearPath,
  readDocument,
  readMember,
  readPage,
  readPicture,
  readTree,
  readWhole,
  rgPath,
  searchFiles,
  spelledPath,
} from "@pith/host";
import type { Fail, Result } from "@pith/kit";
import { nameOf, type PathBase, resolvePath, statOf } from "./path.ts";

/**
 * The tools' only way to the work tree. What stands between them and the disk (a sandbox, an editor with unsaved text)
 * puts itself in its place.
 */
export interface Files extends Required<PathBase> {
  /** The absolute path that an argument means. */
  resolve(argument: string): string;
  /** The name by which the model knows a path, and can give it back. */
  show(path: string): string;
  /** What stands at a path, if anything that we may look at. */
  stat(path: string): Stats | undefined;
  /** A path in the spelling in which it is on the disk. */
  spelled: typeof spelledPath;
  /** What a path that is not there may have meant. */
  near: typeof nearPath;
  /** All bytes of a file. */
  read: typeof readWhole;
  /** Some lines of a file of any size. */
  page: typeof readPage;
  /** What a directory holds. */
  tree: typeof readTree;
  /** What an archive holds. */
  members: typeof listArchive;
  member: typeof readMember;
  isDatabase: typeof isDatabase;
  /** A document as text. */
  document: typeof readDocument;
  picture: typeof readPicture;
  /** Names below a directory. A link is listed and not followed, here and in the two below. */
  list: WithoutRg<typeof listFiles>;
  search: WithoutRg<typeof searchFiles>;
  /** Files in a language that can be parsed. */
  sources: WithoutRg<typeof listSources>;
  /** What stands at a path, so that a change can be planned for exactly that. */
  find: typeof findTarget;
  /** The same for what is replaced or removed as a whole: it may have any size. */
  findAny: typeof findAny;
  /** Makes all steps of a plan, or none; what is no longer as it was found stays as it is. */
  place: typeof applySteps;
}

// biome-ignore lint/suspicious/noExplicitAny: the type of any such function
type WithoutRg<F extends (request: any) => Promise<unknown>> = (
  request: Omit<Parameters<F>[0], "rg">,
) => Promise<Awaited<ReturnType<F>> | Fail<"missing">>;

export interface FilesOptions extends PathBase {
  /** Where a compiled pith may put the ripgrep it carries. */
  cacheDir: string;
  /** Where to look for ripgrep last. */
  path: string | undefined;
}

export function openFiles({ cwd, userHome, roots = [], cacheDir, path }: FilesOptions): Files {
  const base = { cwd, userHome, roots };
  let known: Promise<Result<string, "missing">> | undefined;
  const rg = () => (known ??= rgPath({ cacheDir, path }));
  /** Looks ripgrep up when it is first needed. */
  const withRg =
    <R extends { rg: string }, T>(run: (request: R) => Promise<T>) =>
    async (request: Omit<R, "rg">): Promise<T | Fail<"missing">> => {
      const program = await rg();
      return program.ok ? run({ ...request, rg: program.value } as R) : program;
    };
  return {
    ...base,
    resolve: (argument) => resolvePath(base, argument),
    show: (absolute) => nameOf(cwd, absolute),
    stat: statOf,
    spelled: spelledPath,
    near: nearPath,
    read: readWhole,
    page: readPage,
    tree: readTree,
    members: listArchive,
    member: readMember,
    isDatabase,
    document: readDocument,
    picture: readPicture,
    list: withRg(listFiles),
    search: withRg(searchFiles),
    sources: withRg(listSources),
    find: findTarget,
    findAny,
    place: applySteps,
  };
}
