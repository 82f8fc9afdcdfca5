import { constants, cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { closing, isInside, linkStat, messageOf, tryOr } from "@pith/kit";
import type { Held } from "../../../fs/hold/held.ts";
import { holdFolder } from "../../../fs/hold/hold.ts";
import { readRegular } from "../../../git/repository.ts";
import type { SandboxPlan } from "../plan/plan.ts";
import { FileCopies, type FileCopy } from "./copies.ts";
import { isHarmless, runsNoMore } from "./harmless.ts";

/** Something that should not have come about, and what was done about it. */
export interface Violation {
  path: string;
  what: "taken back" | "left" | "replaced";
  /** Path where it is now; or why it is still there. */
  text: string;
}

/** Something that a mount holds, or should. */
interface Sealed {
  identity: string;
  /** The file as it was, or as somebody outside has changed it to nothing worse since. */
  copy: FileCopy | undefined;
  /** True once the mount has gone, or where the file has other names, which no mount holds. */
  isLoose: boolean;
}

/**
 * Looks after what no mount can hold: what was not there when a command began, links, and files that somebody outside
 * replaced, which takes the mount away without a word. Nothing is deleted: whose it was cannot be known, so it is put
 * aside and named.
 */
export class SandboxGuard {
  readonly #plan: SandboxPlan;
  readonly #aside: string;
  readonly #copies: FileCopies;
  readonly #before: ReadonlyMap<string, string>;
  readonly #copied: ReadonlyMap<string, FileCopy | undefined>;
  readonly #sealed: ReadonlyMap<string, Sealed>;
  readonly #hidden: ReadonlyMap<string, string>;
  readonly #told = new Set<string>();
  readonly #accepted: string[] = [];

  /** `aside`: a folder to put things into; made when it is needed. */
  constructor(plan: SandboxPlan, aside: string, copies = new FileCopies()) {
    this.#plan = plan;
    this.#aside = aside;
    this.#copies = copies;
    this.#copied = new Map(plan.watched.map((path) => [path, copies.take(path)]));
    this.#before = new Map(plan.watched.map((path) => [path, describePath(path)]));
    this.#sealed = new Map(
      [...plan.readOnly, ...plan.replaced.map(({ path }) => path)].map((path) => [
        path,
        { identity: identity(path), copy: copies.take(path), isLoose: hasOtherNames(path) },
      ]),
    );
    this.#hidden = new Map(plan.hidden.map(({ path }) => [path, identity(path)]));
  }

  /** Somebody who may writes this: it stays. */
  accept(path: string): void {
    this.#accepted.push(path);
  }

  /** Takes back what came about since the guard was set up. Where others could have done it too, it is only named. */
  check(who: "command" | "others too"): Violation[] {
    const found: Violation[] = [];
    for (const [path, before] of this.#before) {
      const now = describePath(path);
      if (now === before || this.#told.has(`${path}\0${now}`) || now === "" || this.#isExpected(path)) continue;
      if (this.#runsNoMore(path, this.#copied.get(path))) continue;
      found.push(who === "command" ? this.#takeBack(path, before) : { path, what: "left", text: othersToo });
      this.#told.add(`${path}\0${describePath(path)}`);
    }
    for (const [path, sealed] of this.#sealed) {
      const violation = this.#checkSealed(path, sealed, who);
      if (violation) found.push(violation);
    }
    for (const [path, before] of this.#hidden) {
      const now = identity(path);
      const isKey = now !== before && linkStat(path)?.isFile() === true;
      if (!isKey || this.#told.has(`${path}\0${now}`)) continue;
      this.#told.add(`${path}\0${now}`);
      found.push({ path, what: "replaced", text: seenText });
    }
    return found;
  }

  /** Looks at what a mount held when the command began. */
  #checkSealed(path: string, sealed: Sealed, who: "command" | "others too"): Violation | undefined {
    const now = identity(path);
    if (now === sealed.identity && !sealed.isLoose) return undefined;
    const first = !sealed.isLoose;
    const [before, copy] = [sealed.copy, this.#copies.take(path)];
    sealed.identity = now;
    sealed.isLoose = true;
    if (this.#isExpected(path)) {
      sealed.copy = copy;
      return undefined;
    }
    const said: Violation = { path, what: "replaced", text: replacedText };
    if (!copy || copy.content === before?.content || this.#runsNoMore(path, before)) {
      sealed.copy = copy ?? before;
      return first ? said : undefined;
    }
    // A folder in its place, or a file that was never read, cannot be told apart.
    if (!before) return first ? said : undefined;
    if (who === "others too") {
      sealed.copy = copy;
      return { path, what: "left", text: othersToo };
    }
    const root = this.#plan.writable.find((folder) => isInside(folder, path));
    const taken = quarantine(path, root, this.#aside, before);
    sealed.identity = identity(path);
    const why = first ? looseText : "it could be written by another of its names, or was replaced by somebody outside";
    return taken.what === "left" ? taken : { path, what: "taken back", text: `${taken.text}; ${why}` };
  }

  /** True where a file of git's runs nothing by what has been added to it. */
  #runsNoMore(path: string, before: FileCopy | undefined): boolean {
    const now = this.#copies.take(path);
    const text = (copy: FileCopy | undefined) => copy?.bytes?.toString("latin1");
    const said = text(now);
    return said !== undefined && runsNoMore(path, text(before) ?? "", said);
  }

  #isExpected(path: string): boolean {
    return this.#accepted.some((one) => isInside(one, path) || isInside(path, one));
  }

  #takeBack(path: string, before: string): Violation {
    const root = this.#plan.writable.find((folder) => isInside(folder, path));
    const taken = quarantine(path, root, this.#aside, this.#copied.get(path));
    return before === "" || taken.what === "left" ? taken : { ...taken, text: `${taken.text}; it had been ${before}` };
  }
}

const othersToo = "a command outside of the sandbox ran at the same time";
const replacedText =
  "somebody outside replaced it while a command ran, and so it could be written: look at it before use";
const looseText =
  "somebody outside replaced it while a command ran, and so it could be written: it is as it was when that began";

const seenText = "it is hidden, but somebody outside replaced it while a command ran, which could read it since";

/** Puts something aside that lies in a folder, and what it was before in its place. */
export function quarantine(path: string, root: string | undefined, aside: string, before?: FileCopy): Violation {
  const to = join(aside, `${crypto.randomUUID().slice(0, 8)}-${basename(path)}`);
  const folder = root === undefined ? undefined : straight(root, dirname(path));
  if (!folder) return { path, what: "left", text: "it is behind a link" };
  try {
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    move(folder, basename(path), to);
    if (before?.bytes) putBack(folder, basename(path), before.bytes, before.mode);
    return { path, what: "taken back", text: to };
  } catch (thrown) {
    return { path, what: "left", text: messageOf(thrown) };
  } finally {
    folder.close();
  }
}

/** The folder that lies really there: one on the way that is a link, or becomes one just now, would lead us elsewhere. */
const straight = (root: string, folder: string): Held | undefined =>
  isStraight(root, folder) ? tryOr(() => holdFolder(folder, "fails")) : undefined;

function putBack(folder: Held, name: string, bytes: Uint8Array, mode: number): void {
  const fd = folder.open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  using _ = closing(fd);
  writeFileSync(fd, bytes);
}

function move(folder: Held, name: string, to: string): void {
  try {
    folder.moveTo(name, to);
  } catch {
    folder.lend((path) => {
      const from = join(path, name);
      cpSync(from, to, { recursive: true, dereference: false, verbatimSymlinks: true });
      rmSync(from, { recursive: true, force: true });
    });
  }
}

/** Identity of what stands at a path; an entry that runs nothing counts as none. */
export function describePath(path: string): string {
  const stat = linkStat(path);
  if (!stat || isHarmless(path, { names, text })) return "";
  if (stat.isSymbolicLink()) return `a link to ${readlinkSync(path)}`;
  const when = new Date(lastChange(path)).toISOString();
  return `${stat.isDirectory() ? "a folder" : "a file"} ${stat.dev}:${stat.ino} of ${when}`;
}

/** Time of the last change to an entry or its contents; no program can set another. */
export function lastChange(path: string): number {
  const at = (one: string) => linkStat(one)?.ctimeMs ?? 0;
  return Math.max(at(path), ...(names(path) ?? []).slice(0, mostNames).map((name) => at(join(path, name))));
}

const mostNames = 1000;

const names = (path: string): string[] | undefined => {
  try {
    return lstatSync(path).isDirectory() ? readdirSync(path) : undefined;
  } catch {
    return undefined;
  }
};

function text(path: string): string | undefined {
  try {
    return readRegular(path, { maxBytes: 64 * 1024, links: "refuse" })?.toString();
  } catch {
    return undefined;
  }
}

function hasOtherNames(path: string): boolean {
  const stat = linkStat(path);
  return stat?.isFile() === true && stat.nlink > 1;
}

function identity(path: string): string {
  const stat = linkStat(path);
  // Numbers of files come back: when it was made tells two of one number apart.
  return stat ? `${stat.dev}:${stat.ino}:${stat.birthtimeMs}` : "gone";
}

/** True when no link stands between a folder and one below it. */
function isStraight(root: string, below: string): boolean {
  for (let at = below; at !== root && isInside(root, at); at = dirname(at))
    if (linkStat(at)?.isDirectory() !== true) return false;
  return true;
}
