import type { Stats } from "node:fs";
import {
  applySteps,
  changeRow,
  findAny,
  findTarget,
  isDatabase,
  listArchive,
  listFiles,
  listSources,
  listTables,
  makeDatabase,
  nearPath,
  pageMember,
  readDocument,
  readMember,
  readPage,
  readPicture,
  readTree,
  readWhole,
  rgPath,
  searchFiles,
  select,
  spelledPath,
  tableShape,
  writeMember,
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
  /** Some lines of a file of an archive, of any size. */
  memberPage: typeof pageMember;
  isDatabase: typeof isDatabase;
  tables: typeof listTables;
  shape(path: string, table: string, signal: AbortSignal): ReturnType<typeof tableShape>;
  select: typeof select;
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
  /** The same for what is changed inside: a member of an archive, a row of a database, a new database. */
  placeMember: typeof writeMember;
  placeRow: typeof changeRow;
  placeDatabase: typeof makeDatabase;
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
  /** Called before every look at a path; it throws where that may not be looked at yet. */
  check?(path: string): void;
}

export function openFiles({ cwd, userHome, roots = [], cacheDir, path, check = () => {} }: FilesOptions): Files {
  const base = { cwd, userHome, roots };
  let known: Promise<Result<string, "missing">> | undefined;
  const rg = () => (known ??= rgPath({ cacheDir, path }));
  /** Looks ripgrep up when it is first needed. */
  const withRg =
    <R extends { rg: string; root: string }, T>(run: (request: R) => Promise<T>) =>
    async (request: Omit<R, "rg">): Promise<T | Fail<"missing">> => {
      check(request.root as string);
      const program = await rg();
      return program.ok ? run({ ...request, rg: program.value } as R) : program;
    };
  /** The same function for paths that may be looked at. */
  const checked =
    <A extends unknown[], T>(look: (path: string, ...more: A) => T) =>
    (path: string, ...more: A): T => {
      check(path);
      return look(path, ...more);
    };
  return {
    ...base,
    resolve: (argument) => resolvePath(base, argument),
    show: (absolute) => nameOf(cwd, absolute),
    stat: checked(statOf),
    spelled: checked(spelledPath),
    near: checked(nearPath),
    read: checked(readWhole),
    page: checked(readPage),
    tree: checked(readTree),
    members: checked(listArchive),
    member: checked(readMember),
    memberPage: checked(pageMember),
    isDatabase: checked(isDatabase),
    tables: checked(listTables),
    shape: checked((path, table: string, signal: AbortSignal) => tableShape(path, table, signal)),
    select: checked(select),
    document: checked(readDocument),
    picture: checked(readPicture),
    list: withRg(listFiles),
    search: withRg(searchFiles),
    sources: withRg(listSources),
    find: checked(findTarget),
    findAny: checked(findAny),
    place: applySteps,
    placeMember: writeMember,
    placeRow: changeRow,
    placeDatabase: makeDatabase,
  };
}
