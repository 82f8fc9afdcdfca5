import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, isInside, messageOf } from "@pith/kit";
import { holdFolder } from "../../../fs/hold.ts";
import { readRegular } from "../../../git/repository.ts";
import type { SandboxPlan } from "../plan/plan.ts";
import { isHarmless } from "./harmless.ts";

/** Something that should not have come about, and what was done about it. */
export interface Violation {
  path: string;
  what: "taken back" | "left" | "replaced";
  /** Path where it is now; or why it is still there. */
  text: string;
}

/**
 * Looks after what no mount can hold: what was not there when a command began, links, and files that somebody outside
 * replaced, which takes the mount away without a word. Nothing is deleted: whose it was cannot be known, so it is put
 * aside and named.
 */
export class SandboxGuard {
  readonly #plan: SandboxPlan;
  readonly #aside: string;
  readonly #before: ReadonlyMap<string, string>;
  readonly #sealed: ReadonlyMap<string, string>;
  readonly #told = new Set<string>();
  readonly #accepted: string[] = [];

  /** `aside`: a folder to put things into; made when it is needed. */
  constructor(plan: SandboxPlan, aside: string) {
    this.#plan = plan;
    this.#aside = aside;
    this.#before = new Map(plan.watched.map((path) => [path, describePath(path)]));
    this.#sealed = new Map(
      [...plan.readOnly, ...plan.replaced.map(({ path }) => path)].map((path) => [path, identity(path)]),
    );
  }

  /** Somebody who may writes this: it stays. */
  accept(path: string): void {
    this.#accepted.push(path);
  }

  /** Takes back what came about since the guard was set up. Where others could have done it too, it is only named. */
  check(who: "command" | "others too"): Violation[] {
    const found: Violation[] = [];
    const expected = (path: string) => this.#accepted.some((one) => isInside(one, path) || isInside(path, one));
    for (const [path, before] of this.#before) {
      const now = describePath(path);
      if (now === before || this.#told.has(`${path}\0${now}`) || now === "" || expected(path)) continue;
      found.push(
        who === "command"
          ? this.#takeBack(path, before)
          : { path, what: "left", text: "a command outside of the sandbox ran at the same time" },
      );
      this.#told.add(`${path}\0${describePath(path)}`);
    }
    for (const [path, before] of this.#sealed) {
      const now = identity(path);
      if (now === before || this.#told.has(`${path}\0${now}`)) continue;
      this.#told.add(`${path}\0${now}`);
      if (expected(path)) continue;
      found.push({
        path,
        what: "replaced",
        text: "somebody outside replaced it while a command ran, and so it could be written: look at it before use",
      });
    }
    return found;
  }

  #takeBack(path: string, before: string): Violation {
    const root = this.#plan.writable.find((folder) => isInside(folder, path));
    const taken = quarantine(path, root, this.#aside);
    return before === "" || taken.what === "left" ? taken : { ...taken, text: `${taken.text}; it had been ${before}` };
  }
}

/** Puts something aside that lies in a folder. */
export function quarantine(path: string, root: string | undefined, aside: string): Violation {
  const to = join(aside, `${crypto.randomUUID().slice(0, 8)}-${basename(path)}`);
  const folder = root === undefined ? undefined : straight(root, dirname(path));
  if (!folder) return { path, what: "left", text: "it is behind a link" };
  try {
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    move(folder.in(basename(path)), to);
    return { path, what: "taken back", text: to };
  } catch (thrown) {
    return { path, what: "left", text: messageOf(thrown) };
  } finally {
    folder.close();
  }
}

/**
 * The folder that lies really there: one on the way that is a link, or becomes one just now, would lead us elsewhere.
 * So it is held; where nothing can be, it is looked at.
 */
function straight(root: string, folder: string): { in(name: string): string; close(): void } | undefined {
  if (!isStraight(root, folder)) return undefined;
  try {
    return holdFolder(folder, "fails");
  } catch (thrown) {
    return codeOf(thrown) === "ENOSYS" ? { in: (name) => join(folder, name), close() {} } : undefined;
  }
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    cpSync(from, to, { recursive: true, dereference: false, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}

/** Identity of what stands at a path; an entry that runs nothing counts as none. */
export function describePath(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || isHarmless(path, { names, text })) return "";
  if (stat.isSymbolicLink()) return `a link to ${readlinkSync(path)}`;
  const when = new Date(lastChange(path)).toISOString();
  return `${stat.isDirectory() ? "a folder" : "a file"} ${stat.dev}:${stat.ino} of ${when}`;
}

/** Time of the last change to an entry or its contents; no program can set another. */
export function lastChange(path: string): number {
  const at = (one: string) => lstatSync(one, { throwIfNoEntry: false })?.ctimeMs ?? 0;
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

function identity(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  // Numbers of files come back: when it was made tells two of one number apart.
  return stat ? `${stat.dev}:${stat.ino}:${stat.birthtimeMs}` : "gone";
}

/** True when no link stands between a folder and one below it. */
function isStraight(root: string, below: string): boolean {
  for (let at = below; at !== root && isInside(root, at); at = dirname(at))
    if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  return true;
}
