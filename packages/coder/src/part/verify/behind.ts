import { lstatSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { hasher, isInside, readPlain, realPath } from "@pith/kit";

/** Files in which a project says what its commands do. */
const recipes = [
  ...["package.json", ".npmrc", "bunfig.toml", "Makefile", "makefile", "GNUmakefile", "justfile", "Taskfile.yml"],
  ...[".cargo/config.toml", "tox.ini", "noxfile.py", "Rakefile", "composer.json", "deno.json", "pyproject.toml"],
  ...["build.gradle", "build.gradle.kts", "gradlew", "pom.xml", "mvnw"],
];
const maxBytes = 1024 * 1024;
const mostWords = 500;

/**
 * What stands behind a command in a project, as one text: the recipes there and in folders that it names, and the files
 * that it, or a script of package.json, names. Who said yes to the command has said yes to this; the code that it looks
 * at is there to be changed.
 */
export function behind(project: string, command: string): string {
  const hash = hasher("sha256").update(command);
  const seen = new Set<string>();
  const words = wordsOf(command);
  for (const folder of [".", ...words]) if (isFolder(project, folder)) words.push(...recipesIn(project, folder, hash));
  for (const word of [...new Set(words)].slice(0, mostWords))
    for (const path of [resolve(project, word), join(project, "node_modules", ".bin", word)]) {
      if (seen.has(path) || !isInside(project, path)) continue;
      seen.add(path);
      hash.update(`\0${path}\0${standing(path)}`);
    }
  return hash.digest("hex");
}

function recipesIn(project: string, folder: string, hash: ReturnType<typeof hasher>): string[] {
  const named: string[] = [];
  for (const name of recipes) {
    const path = resolve(project, folder, name);
    const scripts = name.endsWith(".json") ? scriptsIn(path) : undefined;
    hash.update(`\0${path}\0${scripts ?? standing(path)}`);
    named.push(...wordsOf(scripts ? linesOf(scripts) : "").map((word) => join(folder, word)));
  }
  return named;
}

/** Of JSON only what it runs: dependencies come and go. */
function scriptsIn(path: string): string | undefined {
  const read = readPlain(path, { maxBytes });
  try {
    const { scripts, tasks } = JSON.parse(read.ok ? read.value : "") as { scripts?: unknown; tasks?: unknown };
    return JSON.stringify(scripts ?? tasks ?? {});
  } catch {
    return undefined;
  }
}

const linesOf = (scripts: string): string => Object.values(JSON.parse(scripts) as object).join("\n");

/** What a file is now: its text, and else what can be told of it from outside. */
function standing(path: string): string {
  const read = readPlain(path, { maxBytes });
  if (read.ok) return read.value;
  const stat = statOf(path, lstatSync);
  return stat && !stat.isDirectory() ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${realPath(path)}` : "";
}

/** Not every word is a name that a file could have. */
function statOf(path: string, look: (path: string) => Stats): Stats | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

/** What a text names and may run; not what it says it will write, which is another after every run. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/\d?>&\d|&?\d?>\s*\/dev\/null/g, " ")
    .split(/&&|\|\||[;&\n]/)
    .filter((line) => /[>`]|[$<]\(/.test(line) || !line.split("|").every((one) => looks.test(one)))
    .join("\n")
    .replace(writes, (said: string, file: string) => (program.test(file) ? said : " "))
    .split(/[\s"'`\\;|&()<>=,]+/)
    .filter((word) => word !== "");

/** Programs that run nothing: what they are given is there to be changed, unless another is given what they say. */
const looks = /^\s*(?:!\s*)?(?:test|\[|e?grep|fgrep|diff|cmp|cat|head|tail|wc|ls|echo|true|false)(?:\s|$)/;
/** A redirection, `tee`, an option for what comes out; and the file behind it. */
const writes = new RegExp(
  [
    String.raw`(?:>{1,2}|\btee\s(?:-a\s)?|\s--?(?:(?:[\w-]*-)?out(?:put)?[\w-]*|[\w-]*junit[\w-]*|[\w-]*coverprofile`,
    String.raw`|[\w-]*(?:report|cache|log|cover|coverage|buildinfo)-?(?:file|dir|location|path))[=\s])`,
    String.raw`\s*([^\s"'\x60\\;|&()<>=,]+)`,
  ].join(""),
  "gi",
);
const program = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|py|rb|pl|php|lua)$/i;

function isFolder(project: string, folder: string): boolean {
  const path = resolve(project, folder);
  return isInside(project, path) && statOf(path, statSync)?.isDirectory() === true;
}

/**
 * What stood behind commands when a person had said yes to them, and nobody else had done anything yet. Agents that
 * share the answers of people share this.
 */
const sealed = new WeakMap<object, Map<string, string>>();

/** What was meant by each command. */
export function sealsOf(answers: object): Map<string, string> {
  const known = sealed.get(answers) ?? new Map<string, string>();
  sealed.set(answers, known);
  return known;
}

/** Before something is done: what stands behind the command now is what was meant. */
export function seal(answers: object, project: string, command: string): void {
  const seals = sealsOf(answers);
  if (!seals.has(command)) seals.set(command, behind(project, command));
}
