import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { isGitDirectory } from "@pith/host";
import { readPlain } from "@pith/kit";

const oneOf = (names: string): RegExp => new RegExp(`^(?:${names.split(/\s+/).join("|")})$`);

/** Keys of a repository's configuration by which git runs nothing and goes nowhere it would not go. */
const harmless: Readonly<Record<string, RegExp>> = {
  core: oneOf(`repositoryformatversion filemode bare logallrefupdates ignorecase symlinks precomposeunicode autocrlf eol
    safecrlf longpaths hookspath sparsecheckout sparsecheckoutcone quotepath abbrev compression trustctime checkstat
    protectntfs protecthfs`),
  extensions: /^objectformat$/,
  remote: /^(?:url|pushurl|fetch|push|tagopt|prune|mirror|gh-resolved)$/,
  branch: oneOf(
    "remote merge rebase description vscode-merge-base autosetuprebase autosetupmerge github-pr-owner-number",
  ),
  submodule: /^(?:url|active)$/,
  user: /^(?:name|email|signingkey|useconfigonly)$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote|followtags)$/,
  init: /^defaultbranch$/,
  color: /^\w+$/,
  commit: /^gpgsign$/,
  gc: /^auto$/,
  fetch: /^prune$/,
  merge: /^conflictstyle$/,
  rebase: /^(?:autostash|autosquash)$/,
  advice: /^\w+$/,
};

const ordinaryUrl = /^(?:(?:https?|ssh|git):\/\/[\w.@:~/+%-]+|[\w.-]+@[\w.-]+:[\w.~/+-]+|\.{0,2}\/[\w.~/+-]+)$/;

/** Tells why a configuration is not harmless: every line has to be one of a strict short form. */
function harmfulLine(text: string): string | undefined {
  let section = "";
  for (const line of text.split("\n")) {
    if (/^[ \t]*(?:[#;][\x20-\x5b\x5d-\x7e\t]*)?$/.test(line)) continue;
    const head = /^\[([a-z]+)(?: "[\w./@+ -]+")?\]$/.exec(line)?.[1];
    if (head !== undefined) section = head;
    const [, key, value = ""] =
      /^[ \t]+([a-zA-Z][\w-]*) ?= ?([\x20-\x21\x24-\x3a\x3c-\x5b\x5d-\x7e]*)$/.exec(line) ?? [];
    if (head === undefined && key === undefined) return line;
    if (key === undefined) continue;
    if (!harmless[section]?.test(key.toLowerCase())) return `${section}.${key}`;
    if (/url$/i.test(key) && !ordinaryUrl.test(value)) return `${section}.${key}`;
    if (section === "core" && /^bare$/i.test(key) && value !== "false") return "core.bare";
  }
  return undefined;
}

/** Tells why git must not run in a directory unasked: its repository's configuration may have it run something. */
export function gitDanger(directory: string, isTrusted: (root: string) => boolean): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const dir = join(at, ".git");
    const stat = lstatSync(dir, { throwIfNoEntry: false });
    if (stat && isTrusted(at)) return undefined;
    if (stat) return stat.isDirectory() ? repositoryDanger(dir) : "its repository lies elsewhere";
    if (isGitDirectory(at, existsSync)) return "it is in a repository without a work tree";
    if (dirname(at) === at) return "there is no repository";
  }
}

function repositoryDanger(dir: string): string | undefined {
  // What git does not take for a repository it passes over, and looks further up.
  const head = readPlain(join(dir, "HEAD"), { maxBytes: 1024 });
  const isValid = head.ok && /^(?:ref: refs\/[\w./-]+|[0-9a-f]{40}|[0-9a-f]{64})\n$/.test(head.value);
  if (!isValid || !isGitDirectory(dir, existsSync)) return "its .git may be no repository";
  for (const name of ["commondir", "config.worktree", "objects/info/alternates", "objects/info/http-alternates"])
    if (existsSync(join(dir, name))) return `its repository has a file ${name}`;
  const file = join(dir, "config");
  const text = readPlain(file, { maxBytes: 64 * 1024 });
  if (!text.ok) return `${file} cannot be read`;
  const line = harmfulLine(text.value);
  if (line !== undefined) return `the repository's configuration may have git run a program: ${line.trim()}`;
  return undefined;
}
