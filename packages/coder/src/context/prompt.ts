import { fill } from "@pith/kit";
import type { ToolSpec } from "@pith/llm";
import type { Capabilities } from "../capability/registry.ts";
import { repositoryRoot } from "../setting/repository.ts";
import { type EnvironmentOptions, environmentBlock } from "./environment.ts";
import { instructionsOf } from "./files.ts";
import { ruleList, skillList } from "./lists.ts";
import { type Hashes, hashesOf, type Material } from "./material.ts";
import treeProse from "./tree.md" with { type: "text" };
import { treeOf } from "./tree.ts";
import type { OwnWords } from "./worded.ts";

/** Text of the caller in place of the system prompt, or behind it. */
export interface WantedWords {
  system?: string | undefined;
  append?: string | undefined;
  nothing?: boolean | undefined;
  /** Replaces all blocks; the result is told and recorded. */
  every?: ((blocks: readonly string[]) => readonly string[]) | undefined;
}

export interface PromptSources {
  place: EnvironmentOptions;
  capabilities: Capabilities;
  wanted?: WantedWords | undefined;
  /** Makes pith's own text, for when nobody gives another one. */
  own(): OwnWords;
  tools(): readonly ToolSpec[];
  /** Reports files that should be read and are not. */
  skipped(what: string): void;
  /** The configuration that is told. */
  material(): Material;
}

/** A piece of the system prompt, and the file it comes from. */
export interface PromptPiece {
  part: "system" | "append" | "skills" | "rules" | "environment" | "tree" | "context";
  file?: string | undefined;
  text: string;
}

/** The system prompt in two blocks: instructions, skills and rules; then this project and this machine. */
export interface MadePrompt {
  blocks: readonly string[];
  pieces: readonly PromptPiece[];
  /** Hashes of the files, skills and rules that it was made of. */
  made: Hashes;
}

export function systemPrompt(sources: PromptSources): MadePrompt {
  const { place, wanted, own, tools, skipped } = sources;
  if (wanted?.nothing) return { blocks: [], pieces: [], made: {} };
  // Reports a repository of another user.
  repositoryRoot(place.cwd, skipped);
  const material = sources.material();
  const file = (part: "system" | "append") => material.system.find(({ data }) => data.part === part);
  const custom = pieceOf("system", wanted?.system, file("system"));
  const behind = pieceOf("append", wanted?.append, file("append"));
  // The same words twice would only cost.
  const append = behind && custom?.text.includes(behind.text) ? undefined : behind;
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
  const told = project === "told" ? material.files : [];
  const files = told.filter(({ text }, at) => told.findIndex((other) => other.text === text) === at);
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

function pieceOf(
  part: "system" | "append",
  flag: string | undefined,
  found: { file: string; data: { text: string } } | undefined,
): PromptPiece | undefined {
  if (flag !== undefined) return { part, text: flag.trim() };
  return found && { part, file: found.file, text: found.data.text };
}

/** Fills exactly three placeholders; everything else stays as it was written. */
const filled = (
  text: string,
  { skills, rules, tools }: { skills: string; rules: string; tools: () => string },
): string =>
  text.replace(/\{\{(skills|rules|tools)\}\}/g, (_, name: string) =>
    name === "skills" ? skills : name === "rules" ? rules : tools(),
  );

const toolList = (tools: readonly ToolSpec[]): string =>
  tools.map(({ name, description }) => `- ${name}: ${description.split(/(?<=\.)\s/, 1)[0]}`).join("\n");
