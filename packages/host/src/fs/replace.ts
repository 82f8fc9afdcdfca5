import {
  accessSync,
  type BigIntStats,
  close,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { codeOf, realPath } from "@pith/kit";
import { asideName } from "./aside.ts";
import { type FsKind, faultOf, fsFailure } from "./failure.ts";
import { holdFolder, removeMade, toLook } from "./hold.ts";
import { type AnyTarget, isSame, type Standing } from "./target.ts";

/**
 * `mode` is for a file that does not exist yet, and so that it can be reached for the folders that are made for it;
 * others keep theirs. `executable` adds the execute bits where there are
 * read bits.
 */
export type Step =
  | { do: "write"; target: AnyTarget; bytes: Uint8Array; mode?: number; executable?: boolean }
  | { do: "remove"; target: AnyTarget };

/** A write of more bytes than can be held: they are put one piece after the other. Always into a new file. */
export interface Filling {
  do: "fill";
  target: AnyTarget;
  fill(put: (bytes: Uint8Array) => void): Promise<void>;
}

/** Why the bytes were written into the file itself and not into a new one that took its place. */
export type InPlace = "hard links" | "owner" | "directory";

export interface Applied {
  inPlace?: InPlace;
}

export interface Refused {
  at: number;
  kind: FsKind;
  message: string;
}

/**
 * Applies all steps or none: everything is written and flushed beside its target first, then renamed into place; when a
 * rename fails, those before it are taken back. A reader sees the old bytes of a file or the new ones, never a part.
 */
export async function applySteps(
  steps: readonly (Step | Filling)[],
): Promise<{ ok: true; applied: Applied[] } | { ok: false; refused: Refused }> {
  const staged: Staged[] = [];
  let at = 0;
  try {
    for (const step of steps) {
      staged.push(stage(step, steps.length > 1 ? "with backup" : "alone"));
      at++;
    }
    at = 0;
    for (const change of staged) {
      await change.flush();
      at++;
    }
    at = 0;
    for (const change of staged) {
      change.commit();
      at++;
    }
    for (const change of staged) change.keep();
    return { ok: true, applied: staged.map((change) => (change.inPlace ? { inPlace: change.inPlace } : {})) };
  } catch (thrown) {
    for (const change of staged.toReversed()) change.revert();
    const { kind, message } = fsFailure(steps[at]?.target.path ?? "", thrown);
    return { ok: false, refused: { at, kind, message } };
  } finally {
    for (const change of staged) change.close();
  }
}

interface Staged {
  inPlace?: InPlace;
  flush(): Promise<void>;
  commit(): void;
  /** The whole is done: what was held back for a revert can go. */
  keep(): void;
  /** Undoes as much as was done. */
  revert(): void;
  close(): void;
}

/** Alone, nothing can fail after the rename, so nothing is held back for it. */
type Company = "alone" | "with backup";

function stage(step: Step | Filling, company: Company): Staged {
  const { target } = step;
  const mode = step.do === "write" && step.mode !== undefined ? runnable(step.mode) : undefined;
  const spot = pin(target, target.is === "missing" && step.do !== "remove" ? "is made" : "fails", mode);
  try {
    // What leads to it is looked at when it is put in place.
    spot.look();
    if (target.is === "file" && BigInt(target.bytes.length) !== target.stat.size) throw faultOf("ECHANGED");
    if (target.is !== "missing") mustBeWritable(target.stat, spot);
    return step.do === "remove" ? stageRemove(spot) : stageWrite(step, spot, company);
  } catch (thrown) {
    spot.close();
    removeMade(spot.made);
    throw thrown;
  }
}

/** Where a change is made: all of it goes through the folder that is held, so that no other can take its place. */
interface Spot {
  name: string;
  /** The directories that were made for it. */
  made: readonly string[];
  in(name: string): string;
  /** Throws unless it is as it was found; `check` also, unless its folder and its path are. */
  look(): void;
  check(): void;
  close(): void;
}

function pin(target: AnyTarget, missing: "fails" | "is made", mode?: number): Spot {
  const folder = dirname(target.real);
  const name = basename(target.real);
  const held = holdFolder(folder, missing, mode);
  const look = () => {
    const now = lstatSync(held.in(name), { bigint: true, throwIfNoEntry: false });
    if (target.is === "missing" ? now : !now || !isSame(now, target, held.in(name))) throw faultOf("ECHANGED");
  };
  return {
    name,
    made: held.made,
    in: held.in,
    look,
    check() {
      if (!held.stands() || realPath(target.path) !== target.real) throw faultOf("ECHANGED");
      look();
    },
    close: held.close,
  };
}

/** A rename would replace a file that nobody may write, and root may write all: the mode speaks too. */
function mustBeWritable(stat: BigIntStats, spot: Spot): void {
  if ((stat.mode & 0o222n) === 0n) throw faultOf("EACCES");
  accessSync(spot.in(spot.name), constants.W_OK);
}

function stageRemove(spot: Spot): Staged {
  const aside = spot.in(asideName());
  let gone = false;
  return {
    flush: async () => {},
    commit() {
      spot.check();
      renameSync(spot.in(spot.name), aside);
      gone = true;
    },
    keep: () => unlinkSync(aside),
    revert: () => void (gone && renameSync(aside, spot.in(spot.name))),
    close: spot.close,
  };
}

type Writing = Step & { do: "write" };

function stageWrite(step: Writing | Filling, spot: Spot, company: Company): Staged {
  const { target } = step;
  const old = target.is === "missing" ? undefined : target;
  const whole = step.do === "write" ? step : undefined;
  if (old && whole && old.stat.nlink > 1n) return stageInPlace(whole, old, spot, "hard links");
  const beside = spot.in(asideName());
  const fd = tryOpen(beside);
  if (fd === undefined) {
    if (old && whole) return stageInPlace(whole, old, spot, "directory");
    throw faultOf("EACCES");
  }
  let state: "beside" | "placed" | "over" = "beside";
  const backup = spot.in(asideName());
  let held = false;
  const drop = () => {
    state = "over";
    unlinkSync(beside);
  };
  try {
    if (old && !keepsOwner(fd, old.stat) && whole) {
      drop();
      closeSync(fd);
      return stageInPlace(whole, old, spot, "owner");
    }
    const mode = old ? Number(old.stat.mode & 0o7777n) : (whole?.mode ?? fstatSync(fd).mode & 0o7777);
    if (old || whole?.mode !== undefined || whole?.executable)
      fchmodSync(fd, whole?.executable ? runnable(mode) : mode);
    if (whole) writeAll(fd, whole.bytes);
  } catch (thrown) {
    closeSync(fd);
    drop();
    throw thrown;
  }
  return {
    async flush() {
      if (step.do === "fill") await fill(fd, step);
      await flush(fd);
    },
    commit() {
      spot.check();
      if (old && company === "with backup") held = tryLink(spot.in(spot.name), backup);
      // Where there are no hard links, what was not read could not be brought back.
      if (old?.is === "large" && company === "with backup" && !held) throw faultOf("ELARGE");
      // To give back the room of the old content takes the disk longer than all of this: nobody waits for it.
      const former = old && openSync(spot.in(spot.name), toLook);
      try {
        renameSync(beside, spot.in(spot.name));
      } finally {
        if (former !== undefined) close(former, () => {});
      }
      state = "placed";
    },
    keep: () => void (held && unlinkSync(backup)),
    revert() {
      if (state === "beside") drop();
      else if (state === "placed") {
        if (held) renameSync(backup, spot.in(spot.name));
        else if (old?.is === "file") overwrite(spot.in(spot.name), old.bytes);
        else unlinkSync(spot.in(spot.name));
        held = false;
      } else return;
      if (held) unlinkSync(backup);
      removeMade(spot.made);
      state = "over";
    },
    close() {
      closeSync(fd);
      spot.close();
    },
  };
}

/**
 * Not atomic: other names of the file must see the change. A failure half-way puts the old bytes back, which need no
 * new space.
 */
function stageInPlace({ bytes, executable }: Writing, old: Standing, spot: Spot, inPlace: InPlace): Staged {
  if (old.is === "large") throw faultOf("ELARGE");
  const mode = executable ? runnable(Number(old.stat.mode & 0o7777n)) : undefined;
  let wrote = false;
  return {
    inPlace,
    flush: async () => {},
    commit() {
      spot.check();
      wrote = true;
      overwrite(spot.in(spot.name), bytes, mode);
    },
    keep() {},
    revert: () => void (wrote && overwrite(spot.in(spot.name), old.bytes)),
    close: spot.close,
  };
}

function overwrite(path: string, bytes: Uint8Array, mode?: number): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    writeAll(fd, bytes);
    ftruncateSync(fd, bytes.length);
    if (mode !== undefined) fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
}

async function fill(fd: number, step: Filling): Promise<void> {
  let open = true;
  try {
    await step.fill((bytes) => {
      // A number that is closed may belong to another file by now.
      if (!open) throw new Error("bytes came after the end");
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
    });
  } finally {
    open = false;
  }
}

const flush = (fd: number): Promise<void> =>
  new Promise((done, failed) => fsync(fd, (error) => (error ? failed(error) : done())));

const runnable = (mode: number): number => mode | ((mode & 0o444) >> 2);

function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, "wx", 0o666);
  } catch (thrown) {
    if (codeOf(thrown) === "EACCES") return undefined;
    throw thrown;
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function keepsOwner(fd: number, old: BigIntStats): boolean {
  const fresh = fstatSync(fd, { bigint: true });
  if (fresh.uid === old.uid && fresh.gid === old.gid) return true;
  try {
    fchownSync(fd, Number(old.uid), Number(old.gid));
    return true;
  } catch {
    return false;
  }
}
