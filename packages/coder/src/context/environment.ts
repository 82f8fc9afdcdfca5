import { join } from "node:path";
import { fill, parseJson, readPlain, recordOf } from "@pith/kit";
import { repositoryRoot } from "../setting/repository.ts";
import prose from "./environment.md" with { type: "text" };
import { branchOf, isDirty } from "./git.ts";
import { plain } from "./tree.ts";

export interface EnvironmentOptions {
  cwd: string;
  userHome: string;
  roots?: readonly string[];
  platform: string;
  /** Names of the terminal and the desktop. */
  terminal?: string | undefined;
  /** The place where commands run, and who lets what run. */
  commands?: string | undefined;
  approval?: string | undefined;
  now: number;
}

/** Facts about the environment that may change during a conversation, by label. */
export type Facts = Readonly<Record<string, string>>;

const labels = [
  ...["Working directory", "Another folder of the project", "Platform", "Date", "Version control", "Branch"],
  ...["Commands", "Approval"],
];

export function factsOf({ cwd, roots = [], platform, commands, approval, now }: EnvironmentOptions): Facts {
  const root = repositoryRoot(cwd);
  const git = root === undefined ? "none" : root === cwd ? "git" : `git, repository root ${root}`;
  const branch = root === undefined ? undefined : branchOf(root);
  const values = [
    cwd,
    roots.join(", "),
    platform,
    new Date(now).toISOString().slice(0, 10),
    git,
    branch,
    commands,
    approval,
  ];
  return Object.fromEntries(labels.flatMap((label, at) => (values[at] ? [[label, values[at]]] : [])));
}

/** Makes the block of the system prompt. */
export function environmentBlock(place: EnvironmentOptions): string {
  const facts = Object.entries(factsOf(place)).map(([label, value]) => `${label}: ${value}`);
  return fill(prose, { facts: [...facts, ...startLines(place), ...projectLines(place)].join("\n") }).trim();
}

const read = new WeakMap<readonly string[], Facts | "none">();

/** Reads the facts from an earlier prompt. */
export function factsIn(system: readonly string[]): Facts | undefined {
  const facts = read.get(system) ?? readFacts(system) ?? "none";
  read.set(system, facts);
  return facts === "none" ? undefined : facts;
}

function readFacts(system: readonly string[]): Facts | undefined {
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

/** Lists facts as they are at the start of the conversation. */
function startLines({ cwd, terminal }: EnvironmentOptions): string[] {
  const root = repositoryRoot(cwd);
  const dirty =
    root !== undefined && isDirty(root) ? ["Work tree: had changes that are not committed at the start"] : [];
  return [...dirty, ...(terminal ? [`Terminal: ${plain(terminal, most.terminal)}`] : [])];
}

const most = { name: 40, scripts: 15, script: 60, terminal: 80, package: 256 * 1024 };

/** Lists the scripts of the project in the working directory. A home directory is no project. */
function projectLines({ cwd, userHome }: EnvironmentOptions): string[] {
  const scripts = cwd === userHome || cwd === "/" ? undefined : scriptsIn(cwd);
  return scripts ? [`Scripts of package.json: ${scripts}`] : [];
}

function scriptsIn(folder: string): string | undefined {
  const file = readPlain(join(folder, "package.json"), { maxBytes: most.package, within: folder });
  const { scripts } = recordOf(file.ok && parseJson(file.value));
  const rows = Object.entries(recordOf(scripts)).flatMap(([name, command]) =>
    typeof command === "string" ? [`${plain(name, most.name)} (${plain(command, most.script)})`] : [],
  );
  const left = rows.length - most.scripts;
  return [...rows.slice(0, most.scripts), ...(left > 0 ? [`and ${left} more`] : [])].join(", ") || undefined;
}
