import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fill, readPlain } from "@pith/kit";
import prose from "../prompts/environment.md" with { type: "text" };
import { repositoryRoot } from "../setting/repository.ts";

export interface Place {
  cwd: string;
  userHome: string;
  roots?: readonly string[];
  platform: string;
  now: number;
}

/** What is told of where and when the model works: what may change under a conversation. */
export type Facts = Readonly<Record<string, string>>;

const labels = ["Working directory", "Another folder of the project", "Platform", "Date", "Version control"];

export function factsOf({ cwd, roots = [], platform, now }: Place): Facts {
  const root = repositoryRoot(cwd);
  const git = root === undefined ? "none" : root === cwd ? "git" : `git, repository root ${root}`;
  const values = [cwd, roots.join(", "), platform, new Date(now).toISOString().slice(0, 10), git];
  return Object.fromEntries(labels.flatMap((label, at) => (values[at] ? [[label, values[at]]] : [])));
}

/** The block of the system prompt. */
export function environmentBlock(place: Place): string {
  const facts = Object.entries(factsOf(place)).map(([label, value]) => `${label}: ${value}`);
  return fill(prose, { facts: [...facts, ...projectLines(place)].join("\n") }).trim();
}

/** The facts as an earlier prompt told them. */
export function factsIn(system: readonly string[]): Facts | undefined {
  const block = system.map((text) => /^<environment>\n([\s\S]*?)\n<\/environment>/.exec(text)?.[1]).find(Boolean);
  if (block === undefined) return undefined;
  const rows = block.split("\n").map((row) => /^([^:]+): (.*)$/.exec(row) ?? []);
  return Object.fromEntries(
    labels.flatMap((label) => {
      const values = rows.flatMap(([, name, value]) => (name === label && value !== undefined ? [value] : []));
      return values.length > 0 ? [[label, values.join(", ")]] : [];
    }),
  );
}

const most = { names: 40, name: 40, scripts: 15, script: 60, folder: 64 * 1024, package: 256 * 1024 };

/**
 * What stands in the working directory, so that nobody has to ask first. It is looked at there only, which every mode
 * allows; and a home directory is no project.
 */
function projectLines({ cwd, userHome }: Place): string[] {
  if (cwd === userHome || cwd === "/") return [];
  const [names, scripts] = [namesIn(cwd), scriptsIn(cwd)];
  return [...(names ? [`Files: ${names}`] : []), ...(scripts ? [`Scripts of package.json: ${scripts}`] : [])];
}

/** A folder so large that reading it would take time says so by its own size; nobody waits for that. */
function namesIn(folder: string): string | undefined {
  try {
    if (statSync(folder).size > most.folder) return undefined;
    const names = readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith("."))
      .map((entry) => `${plain(entry.name, most.name)}${entry.isDirectory() ? "/" : ""}`);
    return listed(names.toSorted(), most.names);
  } catch {
    return undefined;
  }
}

function scriptsIn(folder: string): string | undefined {
  const file = readPlain(join(folder, "package.json"), { maxBytes: most.package, within: folder });
  if (!file.ok) return undefined;
  try {
    const { scripts } = JSON.parse(file.value) as { scripts?: unknown };
    if (typeof scripts !== "object" || scripts === null || Array.isArray(scripts)) return undefined;
    const rows = Object.entries(scripts).flatMap(([name, command]) =>
      typeof command === "string" ? [`${plain(name, most.name)} (${plain(command, most.script)})`] : [],
    );
    return listed(rows, most.scripts);
  } catch {
    return undefined;
  }
}

function listed(all: readonly string[], count: number): string | undefined {
  if (all.length === 0) return undefined;
  const left = all.length - count;
  return [...all.slice(0, count), ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
}

/** Names are a stranger's: what could end the line or the block stands as its code, and nothing is long. */
function plain(text: string, longest: number): string {
  const safe = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]/gu, (bad) => `\\u{${bad.codePointAt(0)?.toString(16)}}`);
  return safe.length > longest ? `${safe.slice(0, longest).toWellFormed()}…` : safe;
}
