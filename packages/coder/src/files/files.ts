import {
  type AnyTarget,
  applySteps,
  changeRow,
  type FileSelection,
  type FsKind,
  findAny,
  findTarget,
  isDatabase,
  listArchive,
  listFiles,
  listSources,
  listTables,
  lookReal,
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
  type Seen,
  searchFiles,
  select,
  shownAs,
  spelledPath,
  tableShape,
  takePage,
  writeMember,
} from "@pith/host";
import { type Fail, isInside, mayFoldAt, ok, type Result, realPath, spelledLike } from "@pith/kit";
import { barredMember, barredMembers, barredTree } from "./barred.ts";
import { displayName, literalGlob, type PathBase, resolvePath, statPath } from "./path.ts";
import type { Unsaved } from "./unsaved.ts";

/**
 * The tools' only way to the work tree. A sandbox or an editor with unsaved text, which stand between them and the
 * disk, puts itself in its place.
 */
export interface Files extends Required<PathBase> {
  /** The absolute path that an argument means. */
  resolve(argument: string): string;
  /** The name by which the model knows a path, and can give it back. */
  show(path: string): string;
  /** Undefined where nothing stands, or nothing that may be looked at. */
  stat(path: string): Seen | undefined;
  /** A path in the spelling in which it is on the disk. */
  spelled(path: string): string;
  /** Paths that one that is not there may have meant. */
  near: typeof nearPath;
  read: typeof readWhole;
  /** Some lines of a file of any size. */
  page: typeof readPage;
  tree: typeof readTree;
  /** The entries of an archive. */
  members: typeof listArchive;
  member: typeof readMember;
  /** Some lines of a file of an archive, of any size. */
  memberPage: typeof pageMember;
  isDatabase: typeof isDatabase;
  tables: typeof listTables;
  shape(path: string, table: string, signal: AbortSignal): ReturnType<typeof tableShape>;
  select: typeof select;
  document: typeof readDocument;
  picture: typeof readPicture;
  /** Names below a directory. A link is listed and not followed, here and in the two below. */
  list: WithoutRg<typeof listFiles>;
  search: WithoutRg<typeof searchFiles>;
  /** Files in a language that can be parsed. */
  sources: WithoutRg<typeof listSources>;
  /** Finds a file, so that a change can be planned for exactly that. */
  find(path: string, maxBytes?: number): ReturnType<typeof findTarget>;
  /** Finds a file that is replaced or removed as a whole: it may have any size. */
  findAny(path: string, maxBytes?: number): ReturnType<typeof findAny>;
  /** A text about a file, with the secrets put back that stand in it now. */
  restore(held: string, text: string): string;
  /** Makes all steps of a plan, or none; a file that is no longer as it was found stays as it is. */
  place: typeof applySteps;
  placeMember: typeof writeMember;
  placeRow: typeof changeRow;
  placeDatabase: typeof makeDatabase;
}

// biome-ignore lint/suspicious/noExplicitAny: the type of any such function
type WithoutRg<F extends (request: any) => Promise<unknown>> = (
  request: Omit<Parameters<F>[0], "rg">,
) => Promise<Awaited<ReturnType<F>> | Fail<"missing">>;

export interface FilesOptions extends PathBase {
  /** Gives the path by which the model knows one, where that is another. */
  seenAs?(path: string): string;
  /** A directory where a compiled pith may put the ripgrep it carries. */
  cacheDir: string;
  /** The real path of a folder that is not looked into from one above it. */
  closed?: string;
  /** The PATH to look for ripgrep in last. */
  path: string | undefined;
  restore?(held: string, text: string): string;
  /** True for a place that is not to be seen from a folder or archive above it. */
  bars?(path: string, from: string): boolean;
  /**
   * Called before every look at a path: it throws where that may not be looked at yet, and may answer with the real
   * path, at which alone is looked then.
   */
  check?(path: string): string | undefined;
  /** The unsaved text of an editor. */
  unsaved?: Unsaved | undefined;
}

export function openFiles(options: FilesOptions): Files {
  const {
    cwd,
    userHome,
    roots = [],
    tmp = (real) => real,
    seenAs = (real) => real,
    bars,
    check = () => undefined,
    unsaved,
  } = options;
  const base = { cwd, userHome, roots, tmp };
  const withRg = ripgrepOf(options, check);
  /** The same function, for paths that may be looked at. */
  const checked =
    <A extends unknown[], T>(look: (path: string, ...more: A) => T) =>
    (path: string, ...more: A): T =>
      look(check(path) ?? path, ...more);
  const stat = (path: string): Seen | undefined => {
    const real = check(path);
    return real === undefined ? statPath(path) : lookReal(real);
  };
  /** A target as the editor shows it. */
  const shown = <T extends AnyTarget>(path: string, found: Result<T, FsKind>): Result<T, FsKind> => {
    const bytes = found.ok ? unsaved?.at(check(path) ?? found.value.real) : undefined;
    return found.ok && bytes ? ok(shownAs(found.value, bytes) as T) : found;
  };
  return {
    ...base,
    resolve(argument) {
      const path = resolvePath(base, argument);
      // Every spelling of a file is the one name that it has on the disk.
      return mayFoldAt(path) ? spelledLike(path, realPath(path)) : path;
    },
    show: (absolute) => displayName(cwd, seenAs(absolute)),
    stat,
    spelled: (path) => spelledPath(path, (other) => stat(other) !== undefined),
    near(path) {
      check(path);
      return nearPath(path);
    },
    read: checked((path, maxBytes?: number) => {
      const [bytes, stat] = [unsaved?.at(path), unsaved && statPath(path)];
      return bytes && stat ? ok({ bytes, stat }) : readWhole(path, maxBytes);
    }),
    page: checked((path, request: Parameters<typeof readPage>[1]) => {
      const bytes = unsaved?.at(path);
      return bytes ? takePage(path, pieces(bytes), bytes.length, request) : readPage(path, request);
    }),
    tree: checked(bars ? barredTree(bars) : readTree),
    members: checked(bars ? barredMembers(bars) : listArchive),
    member: checked(bars ? barredMember(bars, readMember) : readMember),
    memberPage: checked(bars ? barredMember(bars, pageMember) : pageMember),
    isDatabase: checked(isDatabase),
    tables: checked(listTables),
    shape: checked((path, table: string, signal: AbortSignal) => tableShape(path, table, signal)),
    select: checked(select),
    document: checked(readDocument),
    picture: checked(readPicture),
    list: withRg(listFiles),
    search: withRg(searchFiles),
    sources: withRg(listSources),
    find: (path, maxBytes) => shown(path, findTarget(path, maxBytes, check(path))),
    findAny: (path, maxBytes) => shown(path, findAny(path, maxBytes, check(path))),
    restore: options.restore ?? ((_, text) => text),
    place: unsaved ? unsaved.place(applySteps) : applySteps,
    placeMember: writeMember,
    placeRow: changeRow,
    placeDatabase: makeDatabase,
  };
}

/** Gives functions that need ripgrep its path, which is looked up when it is first needed. */
function ripgrepOf({ cacheDir, path, closed, bars }: FilesOptions, check: (path: string) => string | undefined) {
  let known: Promise<Result<string, "missing">> | undefined;
  return <R extends FileSelection & { rg: string }, T>(run: (request: R) => Promise<T>) =>
    async (request: Omit<R, "rg">): Promise<T | Fail<"missing">> => {
      const given = request.root as string;
      const root = check(given) ?? given;
      known ??= rgPath({ cacheDir, path });
      const program = await known;
      const except = closedIn(root, closed, request.except as R["except"]);
      const hides = bars && ((path: string) => bars(path, root));
      return program.ok ? run({ ...request, root, except, hides, rg: program.value } as R) : program;
    };
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** The globs to leave out of a directory: those that were asked for, and the closed folder below it. */
function closedIn(root: string, closed: string | undefined, except?: readonly string[]): readonly string[] | undefined {
  if (closed === undefined || closed === root || !isInside(root, closed)) return except;
  const literal = literalGlob(closed);
  return [...(except ?? []), literal, `${literal}/**`];
}
