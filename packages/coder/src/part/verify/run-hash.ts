import { join, resolve } from "node:path";
import { hasher, isDirectory, isInside, isRecord, linkStat, parseJson, readPlain, realPath, recordOf } from "@pith/kit";

/** Files in which a project defines its commands. */
const recipes = [
  ...["package.json", ".npmrc", "bunfig.toml", "Makefile", "makefile", "GNUmakefile", "justfile", "Taskfile.yml"],
  ...[".cargo/config.toml", "tox.ini", "noxfile.py", "Rakefile", "composer.json", "deno.json", "pyproject.toml"],
  ...["build.gradle", "build.gradle.kts", "gradlew", "pom.xml", "mvnw"],
];
const maxBytes = 1024 * 1024;
const mostWords = 500;

/**
 * A hash of all that a command runs: recipes of the project and of directories it names, and files that it or a script
 * names. A yes to the command is a yes to this. The code that a check looks at is not in it.
 */
export function hashRun(project: string, command: string): string {
  const hash = hasher("sha256").update(command);
  const seen = new Set<string>();
  const words = wordsOf(command);
  for (const folder of [".", ...words]) {
    const path = resolve(project, folder);
    if (isInside(project, path) && isDirectory(path)) words.push(...recipesIn(project, folder, hash));
  }
  for (const word of [...new Set(words)].slice(0, mostWords))
    for (const path of [resolve(project, word), join(project, "node_modules", ".bin", word)]) {
      if (seen.has(path) || !isInside(project, path)) continue;
      seen.add(path);
      hash.update(`\0${path}\0${stateOf(path)}`);
    }
  return hash.digest("hex");
}

function recipesIn(project: string, folder: string, hash: ReturnType<typeof hasher>): string[] {
  const named: string[] = [];
  for (const name of recipes) {
    const path = resolve(project, folder, name);
    const scripts = name.endsWith(".json") ? scriptsIn(path) : undefined;
    hash.update(`\0${path}\0${scripts ?? stateOf(path)}`);
    const lines = Object.values(recordOf(parseJson(scripts ?? ""))).join("\n");
    named.push(...wordsOf(lines).map((word) => join(folder, word)));
  }
  return named;
}

/** The scripts of a JSON file, which has much beside them that changes often. */
function scriptsIn(path: string): string | undefined {
  const read = readPlain(path, { maxBytes });
  const json = read.ok ? parseJson(read.value) : undefined;
  const { scripts, tasks } = recordOf(json);
  return isRecord(json) ? JSON.stringify(scripts ?? tasks ?? {}) : undefined;
}

/** The text of a file; where that cannot be read, its inode, size, time and target. */
function stateOf(path: string): string {
  const read = readPlain(path, { maxBytes });
  if (read.ok) return read.value;
  const stat = linkStat(path);
  return stat && !stat.isDirectory() ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${realPath(path)}` : "";
}

/** Words of a text that may name what it runs; names of files that it writes are left out. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/\d?>&\d|&?\d?>\s*\/dev\/null/g, " ")
    .split(/&&|\|\||[;&\n]/)
    .filter((line) => /[>`]|[$<]\(/.test(line) || !line.split("|").every((one) => readsOnly.test(one)))
    .join("\n")
    .replace(writes, (text: string, file: string) => (program.test(file) ? text : " "))
    .split(/[\s"'`\\;|&()<>=,]+/)
    .filter((word) => word !== "");

/** Programs that run nothing, so that their arguments do not count. */
const readsOnly = /^\s*(?:!\s*)?(?:test|\[|e?grep|fgrep|diff|cmp|cat|head|tail|wc|ls|echo|true|false)(?:\s|$)/;
/** A redirection, `tee` or an option for output, with the file behind it. */
const writes = new RegExp(
  [
    String.raw`(?:>{1,2}|\btee\s(?:-a\s)?|\s--?(?:(?:[\w-]*-)?out(?:put)?[\w-]*|[\w-]*junit[\w-]*|[\w-]*coverprofile`,
    String.raw`|[\w-]*(?:report|cache|log|cover|coverage|buildinfo)-?(?:file|dir|location|path))[=\s])`,
    String.raw`\s*([^\s"'\x60\\;|&()<>=,]+)`,
  ].join(""),
  "gi",
);
const program = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|py|rb|pl|php|lua)$/i;

/** Hashes of the commands that a person accepted, by the grants that a conversation and its sub-agents share. */
const accepted = new WeakMap<object, Map<string, string>>();

export function acceptedRuns(grants: object): Map<string, string> {
  const known = accepted.get(grants) ?? new Map<string, string>();
  accepted.set(grants, known);
  return known;
}

/** Notes what a command runs before the model can change it; that is what the person accepted. */
export function noteAccepted(grants: object, project: string, command: string): void {
  const runs = acceptedRuns(grants);
  if (!runs.has(command)) runs.set(command, hashRun(project, command));
}
