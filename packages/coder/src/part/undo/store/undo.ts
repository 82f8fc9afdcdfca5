import { basename, dirname, join, relative } from "node:path";
import {
  type Env,
  entryAt,
  restoreAll,
  type ScanLimits,
  Shadow,
  sameEntry,
  type TreeEntry,
  type Uncovered,
  type Unrestored,
} from "@pith/host";
import { isInside, messageOf, realPath } from "@pith/kit";
import { type Apart, contentsOf, turnsOf, UndoLog, type UndoTurn } from "./log.ts";
import { keeping, nextOf, standing } from "./next.ts";
import { planMove, type Spot, type Step, sizeOf, stepsOf } from "./plan.ts";
import { isDue, Presence } from "./presence.ts";
import { noteProject, undoDir } from "./stores.ts";

export interface UndoOptions {
  /** The project: the repository that holds the working directory, or the directory itself. */
  root: string;
  /** pith's own directory. */
  home: string;
  env: Env;
  limits: ScanLimits;
  /** `own writes` covers what tools say they write, and nothing that commands do. */
  cover: "everything" | "own writes";
  now(): number;
  /** Our own files, should they lie in the project. */
  skip: readonly string[];
  /** How long and how much is kept. */
  keep: { ageMs: number; bytes: number };
}

/** What a call is about to change, as it is before. */
export interface Begun {
  /** Of the whole project. */
  before: string | undefined;
  apart: Map<string, TreeEntry | undefined>;
  began: number;
}

export interface TurnNote {
  turn: string;
  session: string;
  asked: string;
  at?: string | undefined;
}

export interface Moved {
  turn: UndoTurn;
  restored: string[];
  /** Left as they are, and why. */
  left: Unrestored[];
}

/** The imprints of one project, and the way back. It owns the store; faces and hooks ask. */
export class Undo {
  readonly root: string;
  readonly #options: UndoOptions;
  readonly #shadow: Shadow;
  readonly #log: UndoLog;
  #cover: UndoOptions["cover"];
  #preparing: Promise<void> | undefined;
  #busy: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> = Promise.resolve();
  #fault: string | undefined;
  /** A call has asked for an imprint of everything. */
  #wanted = false;
  /** Directories that the last imprint left out by their names. */
  #heaps: ReadonlyMap<string, string> = new Map();
  /** By path: all that imprints of this run left out. */
  readonly #uncovered = new Map<string, Uncovered>();
  /** The imprint after the last call, and when it was taken: a call that begins right then need not look again. */
  #recent: { id: string; began: number; ended: number } | undefined;
  /** Turns that go on under another name. */
  readonly #ongoings = new Map<string, string>();
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
    this.#cover = options.cover;
  }

  /** Whether effects of commands are covered; `own writes` when the tree is too large. */
  get cover(): UndoOptions["cover"] {
    return this.#cover;
  }

  /** What imprints left out: also what has gone since, for it will not come back. */
  get uncovered(): readonly Uncovered[] {
    return [...this.#uncovered.values()];
  }

  /** Why something that was done could not be recorded, if that happened. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Reads the project for the first time, giving way to everything else. */
  prepare(): void {
    this.#enter();
    this.#preparing ??= this.#inTurn(() => this.#take("background").then(() => {})).catch(() => {});
  }

  /** Before a call runs. With `paths` it touches those and nothing else; a command may touch anything. */
  async begin(reach: "paths" | "anything", paths: readonly string[]): Promise<Begun> {
    this.#enter();
    if (reach === "anything") {
      this.#wanted = true;
      this.#shadow.hurry();
    }
    // What lies in the project is in the imprint; the rest, and everything when there is none, is kept path by path.
    const real = paths
      .map((path) => realPath(path))
      .filter((path) => reach === "paths" || this.#cover === "own writes" || !isInside(this.root, path));
    // The call before must be recorded first, or this one's work would count as its.
    await this.#ending;
    const recent = this.#recent;
    this.#recent = undefined;
    const began = this.#options.now();
    if (reach === "paths") return { before: undefined, apart: this.#keepAll(real), began };
    // What changed since then could as well have changed while the call runs: nobody could tell the two apart.
    if (recent && this.#options.now() - recent.ended < 30 && recent.ended - recent.began < 120)
      return { before: recent.id, apart: this.#keepAll(real), began };
    return this.#inTurn(async () => ({
      before: await this.#take("now"),
      apart: this.#keepAll(real),
      began: this.#options.now(),
    }));
  }

  /** After it ran; what it changed is recorded. Does not make anybody wait: the next call does. */
  end({ before, apart, began }: Begun, { tool, note }: { tool: string; note: TurnNote }): void {
    const add = (pair: { before: string; after: string } | undefined) => {
      const moved = [...apart].flatMap(([path, old]): Apart[] => {
        const now = this.#keepApart(path);
        return sameEntry(old, now) ? [] : [{ path, before: old ?? null, after: now ?? null }];
      });
      if (!pair && moved.length === 0) return;
      const { session, asked, at } = note;
      const turn = this.#ongoing(note.turn);
      const row = { row: "call", turn, session, asked, time: this.#options.now(), began, tool } as const;
      this.#log.add({
        ...row,
        ...(at === undefined ? {} : { at }),
        ...pair,
        ...(moved.length > 0 ? { apart: moved } : {}),
      });
    };
    const work = async () => {
      // The next request to the model goes out first.
      await new Promise((done) => setImmediate(done));
      const began = this.#options.now();
      const heaps = this.#heaps;
      const after = before && (await this.#take("background"));
      for (const path of new Set([...heaps.keys(), ...this.#heaps.keys()]))
        if (heaps.get(path) !== this.#heaps.get(path))
          this.#uncovered.set(path, { path, why: "dependencies or build output, and changed" });
      this.#recent = after === undefined ? undefined : { id: after, began, ended: this.#options.now() };
      add(before && after && before !== after ? { before, after } : undefined);
    };
    this.#ending = this.#inTurn(work).catch((error: unknown) => {
      this.#fault = messageOf(error);
    });
  }

  /** What is done in a turn after somebody took it back is a turn of its own, and can be taken back by itself. */
  #ongoing(turn: string): string {
    const parts = this.#log.isForeign()
      ? this.turns().filter(({ id }) => id === turn || id.startsWith(`${turn}+`))
      : [];
    if (parts.at(-1)?.state === "undone") this.#ongoings.set(turn, `${turn}+${parts.length}`);
    return this.nameOf(turn);
  }

  /** The name under which the newest calls of a turn stand. */
  nameOf(turn: string): string {
    return this.#ongoings.get(turn) ?? turn;
  }

  /** Resolves when all that was done is recorded. */
  async settle(): Promise<void> {
    await this.#ending;
    await this.#busy;
  }

  /**
   * Keeps what the next run can use, and once a day forgets what is too old. A first reading that nobody needed is
   * given up.
   */
  async close(): Promise<void> {
    if (!this.#entered) return;
    if (!this.#wanted) this.#shadow.stop();
    await this.#preparing;
    await this.#busy;
    if (isDue(this.#dir, this.#options.now()) && this.#presence.alone()) this.prune();
    this.#shadow.save();
    this.#presence.leave();
  }

  /** Turns that changed something, oldest first. */
  turns(): UndoTurn[] {
    return turnsOf(this.#log.rows());
  }

  /** What a turn has changed until now, under the name of its newest calls. */
  turn(id: string): UndoTurn | undefined {
    const name = this.nameOf(id);
    return turnsOf(this.#log.rows(), name).find((turn) => turn.id === name);
  }

  /** The turn that `undo` takes back next, or `redo` puts back: of any session, or of some; of any file, or of some. */
  next(way: "undo" | "redo", sessions?: ReadonlySet<string>, paths?: readonly string[]): UndoTurn | undefined {
    const turns = this.turns().filter((turn) => sessions === undefined || sessions.has(turn.session));
    return nextOf(this, way, turns, this.#isWanted(paths));
  }

  /**
   * Takes a turn back, or puts it back: all of it, some of its files, or what the last undo of it took. What something
   * else has changed since is left alone, and what was kept stays.
   */
  move(way: "undo" | "redo", turn: UndoTurn, reach?: readonly string[] | "last"): Moved {
    this.#recent = undefined;
    const paths = reach === "last" ? undefined : reach;
    const isWanted = this.#isWanted(paths);
    const back = reach === "last" ? (turn.undos.at(-1)?.paths ?? turn.away) : turn.away;
    const stays = way === "undo" ? keeping(turn) : () => false;
    // A turn goes with what is already away of it; and to put a hunk back is to take back that it was taken back.
    const hunks = way === "undo" ? turn.hunks.filter((hunk) => hunk.state === "done") : [];
    const done = turn.of === undefined ? way : "undo";
    const plan = planMove(
      {
        root: this.root,
        diff: (before, after) => this.#shadow.diff(before, after),
        current: (spot) => this.current(spot),
        // What is put back is what was taken back: the rest is somebody else's.
        wanted: (path) => isWanted(path) && !stays(path) && (way === "undo" || done === "undo" || back.has(path)),
      },
      [...turn.calls, ...hunks.flatMap((hunk) => hunk.calls)],
      done === "undo" ? "back" : "forth",
    );
    const failed = [
      ...this.#shadow.restore(plan.restore.filter((spot) => spot.where === "project")),
      ...this.#restoreApart(plan.restore.filter((spot) => spot.where === "apart")),
    ];
    const restored = plan.restore.map(({ path }) => path).filter((path) => !failed.some((left) => left.path === path));
    const tried =
      done === "redo" ? { left: [...back].filter((path) => isWanted(path) && !restored.includes(path)) } : {};
    for (const { id } of [turn, ...hunks])
      this.#log.add({ row: done, turn: id, time: this.#options.now(), paths: restored, whole: !paths, ...tried });
    return {
      turn,
      restored,
      left: [
        ...plan.changed.map((path) => ({ path, why: "it was changed since" })),
        ...[...(paths && way === "undo" ? turn.kept : [])]
          .filter(isWanted)
          .map((path) => ({ path, why: "it was kept" })),
        ...failed,
      ],
    };
  }

  /** Nothing takes it back any more: a turn, or files of it. Tells which. */
  keep(turn: UndoTurn, paths?: readonly string[]): string[] {
    const kept = standing(this, turn, this.#isWanted(paths));
    if (paths && kept.length === 0) return [];
    const row = { row: "keep", turn: turn.id, time: this.#options.now() } as const;
    this.#log.add(paths ? { ...row, paths: kept } : row);
    return kept;
  }

  #isWanted(paths: readonly string[] | undefined): (path: string) => boolean {
    // A link is meant by its own name; what it leads to, too.
    const wanted = paths?.flatMap((path) => [this.#spelled(path), this.#spelled(dirname(path), basename(path))]);
    return (path) => !wanted || wanted.some((above) => above === "" || path === above || path.startsWith(`${above}/`));
  }

  /** What the calls of a turn did to each path, first state to last. */
  changes(turn: Pick<UndoTurn, "calls">): Step[] {
    const all = new Map<string, Step>();
    for (const call of turn.calls) {
      for (const step of stepsOf({ diff: (a, b) => this.#shadow.diff(a, b), root: this.root }, call)) {
        const known = all.get(step.spot.path);
        all.set(step.spot.path, known ? { ...known, after: step.after } : step);
      }
    }
    return [...all.values()]
      .filter(({ before, after }) => !sameEntry(before, after))
      .sort((a, b) => (a.spot.path < b.spot.path ? -1 : 1));
  }

  content(entry: TreeEntry | undefined): Buffer | undefined {
    return entry && entry.is !== "dir" ? this.#shadow.content(entry.id) : undefined;
  }

  current({ path, where }: Spot): TreeEntry | undefined {
    return where === "project" ? this.#shadow.current(path) : entryAt("/", path.slice(1));
  }

  /** Forgets turns that are too old, the oldest first when there is too much, and what only they needed. */
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
        calls.flatMap(contentsOf),
      );
      if (turns.length === 0 || this.#shadow.size() <= most.bytes) return;
      turns = turns.slice(Math.ceil(turns.length / 2));
    }
  }

  /** One after the other: an imprint is taken of one state, and the store has one tree. */
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

  /** The id of an imprint; undefined when there can be none. */
  async #take(pace: "now" | "background"): Promise<string | undefined> {
    if (this.#cover === "own writes") return undefined;
    const taken = await this.#shadow.take(pace);
    if (taken.ok) for (const left of taken.uncovered) this.#uncovered.set(left.path, left);
    else this.#cover = "own writes";
    if (taken.ok) this.#heaps = taken.heaps;
    return taken.ok ? taken.id : undefined;
  }

  /** Paths as they are, with the directories above them that are yet to be made. */
  #keepAll(paths: readonly string[]): Map<string, TreeEntry | undefined> {
    const all = new Map<string, TreeEntry | undefined>();
    for (const path of paths) {
      const entry = this.#keepApart(path);
      all.set(path, entry);
      if (entry) continue;
      for (let above = dirname(path); !entryAt("/", above.slice(1)); above = dirname(above)) all.set(above, undefined);
    }
    return all;
  }

  #keepApart(path: string): TreeEntry | undefined {
    const size = sizeOf(path);
    const keep = (content: Uint8Array) => this.#shadow.keep(content);
    const entry = size > this.#options.limits.maxFile ? undefined : entryAt("/", path.slice(1), keep);
    if (!entry && size > 0) this.#uncovered.set(path, { path, why: "large" });
    return entry;
  }

  #restoreApart(wanted: readonly { path: string; to: TreeEntry | undefined }[]): Unrestored[] {
    const left = restoreAll(
      "/",
      { get: (id: string) => this.#shadow.content(id) },
      wanted.map(({ path, to }) => ({ path: path.slice(1), to })),
    );
    return left.map(({ path, why }) => ({ path: `/${path}`, why }));
  }

  #spelled(path: string, name = ""): string {
    const real = join(realPath(path), name);
    return isInside(this.root, real) ? relative(this.root, real) : real;
  }
}
