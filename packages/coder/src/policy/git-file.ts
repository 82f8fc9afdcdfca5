import { closeSync, fstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isGitDirectory, isThere } from "@pith/host";
import { openPlain, readPlain } from "@pith/kit";
import type { GitSetting } from "./state.ts";

interface Kept {
  stamp: string;
  settings: readonly GitSetting[];
}

/** Reads what the repository around a directory has configured; the user's own configuration is the user's. */
export function gitReader(): (directory: string) => readonly GitSetting[] {
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
  return (directory) => {
    const folder = gitFolder(directory);
    if (folder === undefined) return [];
    const common = commonFolder(folder);
    const hook = join(common, "hooks", "post-index-change");
    return [
      ...read(join(common, "config"), configured),
      ...read(join(folder, "config.worktree"), configured),
      ...read(join(folder, "index"), nested),
      ...(isThere(hook) ? ([["hook.post-index-change", hook]] as const) : []),
    ];
  };
}

const mostBytes = 1024 * 1024;
const mostKept = 50;

/** What cannot be read may name anything. */
const unreadable: GitSetting = ["include.path", "?"];

function configured(file: string): readonly GitSetting[] {
  const text = readPlain(file, { maxBytes: mostBytes });
  return text.ok ? settingsIn(text.value) : [unreadable];
}

/**
 * Git looks into repositories that its index names, and obeys their configuration there. Their mark may also stand in
 * an index by chance, and the other half of a split one is not read: then too nobody can say what runs.
 */
function nested(file: string): readonly GitSetting[] {
  try {
    const fd = openPlain(file, "followed");
    try {
      if (fstatSync(fd).size > mostIndex) return [unreadable];
      const index = readFileSync(fd);
      const isSplit = readdirSync(dirname(file)).some((name) => name.startsWith("sharedindex."));
      return isSplit || index.includes(gitlink) ? [unreadable] : [];
    } finally {
      closeSync(fd);
    }
  } catch {
    return [unreadable];
  }
}

const mostIndex = 64 * 1024 * 1024;
/** The mode of an entry that is a commit of another repository. */
const gitlink = Buffer.from([0, 0, 0xe0, 0]);

function stampOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

/** The directory that git would take, looking upwards as git does. */
function gitFolder(from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const dot = join(at, ".git");
    const stat = statSync(dot, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return dot;
    if (stat?.isFile()) return linked(dot) ?? dot;
    if (isGitDirectory(at)) return at;
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
