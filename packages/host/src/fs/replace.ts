import {
  close,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { closing, codeOf, realPath, succeeds, tryOr, writeAll } from "@pith/kit";
import { asideName } from "./aside.ts";
import { type FsKind, faultOf, fsFailure } from "./failure.ts";
import { type Held, type Look, toLook } from "./hold/held.ts";
import { holdFolder, removeMade } from "./hold/hold.ts";
import { type AnyTarget, type ExistingTarget, isSame } from "./target.ts";

/**
 * `mode` is for a file that does not exist yet, and (with the bits to reach it) for folders made for it; others keep
 * theirs. `executable` adds the execute bits where there are read bits.
 */
export type Step =
  | { do: "write"; target: AnyTarget; bytes: Uint8Array; mode?: number; executable?: boolean }
  | { do: "remove"; target: AnyTarget };

/** Writes more bytes than can be held, one piece after the other, always into a new file. */
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
  const staged: StagedChange[] = [];
  let at = 0;
  try {
    for (; at < steps.length; at++) staged.push(stage(steps[at] as Step | Filling, steps.length > 1));
    for (at = 0; at < staged.length; at++) await staged[at]?.flush();
    for (at = 0; at < staged.length; at++) staged[at]?.commit();
    for (const change of staged) change.keep();
    return { ok: true, applied: staged.map(({ inPlace }) => (inPlace ? { inPlace } : {})) };
  } catch (thrown) {
    const { kind, message } = fsFailure(steps[at]?.target.path ?? "", thrown);
    const left = staged.toReversed().flatMap((change) => whyNotReverted(change));
    return { ok: false, refused: { at, kind, message: [message, ...left].join("; ") } };
  } finally {
    for (const change of staged) change.close();
  }
}

/** Takes a change back; the reason if that cannot be done. */
function whyNotReverted(change: StagedChange): string[] {
  try {
    change.revert();
    return [];
  } catch (thrown) {
    return [`what was begun could not be taken back: ${fsFailure(change.path, thrown).message}`];
  }
}

interface StagedChange {
  readonly path: string;
  readonly inPlace?: InPlace;
  flush(): Promise<void>;
  commit(): void;
  /** Gives up what was held back for a revert: all changes are done. */
  keep(): void;
  /** Takes back as much as was done. */
  revert(): void;
  close(): void;
}

/** `backup` keeps the old file until all is done; a lone change needs none, since nothing can fail after its rename. */
function stage(step: Step | Filling, backup: boolean): StagedChange {
  const { target } = step;
  const mode = step.do === "write" && step.mode !== undefined ? runnable(step.mode) : undefined;
  const place = pin(target, target.is === "missing" && step.do !== "remove" ? "is made" : "fails", mode);
  try {
    // Its path is checked when it is put in place.
    place.look();
    if (target.is === "file" && BigInt(target.bytes.length) !== target.stat.size) throw faultOf("ECHANGED");
    if (target.is !== "missing") mustBeWritable(target.stat, place);
    return step.do === "remove" ? stageRemove(place) : stageWrite(step, place, backup);
  } catch (thrown) {
    place.folder.close();
    removeMade(place.folder.made);
    throw thrown;
  }
}

/** The place of a change: all of it goes through the folder that is held, so that no other can take its place. */
interface Place {
  /** The path as it was asked for. */
  path: string;
  folder: Held;
  /** The name of the file in it. */
  name: string;
  /** Throws unless the file is as it was found. */
  look(): void;
  /** Throws unless the file, its folder and its path are as they were found. */
  check(): void;
}

function pin(target: AnyTarget, missing: "fails" | "is made", mode?: number): Place {
  const folder = holdFolder(dirname(target.real), missing, mode);
  const name = basename(target.real);
  const look = () => {
    const now = folder.stat(name);
    if (target.is === "missing" ? now : !now || !isSame(now, target, () => folder.open(name, toRead)))
      throw faultOf("ECHANGED");
  };
  const check = () => {
    if (!folder.stands() || realPath(target.path) !== target.real) throw faultOf("ECHANGED");
    look();
  };
  return { path: target.path, folder, name, look, check };
}

const withoutWaiting = constants.O_NONBLOCK ?? 0;
const toRead = constants.O_RDONLY | withoutWaiting;
const toWrite = constants.O_WRONLY | withoutWaiting;

/** A rename would replace a file that nobody may write, and root may write all: so the mode counts too. */
function mustBeWritable(stat: Look, { folder, name }: Place): void {
  if ((stat.mode & 0o222n) === 0n) throw faultOf("EACCES");
  folder.mustBeWritable(name);
}

function stageRemove({ path, folder, name, check }: Place): StagedChange {
  const former = asideName();
  let isGone = false;
  return {
    path,
    flush: async () => {},
    commit() {
      check();
      folder.rename(name, former);
      isGone = true;
    },
    keep: () => folder.remove(former, "file"),
    revert: () => void (isGone && folder.rename(former, name)),
    close: folder.close,
  };
}

type Writing = Step & { do: "write" };

function stageWrite(step: Writing | Filling, place: Place, backup: boolean): StagedChange {
  const { folder, name } = place;
  const old = step.target.is === "missing" ? undefined : step.target;
  const beside = openBeside(step, old, place);
  if ("inPlace" in beside) return stageInPlace(beside.step, beside.old, place, beside.inPlace);
  const { fd } = beside;
  const former = asideName();
  let state: "beside" | "placed" | "over" = "beside";
  let isHeld = false;
  return {
    path: place.path,
    async flush() {
      if (step.do === "fill") await fill(fd, step);
      keepBits(fd, old?.stat);
      await flush(fd);
    },
    commit() {
      place.check();
      if (old && backup) isHeld = succeeds(() => folder.link(name, former));
      // Without hard links, bytes that were not read could not be brought back.
      if (old?.is === "large" && backup && !isHeld) throw faultOf("ELARGE");
      // The last name of the old content goes with the rename. To give back its room takes the disk longer than all of
      // this: its handle is closed later, and nobody waits for it. Windows replaces nothing that is open.
      const handle = old && process.platform !== "win32" && tryOr(() => folder.open(name, toLook ?? toRead));
      try {
        folder.rename(beside.name, name);
      } finally {
        if (typeof handle === "number") close(handle, () => {});
      }
      state = "placed";
    },
    keep: () => void (isHeld && folder.remove(former, "file")),
    revert() {
      if (state === "over") return;
      if (state === "beside") folder.remove(beside.name, "file");
      else if (isHeld) folder.rename(former, name);
      else if (old?.is === "file") overwrite(place, old.bytes);
      else folder.remove(name, "file");
      if (isHeld && state === "beside") folder.remove(former, "file");
      removeMade(folder.made);
      state = "over";
    },
    close() {
      closeSync(fd);
      folder.close();
    },
  };
}

/**
 * Opens a new file beside the old one, with its owner and mode and, of a write, its bytes. Where that cannot be, the
 * bytes of a write go into the old file itself.
 */
function openBeside(
  step: Writing | Filling,
  old: ExistingTarget | undefined,
  { folder }: Place,
): { fd: number; name: string } | { inPlace: InPlace; step: Writing; old: ExistingTarget } {
  const whole = step.do === "write" ? step : undefined;
  if (old && whole && old.stat.nlink > 1n) return { inPlace: "hard links", step: whole, old };
  const name = asideName();
  const fd = tryCreate(folder, name);
  if (fd === undefined && old && whole) return { inPlace: "directory", step: whole, old };
  if (fd === undefined) throw faultOf("EACCES");
  const drop = () => {
    closeSync(fd);
    folder.remove(name, "file");
  };
  try {
    if (!old || keepsOwner(fd, old.stat) || !whole) {
      const mode = old ? Number(old.stat.mode & 0o7777n) : (whole?.mode ?? fstatSync(fd).mode & 0o7777);
      if (old || whole?.mode !== undefined || whole?.executable)
        fchmodSync(fd, whole?.executable ? runnable(mode) : mode);
      if (whole) writeAll(fd, whole.bytes, 0);
      return { fd, name };
    }
  } catch (thrown) {
    drop();
    throw thrown;
  }
  drop();
  return { inPlace: "owner", step: whole, old };
}

/** Not atomic, since other names of the file must see the change. A failure half-way puts the old bytes back. */
function stageInPlace(
  { bytes, executable }: Writing,
  old: ExistingTarget,
  place: Place,
  inPlace: InPlace,
): StagedChange {
  if (old.is === "large") throw faultOf("ELARGE");
  const mode = executable ? runnable(Number(old.stat.mode & 0o7777n)) : undefined;
  let wrote = false;
  return {
    path: place.path,
    inPlace,
    flush: async () => {},
    commit() {
      place.check();
      wrote = true;
      overwrite(place, bytes, mode, old.stat);
    },
    keep() {},
    revert: () => void (wrote && overwrite(place, old.bytes, undefined, old.stat)),
    close: place.folder.close,
  };
}

function overwrite({ folder, name }: Place, bytes: Uint8Array, mode?: number, old?: Look): void {
  const fd = folder.open(name, toWrite);
  using _ = closing(fd);
  writeAll(fd, bytes, 0);
  ftruncateSync(fd, bytes.length);
  if (mode !== undefined) fchmodSync(fd, mode);
  keepBits(fd, old);
  fsyncSync(fd);
}

async function fill(fd: number, step: Filling): Promise<void> {
  let isOpen = true;
  try {
    await step.fill((bytes) => {
      // A number that is closed may belong to another file by now.
      if (!isOpen) throw new Error("bytes came after the end");
      writeAll(fd, bytes);
    });
  } finally {
    isOpen = false;
  }
}

/** A write by who is not root takes away the bits that run a file as its owner. */
function keepBits(fd: number, old: Look | undefined): void {
  if (old && (old.mode & 0o6000n) !== 0n) fchmodSync(fd, fstatSync(fd).mode | Number(old.mode & 0o6000n));
}

const flush = (fd: number): Promise<void> =>
  new Promise((done, failed) => fsync(fd, (error) => (error ? failed(error) : done())));

const runnable = (mode: number): number => mode | ((mode & 0o444) >> 2);

/** A new file; undefined if the directory does not allow one. */
function tryCreate(folder: Held, name: string): number | undefined {
  try {
    return folder.open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
  } catch (thrown) {
    if (codeOf(thrown) === "EACCES") return undefined;
    throw thrown;
  }
}

function keepsOwner(fd: number, old: Look): boolean {
  const { uid, gid } = fstatSync(fd, { bigint: true });
  return (uid === old.uid && gid === old.gid) || succeeds(() => fchownSync(fd, Number(old.uid), Number(old.gid)));
}
