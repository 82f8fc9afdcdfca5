import { fill } from "@pith/kit";
import type { ToolSpec } from "@pith/llm";
import type { Capabilities } from "../capability/registry.ts";
import { repositoryRoot } from "../setting/repository.ts";
import { environmentBlock, type Place } from "./environment.ts";
import { instructionsOf } from "./files.ts";
import { ruleList, skillList } from "./lists.ts";
import { type Hashes, hashesOf, type Material } from "./material.ts";
import treeProse from "./tree.md" with { type: "text" };
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
  /** What is told of configuration. */
  material(): Material;
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

export function systemPrompt(sources: PromptSources): MadePrompt {
  const { place, wanted, own, tools, skipped } = sources;
  if (wanted?.nothing) return { blocks: [], pieces: [], made: {} };
  // A repository that somebody else has put there is told of.
  repositoryRoot(place.cwd, skipped);
  const material = sources.material();
  const file = (part: "system" | "append") => material.system.find(({ data }) => data.part === part);
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
