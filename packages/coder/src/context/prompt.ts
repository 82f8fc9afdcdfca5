import { fill } from "@pith/kit";
import type { ToolSpec } from "@pith/llm";
import type { Capabilities } from "../capability/registry.ts";
import treeProse from "../prompts/tree.md" with { type: "text" };
import { repositoryRoot } from "../setting/repository.ts";
import { environmentBlock, type Place } from "./environment.ts";
import { type ContextFile, contextFiles, hashOf, instructionsOf } from "./files.ts";
import { ruleList, skillList } from "./lists.ts";
import { treeOf } from "./tree.ts";
import type { OwnWords } from "./worded.ts";

/** Words of whoever started us in the place of ours, or behind them. */
export interface WantedWords {
  system?: string | undefined;
  append?: string | undefined;
  nothing?: boolean | undefined;
  /** Has the last word on all blocks: what it gives back is said, and recorded like ours. */
  every?: ((blocks: readonly string[]) => readonly string[]) | undefined;
}

export interface PromptSources {
  place: Place;
  capabilities: Capabilities;
  wanted?: WantedWords | undefined;
  /** What is said where nobody wants other words. */
  own(): OwnWords;
  tools(): readonly ToolSpec[];
  /** Told of what is wanted to be read and is not. */
  skipped(what: string): void;
  /** Whether a rule closes a path to everybody. */
  forbids?(path: string): boolean;
}

/** One piece of the system prompt, and the file it comes from. */
export interface PromptPiece {
  part: "system" | "append" | "skills" | "rules" | "environment" | "tree" | "context";
  file?: string | undefined;
  text: string;
}

/** The system prompt in two blocks: instructions, skills and rules; then this project and this machine. */
export interface MadePrompt {
  blocks: readonly string[];
  pieces: readonly PromptPiece[];
  /** What it was made of: files, skills and rules, each by the hash of its content. */
  made: Hashes;
}

export type Hashes = Readonly<Record<string, string>>;

export function systemPrompt(sources: PromptSources): MadePrompt {
  const { place, capabilities, wanted, own, tools, skipped, forbids } = sources;
  if (wanted?.nothing) return { blocks: [], pieces: [], made: {} };
  // A repository that somebody else has put there is told of.
  repositoryRoot(place.cwd, skipped);
  const material = materialOf(capabilities, skipped, forbids);
  const said = capabilities.of("system");
  for (const text of said.warnings) skipped(text);
  const file = (part: "system" | "append") => said.winners.find(({ data }) => data.part === part);
  const custom = pieceOf("system", wanted?.system, file("system"));
  const append = pieceOf("append", wanted?.append, file("append"));
  const skills = skillList(material.skills);
  const rules = ruleList(material.rules, [custom?.text, append?.text].join("\n"), skipped);
  const { text, project } = own();
  const first: PromptPiece[] = custom
    ? [
        { ...custom, text: filled(custom.text, { skills, rules, tools: () => toolList(tools()) }) },
        ...(append ? [append] : []),
      ]
    : [
        { part: "system", text },
        { part: "skills", text: skills },
        { part: "rules", text: rules },
      ];
  const isProject = project === "told" && place.cwd !== place.userHome && place.cwd !== "/";
  const tree = isProject ? treeOf(place.cwd) : [];
  const files = project === "told" ? material.files : [];
  const second: PromptPiece[] = [
    { part: "environment", text: environmentBlock(place) },
    { part: "tree", text: tree.length > 0 ? fill(treeProse, { lines: tree.join("\n") }).trim() : "" },
    ...files.map(
      ({ path, text }): PromptPiece => ({
        part: "context",
        file: path,
        text: instructionsOf({ path, text }),
      }),
    ),
    ...(append && !custom ? [append] : []),
  ];
  const blocks = [first, second].map((pieces) => pieces.filter(({ text }) => text !== ""));
  return {
    blocks: blocks.map((pieces) => pieces.map(({ text }) => text).join("\n\n")),
    pieces: blocks.flat(),
    made: hashesOf(material),
  };
}

/** All that is told of configuration, as it stands now. */
export interface Material {
  files: readonly ContextFile[];
  skills: ReturnType<typeof skillsOf>;
  rules: ReturnType<typeof rulesOf>;
}

export function materialOf(
  capabilities: Capabilities,
  skipped: (what: string) => void,
  forbids?: (path: string) => boolean,
): Material {
  return {
    files: contextFiles(capabilities, skipped, forbids),
    skills: skillsOf(capabilities, skipped),
    rules: rulesOf(capabilities, skipped),
  };
}

export const hashesOf = ({ files, skills, rules }: Material): Hashes =>
  Object.fromEntries([
    ...files.map(({ path, hash }) => [path, hash]),
    ...skills.filter(({ data }) => !data.hidden).map(({ name, data }) => [`skill:${name}`, hashOf(data.description)]),
    ...rules.map(({ name, data }) => [`rule:${name}`, hashOf(data.always ? data.text : data.description)]),
  ]);

function skillsOf(capabilities: Capabilities, skipped: (what: string) => void) {
  const { winners, warnings } = capabilities.of("skill");
  for (const text of warnings) skipped(text);
  return winners.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function rulesOf(capabilities: Capabilities, skipped: (what: string) => void) {
  const { winners, warnings } = capabilities.rules("told");
  for (const text of warnings) skipped(text);
  return winners.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function pieceOf(
  part: "system" | "append",
  flag: string | undefined,
  found: { file: string; data: { text: string } } | undefined,
): PromptPiece | undefined {
  if (flag !== undefined) return { part, text: flag.trim() };
  return found && { part, file: found.file, text: found.data.text };
}

/** Exactly three holes are filled; everything else stays as it was written. */
const filled = (
  text: string,
  { skills, rules, tools }: { skills: string; rules: string; tools: () => string },
): string =>
  text.replace(/\{\{(skills|rules|tools)\}\}/g, (_, name: string) =>
    name === "skills" ? skills : name === "rules" ? rules : tools(),
  );

const toolList = (tools: readonly ToolSpec[]): string =>
  tools.map(({ name, description }) => `- ${name}: ${description.split(/(?<=\.)\s/, 1)[0]}`).join("\n");
