// Holds what is on the disk, what has run and what models were told against the promises. It reads records by itself.
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { asideOwner } from "../../packages/host/src/fs/aside.ts";
import { Broken } from "./face.ts";
import { type Promises, tokensOf } from "./promises.ts";
import type { Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

interface Entry {
  type: string;
  id?: string;
  parentId?: string | null;
  message?: { role?: string; content?: unknown };
}

export interface Session {
  file: string;
  id: string;
  entries: Entry[];
  /** A line in the middle that is no JSON, or a half line at the end. */
  damaged: number;
}

/** All sessions that were recorded, or saved where there was room. */
export function sessionsIn(world: World): Session[] {
  return [join(world.home, "sessions"), world.at("tmp")].flatMap(filesBelow).flatMap((file) => {
    if (!file.endsWith(".jsonl")) return [];
    const lines = readFileSync(file, "utf8").split("\n");
    const entries = lines.filter((line) => line !== "").map(parsed);
    const [header, ...rest] = entries;
    if (header?.type !== "session") return [];
    const whole = rest.filter((entry) => entry !== undefined);
    return [{ file, id: header.id ?? "", entries: whole, damaged: rest.length - whole.length }];
  });
}

const parsed = (line: string): Entry | undefined => {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
};

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile());
}

/** The work tree, without git's own files. */
export function treeOf(world: World): Map<string, string> {
  const files = filesBelow(world.work).filter((file) => !relative(world.work, file).startsWith(".git/"));
  return new Map(files.map((file) => [relative(world.work, file), readFileSync(file, "utf8")]));
}

/** Throws when a promise does not hold. `when` is told with it. */
export function check(world: World, vendor: Vendor, promises: Promises, when: string): void {
  const found = [
    ...recordFaults(sessionsIn(world), promises),
    ...runFaults(world, promises),
    ...fileFaults(treeOf(world), promises),
    ...vendor.wrong.splice(0).map((text) => `a request no server takes: ${text}`),
  ];
  if (found.length > 0) throw new Broken(`${when}: ${found.slice(0, 5).join("; ")}`);
}

function recordFaults(sessions: readonly Session[], promises: Promises): string[] {
  const found: string[] = [];
  const messages = new Set<string>();
  const ids = new Set<string>();
  let all = "";
  for (const { file, entries } of sessions) {
    found.push(...shapeFaults(file, entries));
    for (const entry of entries) {
      if (entry.id) ids.add(entry.id);
      if (entry.message) messages.add(JSON.stringify(entry.message));
      if (entry.message || entry.type === "custom" || entry.type === "custom_message")
        all += `${JSON.stringify(entry)}\n`;
    }
  }
  for (const message of promises.messages)
    if (!messages.has(message)) found.push(`a message that was told is lost: ${message.slice(0, 160)}`);
  for (const id of promises.entries) if (!ids.has(id)) found.push(`the entry ${id} was told and is lost`);
  for (const token of promises.said)
    if (!all.includes(`TASK ${token} `)) found.push(`the message ${token} was acknowledged and is lost`);
  return found;
}

/** Says what is wrong with the entries of one record, apart from what it should hold. */
function shapeFaults(file: string, entries: readonly Entry[]): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  for (const { id = "", parentId } of entries) {
    if (ids.has(id)) found.push(`${file} has the id ${id} twice`);
    if (typeof parentId === "string" && !ids.has(parentId))
      found.push(`${file}: ${id} hangs on ${parentId}, which is not there`);
    ids.add(id);
  }
  const tokens = tokensOf(entries.flatMap(({ message }) => (message ? [message] : [])));
  const twice = tokens.find((token, at) => tokens.indexOf(token) !== at);
  if (twice !== undefined) found.push(`${file}: the message ${twice} was delivered twice`);
  return found;
}

function runFaults(world: World, { done, callOf }: Promises): string[] {
  const ran = readFileSync(world.ran, "utf8").split("\n").filter(Boolean);
  const found = ran.filter((id, at) => ran.indexOf(id) !== at).map((id) => `the command ${id} ran twice`);
  const known = new Set(ran);
  for (const id of done) {
    const act = callOf(id)?.act.act;
    if ((act === "run" || act === "remove" || act === "flood") && !known.has(id))
      found.push(`the command ${id} was told as done and never ran`);
  }
  return found;
}

function fileFaults(tree: ReadonlyMap<string, string>, { files }: Promises): string[] {
  const found: string[] = [];
  for (const [path, may] of files) {
    const text = tree.get(path) ?? null;
    if (!may.has(text)) found.push(`${path} holds ${show(text)}, and should hold ${[...may].map(show).join(" or ")}`);
  }
  // What is written beside a file by a process that was killed is cleared away by the next look at the project.
  const made = [...tree.keys()].filter((path) => asideOwner(basename(path)) === undefined);
  for (const path of made) if (!files.has(path)) found.push(`${path} is there, and nobody made it`);
  return found;
}

const show = (text: string | null): string => (text === null ? "no file" : JSON.stringify(text.slice(0, 60)));

/** Words that only a fault of pith's own says. */
export function complaintsIn(text: string): string | undefined {
  return text
    .split("\n")
    .find((line) => /internal error|TypeError|ReferenceError|unhandled|panic|^\s+at .*:\d+:\d+/i.test(line));
}

/** Files that a cut write has left and that nobody needs. */
export function leftovers(world: World): string[] {
  return filesBelow(world.home)
    .map((file) => relative(world.home, file))
    .filter((name) => /(?:^|\/)tmp-|\.tmp\b|\.lock\.|\.json\.[^/]+$|\.yml\.[^/]+$|\.partial$|\/tmp_obj/.test(name));
}
