import { linkSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { codeOf, fail, hasher, messageOf, ok, parseJson, type Result, readPlain, recordOf, tryOr } from "@pith/kit";
import type { LockFailure } from "./storage.ts";

interface Owner {
  pid: number;
  /** Start time of the process in kernel ticks: a later process with the same number has a later one. */
  start: string;
  boot: string;
  host: string;
  /** PID namespace: process numbers of another container mean nothing here. */
  space: string;
}

/** Takes a lock and returns its release. A lock whose owner is dead is taken over. */
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

/** Owner of a lock, if it is alive. */
export function lockOwner(file: string): { pid: number } | undefined {
  const owner = parse(read(file) ?? "");
  return owner && !isGone(owner) ? { pid: owner.pid } : undefined;
}

const inUse = (file: string, owner: Owner): string =>
  owner.host === hostname() && owner.space === pidSpace()
    ? `This session is in use by process ${owner.pid}.`
    : `This session is in use by process ${owner.pid} on ${owner.host}, which cannot be looked at from here. ` +
      `If it is gone, remove ${file}.`;

// Another process may replace a dead owner's lock between our read and our removal. So only the holder of a guard for
// this file and text may remove it, after reading it again. A guard is a lock file too, so a dead holder's guard is
// removed in the same way.
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

/** Facts of this process, read once; in advance if a lock will be needed. */
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

const pidSpace = (): string => tryOr(() => readlinkSync("/proc/self/ns/pid"), "");

/**
 * Start time (field 22) of a process; undefined if it is gone, exiting (bit 2 of the flags, field 9), or a zombie. The
 * name may contain anything, so fields are counted from its closing bracket.
 */
function startOf(pid: number): string | undefined {
  const text = read(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const isGoing = /^[ZXx]$/.test(fields[0] ?? "") || (Number(fields[6]) & 4) !== 0;
  return isGoing ? undefined : fields[19];
}

// Written under a temporary name and linked, so that a lock always has its owner in it.
function create(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
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

/** Reads a lock file, which in a stranger's session may be anything. */
function read(file: string): string | undefined {
  const text = readPlain(file, { maxBytes: 64 * 1024 });
  return text.ok ? text.value : text.kind === "missing" ? undefined : "";
}

// An unreadable lock was interrupted while being written: its owner is gone.
function parse(text: string): Owner | undefined {
  const owner = recordOf(parseJson(text));
  return typeof owner.pid === "number" ? (owner as unknown as Owner) : undefined;
}
