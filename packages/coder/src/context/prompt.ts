import { fill } from "@pith/kit";
import environment from "../prompts/environment.md" with { type: "text" };
import instructions from "../prompts/instructions.md" with { type: "text" };
import system from "../prompts/system.md" with { type: "text" };
import { repositoryRoot } from "../setting/repository.ts";
import { projectInstructions } from "./project.ts";

/** The system prompt in two blocks: instructions that are the same everywhere, then this project and this machine. */
export function systemPrompt(about: {
  cwd: string;
  roots?: readonly string[];
  platform: string;
  now: number;
  /** Told of what the project wants to be read and is not. */
  skipped: (what: string) => void;
}): string[] {
  const root = repositoryRoot(about.cwd, about.skipped);
  const footer = fill(environment, {
    cwd: [about.cwd, ...(about.roots ?? [])].join("\nAnother folder of the project: "),
    platform: about.platform,
    date: new Date(about.now).toISOString().slice(0, 10),
    git: root === undefined ? "none" : root === about.cwd ? "git" : `git, repository root ${root}`,
  });
  const files = projectInstructions(about.cwd, root ?? about.cwd, about.skipped).map(({ path, text }) =>
    fill(instructions, { path, text }),
  );
  return [system.trim(), [footer, ...files].map((part) => part.trim()).join("\n\n")];
}
