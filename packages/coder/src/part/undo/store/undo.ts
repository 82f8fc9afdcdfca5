import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import {
  Changes,
  type Difference,
  type Env,
  entryAtPath,
  restorePaths,
  type ScanLimits,
  Shadow,
  sameEntry,
  type TreeEntry,
  type Uncovered,
  type Unrestored,
} from "@pith/host";
import { defined, isInside, linkStat, messageOf, parseJson, realPath, slashed, tryOr } from "@pith/kit";
import { isDue, noteProject, Presence, undoDir } from "./directory.ts";
import { contentIds, hunkTurn, type OutsideChange, turnsOf, UndoLog, type UndoTurn } from "./log.ts";
import { acceptedIn, byPath, changesBy, type MoveForce, nextOf, openPaths, planMove } from "./move.ts";

export interface UndoOptions {
  /** The project: the repository that holds the working directory, or the directory itself. */
  root: string;
  /** pith's own directory. */
  home: string;
  env: Env;
  limits: ScanLimits;
  /** `own writes` covers the files that tools write, and nothing that commands do. */
  cover: "everything" | "own writes";
  now(): number;
  /** Our own files, which may lie in the project. */
  skip: readonly string[];
  keep: { ageMs: number; bytes: number };
}

/** The state before a call. */
export interface StateBefore {
  /** Gathers what changes in the project from now on. */
  changes: Changes | undefined;
  /** Files that are kept path by path. */
  files: Map<string, TreeEntry | undefined>;
  began: number;
}

interface TurnNote {
  turn: string;
  session: string;
  asked: string;
  at?: string | undefined;
}

export interface MoveResult {
  turn: UndoTurn;
  restored: string[];
  /** Paths that were left as they are, and why. */
  left: Unrestored[];
}

/** Takes back and puts back what calls changed in one project. Owns the project's store of imprints. */
export class Undo {
  readonly root: string;
  readonly #options: UndoOptions;
  readonly #shadow: Shadow;
  readonly #log: UndoLog;
  /** `own writes`, also when the tree is too large for more. */
  cover: UndoOptions["cover"];
  /** The reason why a change could not be recorded, if that happened. */
  fault: string | undefined;
  #preparing: Promise<void> | undefined;
  #busy: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> = Promise.resolve();
  /** True once a call needed to know the whole project. */
  #wanted = false;
  /** Directories that the last look left out by their names. */
  #heaps: ReadonlyMap<string, string> = new Map();
  /** All that looks of this process left out, by path. */
  readonly #uncovered = new Map<string, Uncovered>();
  /** The time of the look after the last call; a call that begins right then needs no other. */
  #recent: { began: number; ended: number } | undefined;
  /** Changes of the calls that run now, so far. */
  readonly #running = new Set<Changes>();
  /** The changes of earlier calls, by the id of their list. */
  readonly #lists = new Map<string, Difference[]>();
  /** New ids of turns that went on after they were taken back. */
  readonly #renamed = new Map<string, string>();
  readonly #dir: string;
  readonly #presence: Presence;
  #entered = false;

  constructor(options: UndoOptions) {
    this.root = realPath(options.root);
    this.#options = options;
    this.#dir = undoDir(options.home, this.root);
    this.#presence = new Presence(this.#dir, process.pid);
    const skip = [this.#dir, ...options.skip].map((path) => realPath(path));
    this.#shadow = new Shadow({
      dir: this.#dir,
      root: this.root,
      limits: options.limits,
      env: options.env,
      now: options.now,
      skip,
    });
    this.#log = new UndoLog(join(this.#dir, "log.jsonl"));
    this.cover = options.cover;
  }

  /** Paths that looks left out, also those that are gone since. */
  get uncovered(): readonly Uncovered[] {
    return [...this.#uncovered.values()];
  }

  /** Reads the project for the first time, in the background. */
  prepare(): void {
    this.#enter();
    this.#preparing ??= this.#inTurn(() => this.#look("background")).catch(() => {});
  }

  /** Keeps the state before a call, which may change only `paths`, or anything. */
  async begin(extent: "paths" | "anything", paths: readonly string[]): Promise<StateBefore> {
    this.#enter();
    // A file with several names changes under all of them.
    const reach = this.cover === "everything" && paths.some(isLinked) ? "anything" : extent;
    if (reach === "anything") {
      this.#wanted = true;
      this.#shadow.hurry();
    }
    // Paths outside of what is covered are kept one by one.
    const real = paths
      .map((path) => realPath(path))
      .filter((path) => reach === "paths" || this.cover === "own writes" || !isInside(this.root, path));
    // Wait for the record of the call before, which would otherwise claim the changes of this one.
    await this.#ending;
    const recent = this.#recent;
    this.#recent = undefined;
    const began = this.#options.now();
    if (reach === "paths") return { changes: undefined, files: this.#keepAll(real), began };
    // A change in so short a time cannot be told from one that the call makes.
    if (recent && this.#options.now() - recent.ended < 30 && recent.ended - recent.began < 120)
      return { changes: this.#gather(), files: this.#keepAll(real), began };
    return this.#inTurn(async () => {
      await this.#look("now");
      return { changes: this.#gather(), files: this.#keepAll(real), began: this.#options.now() };
    });
  }

  /** Records the changes of a call. Works in the background: the next `begin` waits for it. */
  end({ changes, files, began }: StateBefore, { tool, note }: { tool: string; note: TurnNote }): void {
    const add = (list: string | undefined) => {
      const changed = this.#changedSince(files);
      if (list === undefined && changed.length === 0) return;
      const { session, asked, at } = note;
      const turn = this.#idToGoOn(note.turn);
      const row = { row: "call", turn, session, asked, time: this.#options.now(), began, tool } as const;
      this.#log.add({ ...row, ...defined({ at, changes: list, apart: changed.length > 0 ? changed : undefined }) });
    };
    const work = async () => {
      // Let the next request to the model go out first.
      await new Promise((done) => setImmediate(done));
      const began = this.#options.now();
      const heaps = this.#heaps;
      if (changes) await this.#look("background");
      for (const path of new Set([...heaps.keys(), ...this.#heaps.keys()]))
        if (heaps.get(path) !== this.#heaps.get(path))
          this.#uncovered.set(path, { path, why: "dependencies or build output, and changed" });
      this.#recent = changes && { began, ended: this.#options.now() };
      add(changes && this.#kept(changes));
    };
    this.#ending = this.#inTurn(work)
      .catch((error: unknown) => {
        this.fault = messageOf(error);
      })
      .finally(() => changes && this.#running.delete(changes));
  }

  /** Gathers what changes from now on, where the project is covered. */
  #gather(): Changes | undefined {
    if (this.cover === "own writes") return undefined;
    const changes = new Changes();
    this.#running.add(changes);
    return changes;
  }

  /** Keeps the list of what a call has changed, and the contents before; undefined if there is nothing. */
  #kept(changes: Changes): string | undefined {
    if (!this.#running.delete(changes)) throw new Error("the state before the command is not known any more");
    const list = changes.list();
    if (list.length === 0) return undefined;
    const gone = new Set(this.#shadow.own(idsOf(list, list.length > manyChanges ? "before" : "both")));
    for (const { path, before } of list)
      if (before && "id" in before && gone.has(before.id)) this.#uncovered.set(path, { path, why: "only git had it" });
    return this.#shadow.keep(Buffer.from(JSON.stringify(list)));
  }

  #listOf(id: string): Difference[] {
    const known = this.#lists.get(id);
    if (known) return known;
    const read = parseJson(this.#shadow.content(id).toString());
    const list = Array.isArray(read) ? (read as Difference[]) : [];
    // A long session has very many of them.
    if (this.#lists.size >= mostLists) this.#lists.clear();
    this.#lists.set(id, list);
    return list;
  }

  /** Like `#idOf`; gives the turn a new id if another process took it back meanwhile. */
  #idToGoOn(turn: string): string {
    const all = this.#log.isForeign() ? this.turns() : [];
    const parts = all.filter(({ id }) => id === turn || id.startsWith(`${turn}+`));
    if (parts.at(-1)?.state === "undone") this.#renamed.set(turn, `${turn}+${parts.length}`);
    return this.#idOf(turn);
  }

  #idOf = (turn: string): string => this.#renamed.get(turn) ?? turn;

  /** Resolves when all changes so far are recorded. */
  async settle(): Promise<void> {
    if (this.#running.size > 0) this.#shadow.hurry();
    await this.#ending;
  }

  /** Saves the index for the next process, and prunes once a day. A first reading that nobody needed is stopped. */
  async close(): Promise<void> {
    if (!this.#entered) return;
    if (!this.#wanted) this.#shadow.stop();
    await this.#preparing;
    await this.#busy;
    // On a full disk the next session has to read more; the work of this one is done.
    tryOr(() => {
      if (isDue(this.#dir, this.#options.now()) && this.#presence.alone()) this.prune();
      this.#shadow.save();
    });
    this.#shadow.close();
    this.#presence.leave();
  }

  /** Turns that changed something, oldest first. */
  turns(): UndoTurn[] {
    return turnsOf(this.#log.rows());
  }

  /** A turn and its changes so far. */
  turn(id: string): UndoTurn | undefined {
    const name = this.#idOf(id);
    return turnsOf(this.#log.rows(), name).find((turn) => turn.id === name);
  }

  /** The turn that `undo` or `redo` would move next, among those of some sessions or files. */
  next(way: "undo" | "redo", sessions?: ReadonlySet<string>, paths?: readonly string[]): UndoTurn | undefined {
    const turns = this.turns().filter((turn) => sessions === undefined || sessions.has(turn.session));
    return nextOf(this, way, turns, this.#isWanted(paths));
  }

  /**
   * Takes a turn back, or puts it back: all of it, some of its files, or the last undo of it. Leaves paths alone that
   * something else has changed since, and files that were accepted; a move that so changes nothing counts as none.
   * A forced one replaces what was changed since, and the next redo brings that back.
   */
  move(way: "undo" | "redo", turn: UndoTurn, reach?: readonly string[] | "last", force?: MoveForce): MoveResult {
    this.#recent = undefined;
    const paths = reach === "last" ? undefined : reach;
    const isWanted = this.#isWanted(paths);
    const back = reach === "last" ? (turn.undos.at(-1)?.paths ?? turn.away) : turn.away;
    const stays = way === "undo" ? acceptedIn(turn) : () => false;
    // Hunks that are already away go with their turn. The redo of a hunk takes back its undo.
    const hunks = way === "undo" ? turn.hunks.filter((hunk) => hunk.state === "done") : [];
    const done = turn.of === undefined ? way : "undo";
    const plan = planMove(
      {
        ...this.#sources(),
        current: (path) => this.current(path),
        // A redo puts back only what an undo took.
        wanted: (path) => isWanted(path) && !stays(path) && (way === "undo" || done === "undo" || back.has(path)),
      },
      [...turn.calls, ...hunks.flatMap((hunk) => hunk.calls)],
      done === "undo" ? "back" : "forth",
      force,
    );
    const began = this.#options.now();
    const full = plan.restore.map(({ path }) => resolve(this.root, path));
    const replaced = force === "forced" ? this.#keepAll(full) : new Map<string, TreeEntry | undefined>();
    const lost = full.filter((path) => replaced.has(path) && !replaced.get(path) && linkStat(path));
    const restore = plan.restore.filter(({ path }) => !lost.includes(resolve(this.root, path)));
    const failed = [
      ...this.#shadow.restore(restore.filter(({ path }) => !isAbsolute(path))),
      ...this.#restoreOutside(restore.filter(({ path }) => isAbsolute(path))),
      ...lost.map((path) => ({ path: this.#shown(dirname(path), basename(path)), why: "it is too large to be kept" })),
    ];
    const restored = restore.map(({ path }) => path).filter((path) => !failed.some((left) => left.path === path));
    const missing = [...back].filter((path) => isWanted(path) && !restored.includes(path));
    const kept = [...turn.kept].filter((path) => paths && way === "undo" && isWanted(path));
    const changed = plan.changed.map((path) => ({ path, why: changedSince }));
    const left = [...changed, ...kept.map((path) => ({ path, why: "it was kept" })), ...failed];
    if (restored.length === 0 && left.length > 0) return { turn, restored, left };
    // A turn of which something is left stays the next one to undo.
    const whole = !paths && (done === "redo" || left.length === 0);
    const row = { row: done, time: this.#options.now(), paths: restored, whole };
    for (const { id } of [turn, ...hunks])
      this.#log.add({ ...row, turn: id, ...defined({ left: done === "redo" ? missing : undefined }) });
    if (replaced.size > 0) this.#addCall({ changes: undefined, files: replaced, began }, forcedNote(way, turn));
    // What stood there before a forced move is back, and the turn as it was before that.
    const of = turn.of === undefined ? undefined : wayForced(turn);
    const again = of === "undo" ? ({ row: "redo", whole: true } as const) : ({ row: "undo", whole: false } as const);
    if (of) this.#log.add({ ...row, ...again, turn: turn.of ?? "" });
    return { turn, restored, left };
  }

  /** Records what stood at some paths before, and stands there now, as a call. */
  #addCall({ files, began }: StateBefore, { tool, note }: { tool: string; note: TurnNote }): void {
    const apart = this.#changedSince(files);
    if (apart.length === 0) return;
    const { session, asked, turn } = note;
    this.#log.add({ row: "call", turn, session, asked, time: this.#options.now(), began, tool, apart });
  }

  #changedSince(files: StateBefore["files"]): OutsideChange[] {
    return [...files].flatMap(([path, old]) => {
      const now = this.#keepFile(path);
      return sameEntry(old, now) ? [] : [{ path, before: old ?? null, after: now ?? null }];
    });
  }

  /** Accepts a turn, or files of it, so that no undo takes it. Returns the paths. */
  keep(turn: UndoTurn, paths?: readonly string[]): string[] {
    const kept = openPaths(this, turn, this.#isWanted(paths));
    if (paths && kept.length === 0) return [];
    const row = { row: "keep", turn: turn.id, time: this.#options.now() } as const;
    this.#log.add(paths ? { ...row, paths: kept } : row);
    return kept;
  }

  #isWanted(paths: readonly string[] | undefined): (path: string) => boolean {
    // A name means the link itself as well as its target.
    const wanted = paths?.flatMap((path) => [this.#shown(path), this.#shown(dirname(path), basename(path))]);
    return (path) => !wanted || wanted.some((above) => above === "" || path === above || path.startsWith(`${above}/`));
  }

  /** The changes of a turn by path, from before its first call to after its last. */
  changes(turn: Pick<UndoTurn, "calls">): Difference[] {
    const all = new Map<string, Difference>();
    for (const change of turn.calls.flatMap((call) => changesBy(call, this.#sources()))) {
      const known = all.get(change.path);
      all.set(change.path, known ? { ...known, after: change.after } : change);
    }
    return [...all.values()].filter(({ before, after }) => !sameEntry(before, after)).sort(byPath);
  }

  #sources() {
    return {
      root: this.root,
      diff: (before: string, after: string) => this.#shadow.diff(before, after),
      list: (id: string) => this.#listOf(id),
    };
  }

  content(entry: TreeEntry | undefined): Buffer | undefined {
    return entry && entry.is !== "dir" ? this.#shadow.content(entry.id) : undefined;
  }

  current(path: string): TreeEntry | undefined {
    return isAbsolute(path) ? entryAtPath(path) : this.#shadow.current(path);
  }

  /** Removes turns that are too old, and the older half as long as the store is too large. */
  prune(): void {
    const most = this.#options.keep;
    const rows = this.#log.rows();
    if (rows.length === 0) return;
    let turns = turnsOf(rows).filter((turn) => turn.time >= this.#options.now() - most.ageMs);
    for (;;) {
      const all = turns.flatMap((turn) => [turn, ...turn.hunks]);
      const kept = new Set(all.map((turn) => turn.id));
      this.#log.replace(rows.filter((row) => kept.has(row.turn)));
      const calls = all.flatMap((turn) => turn.calls);
      this.#shadow.sweep(
        calls.flatMap((call) => [call.before, call.after].filter((id) => id !== undefined)),
        calls.flatMap((call) => [
          ...contentIds(call),
          ...(call.changes ? [call.changes, ...idsOf(this.#listOf(call.changes), "both")] : []),
        ]),
      );
      if (turns.length === 0 || this.#shadow.size() <= most.bytes) return;
      turns = turns.slice(Math.ceil(turns.length / 2));
    }
  }

  /** Runs work one after the other: the store has one tree. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(work);
    this.#busy = done.catch(() => {});
    return done;
  }

  #enter(): void {
    if (this.#entered) return;
    this.#presence.enter();
    noteProject(this.#dir, this.root);
    this.#entered = true;
  }

  /** Looks at what has changed in the project, for the calls that run. */
  async #look(pace: "now" | "background"): Promise<void> {
    if (this.cover === "own writes") return;
    const seen = await this.#shadow.look(pace);
    if (!seen.ok) {
      this.cover = "own writes";
      return;
    }
    for (const left of seen.uncovered) this.#uncovered.set(left.path, left);
    this.#heaps = seen.heaps;
    // After a look that failed there is nothing to compare with.
    if (seen.changes) for (const changes of this.#running) changes.addAll(seen.changes);
    else this.#running.clear();
  }

  /** Keeps the state of paths, and of the missing directories above them. */
  #keepAll(paths: readonly string[]): Map<string, TreeEntry | undefined> {
    const all = new Map<string, TreeEntry | undefined>();
    for (const path of paths) {
      const entry = this.#keepFile(path);
      all.set(path, entry);
      if (entry) continue;
      for (let above = dirname(path); !entryAtPath(above); above = dirname(above)) all.set(above, undefined);
    }
    return all;
  }

  #keepFile(path: string): TreeEntry | undefined {
    const stat = linkStat(path);
    const size = stat?.isFile() ? stat.size : 0;
    const keep = (content: Uint8Array) => this.#shadow.keep(content);
    const entry = size > this.#options.limits.maxFile ? undefined : entryAtPath(path, keep);
    if (!entry && size > 0) this.#uncovered.set(path, { path, why: "large" });
    return entry;
  }

  #restoreOutside(wanted: readonly { path: string; to: TreeEntry | undefined }[]): Unrestored[] {
    return restorePaths({ get: (id: string) => this.#shadow.content(id) }, wanted);
  }

  #shown(path: string, name = ""): string {
    const real = join(realPath(path), name);
    return isInside(this.root, real) ? slashed(relative(this.root, real)) : real;
  }
}

function isLinked(path: string): boolean {
  const stat = linkStat(realPath(path));
  return stat?.isFile() === true && stat.nlink > 1;
}

/** Says that a path was left alone because of a change that is neither the turn's nor an undo's. */
export const changedSince = "it was changed since";

/** A forced move is a call of its own, which belongs to the turn: redo takes it back before anything else. */
const forcedNote = (way: "undo" | "redo", { id, session, asked }: UndoTurn): { tool: string; note: TurnNote } => ({
  tool: `forced ${way}`,
  note: { turn: hunkTurn(id), session, asked: `forced ${way} of ${asked}` },
});

const wayForced = ({ calls }: UndoTurn): "undo" | "redo" | undefined =>
  (["undo", "redo"] as const).find((way) => calls[0]?.tool === `forced ${way}`);

/** Changes of a call from which on what came after them is not copied out of git. */
const manyChanges = 1000;

/** Lists of changes that are kept in memory. */
const mostLists = 500;

const idsOf = (list: readonly Difference[], of: "before" | "both"): string[] =>
  list
    .flatMap(({ before, after }) => (of === "both" ? [before, after] : [before]))
    .flatMap((entry) => (entry && entry.is !== "dir" ? [entry.id] : []));
