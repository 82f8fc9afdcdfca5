import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isGitDirectory, isThere } from "@pith/host";
import { readPlain } from "@pith/kit";
import type { GitSetting } from "../state.ts";
import { type IndexReader, indexReader } from "./git-index.ts";

interface Kept {
  stamp: string;
  settings: readonly GitSetting[];
}

/** Reads what the repository around a directory has configured; the user's own configuration is the user's. */
export function gitReader(indexOf: IndexReader = indexReader()): (directory: string) => readonly GitSetting[] {
  const kept = new Map<string, Kept>();
  const read = (file: string, look: (file: string) => readonly GitSetting[]): readonly GitSetting[] => {
    const stamp = stampOf(file);
    if (stamp === undefined) return [];
    const known = kept.get(file);
    if (known?.stamp === stamp) return known.settings;
    const settings = look(file);
    if (kept.size > mostKept) kept.clear();
    kept.set(file, { stamp, settings });
    return settings;
  };
  /** Git looks into repositories that its index names, and obeys their configuration there. */
  const inner = (folder: string, root: string, depth: number): readonly GitSetting[] => {
    const found = indexOf(folder, root).inner;
    if (found === undefined || found.length > mostInner)
      return [unread("which repositories lie inside of this one cannot be told from its index")];
    const there = found.filter((path) => isThere(join(path, ".git")));
    if (there.length > 0 && depth >= deepest) return [unread("repositories lie inside of each other without end")];
    return there.flatMap((path) => {
      const place = gitLocation(path);
      if (!place) return [];
      // Where its files are is what it says, and nothing else.
      return settingsOf(place, depth + 1).filter(
        ([key, value]) => !/^core\.worktree$/i.test(key) || resolve(place.folder, value) !== path,
      );
    });
  };
  const settingsOf = ({ folder, root }: GitLocation, depth: number): readonly GitSetting[] => {
    const common = commonFolder(folder);
    const hook = join(common, "hooks", "post-index-change");
    return [
      ...read(join(common, "config"), configured),
      ...read(join(folder, "config.worktree"), configured),
      ...inner(folder, root, depth),
      ...(isThere(hook) ? ([["hook.post-index-change", hook]] as const) : []),
    ];
  };
  return (directory) => {
    const place = gitLocation(directory);
    return place ? settingsOf(place, 0) : [];
  };
}

const unread = (why: string): GitSetting => ["index.unread", why];
const deepest = 4;
const mostInner = 200;

const mostBytes = 1024 * 1024;
const mostKept = 50;

/** What cannot be read may name anything. */
const unreadable: GitSetting = ["include.path", "?"];

function configured(file: string): readonly GitSetting[] {
  const text = readPlain(file, { maxBytes: mostBytes });
  return text.ok ? settingsIn(text.value) : [unreadable];
}

function stampOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

export interface GitLocation {
  /** The git directory. */
  folder: string;
  /** Where its files are. */
  root: string;
}

/** The directory that git would take, looking upwards as git does, and where its files are. */
export function gitLocation(from: string): GitLocation | undefined {
  for (let at = from; ; at = dirname(at)) {
    const dot = join(at, ".git");
    const stat = statSync(dot, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return { folder: dot, root: at };
    if (stat?.isFile()) return { folder: linked(dot) ?? dot, root: at };
    if (isGitDirectory(at)) return { folder: at, root: at };
    if (dirname(at) === at) return undefined;
  }
}

function linked(file: string): string | undefined {
  const text = readPlain(file, { maxBytes: 4096 });
  const to = text.ok ? /^gitdir: (.+)$/m.exec(text.value)?.[1] : undefined;
  return to === undefined ? undefined : resolve(dirname(file), to.trim());
}

function commonFolder(folder: string): string {
  const text = readPlain(join(folder, "commondir"), { maxBytes: 4096 });
  return text.ok ? resolve(folder, text.value.trim()) : folder;
}

/** Git's configuration as lines; what does not look like it counts as something that nobody can look into. */
function settingsIn(text: string): readonly GitSetting[] {
  const found: GitSetting[] = [];
  let section = "";
  // A line may go on behind a backslash.
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    let rest = line.trim();
    const head = /^\[\s*([\w.-]+)\s*(?:"((?:\\.|[^"\\])*)")?\s*\]/.exec(rest);
    if (head) {
      const name = head[2]?.replace(/\\(.)/g, "$1");
      section = `${head[1]}${name === undefined ? "" : `.${name}`}`;
      rest = rest.slice(head[0].length).trim();
    }
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const [, key, value] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest) ?? [];
    found.push(key === undefined ? unreadable : [`${section}.${key}`, value === undefined ? "true" : plain(value)]);
  }
  return found;
}

/** A value without its comment and its quotes. */
function plain(text: string): string {
  let value = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === "\\") value += text[++at] ?? "";
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === "#" || sign === ";")) break;
    else value += sign;
  }
  return value.trim();
}
