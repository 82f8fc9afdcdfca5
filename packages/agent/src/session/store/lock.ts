import { linkSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { codeOf, fail, hasher, messageOf, ok, type Result, readPlain } from "@pith/kit";
import type { LockFailure } from "./storage.ts";

interface Owner {
  pid: number;
  /** When the process began, in the kernel's own count: a later process with the same number began later. */
  start: string;
  boot: string;
  host: string;
  /** The process numbers of another container mean nothing here. */
  space: string;
}

/** Takes the lock and returns how to give it back. An owner that was killed is recognised and replaced. */
export function lockFile(file: string): Result<() => void, LockFailure> {
  try {
    return take(file);
  } catch (error) {
    return fail("unwritable", messageOf(error));
  }
}

function take(file: string): Result<() => void, LockFailure> {
  const me = JSON.stringify(self());
  for (let tries = 0; tries < 8; tries++) {
    if (create(file, me)) return ok(() => release(file, me));
    const text = read(file);
    if (text === undefined) continue;
    const owner = parse(text);
    if (owner && !isGone(owner)) return fail("locked", inUse(file, owner));
    takeAway(file, text, me);
  }
  return fail("locked", `${file} is being taken by another process.`);
}

/** Who holds a lock now, if it is somebody alive. */
export function lockOwner(file: string): { pid: number } | undefined {
  const owner = parse(read(file) ?? "");
  return owner && !isGone(owner) ? { pid: owner.pid } : undefined;
}

const inUse = (file: string, owner: Owner): string =>
  owner.host === hostname() && owner.space === pidSpace()
    ? `This session is in use by process ${owner.pid}.`
    : `This session is in use by process ${owner.pid} on ${owner.host}, which cannot be looked at from here. ` +
      `If it is gone, remove ${file}.`;

// Between reading a dead owner's file and removing it another process may have done the same and put its own there:
// only
// who holds the guard of this file with this text may remove it, and only what it has read again. A guard is such a
// file
// too, so one whose holder was killed goes the same way.
function takeAway(file: string, text: string, me: string): void {
  const id = hasher("sha1")
    .update(file + text)
    .digest("hex");
  const guard = `${file.replace(/\.take-\w+$/, "")}.take-${id}`;
  if (!create(guard, me)) {
    const holder = read(guard);
    const owner = parse(holder ?? "");
    if (holder !== undefined && !(owner && !isGone(owner))) takeAway(guard, holder, me);
    return;
  }
  try {
    if (read(file) === text) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function isGone(owner: Owner): boolean {
  if (owner.host !== hostname()) return false;
  if (owner.boot !== bootId()) return true;
  if (owner.space !== pidSpace()) return false;
  const start = startOf(owner.pid);
  if (start !== undefined) return start !== owner.start;
  if (owner.start !== "") return true;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

/** What never changes of us is read once; ahead of the first lock, if somebody can tell that there will be one. */
export function readOwnProcess(): Omit<Owner, "host"> {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? "", boot: bootId(), space: pidSpace() };
  return own;
}
let own: Omit<Owner, "host"> | undefined;

function self(): Owner {
  const { pid, start, boot, space } = readOwnProcess();
  return { pid, start, boot, host: hostname(), space };
}

const bootId = (): string => read("/proc/sys/kernel/random/boot_id")?.trim() ?? "";

function pidSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/**
 * Field 22 of the kernel's process line; undefined for a process that is gone, is going (bit 2 of the flags, field 9),
 * or only waits to be buried. The name in the line may hold anything, so count from its closing bracket.
 */
function startOf(pid: number): string | undefined {
  const text = read(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const isGoing = /^[ZXx]$/.test(fields[0] ?? "") || (Number(fields[6]) & 4) !== 0;
  return isGoing ? undefined : fields[19];
}

// Written beside and linked into place: nobody ever sees a lock without its owner.
function create(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function release(file: string, me: string): void {
  if (read(file) === me) rmSync(file, { force: true });
}

/** A lock may lie beside a session of a stranger, so it may be anything. */
function read(file: string): string | undefined {
  const text = readPlain(file, { maxBytes: 64 * 1024 });
  return text.ok ? text.value : text.kind === "missing" ? undefined : "";
}

// A lock that cannot be read was left in the middle of its writing: its owner is gone.
function parse(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text);
    return typeof owner?.pid === "number" ? owner : undefined;
  } catch {
    return undefined;
  }
}
