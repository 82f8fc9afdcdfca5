import { fill } from "@pith/kit";
import instructions from "../prompts/instructions.md" with { type: "text" };
import system from "../prompts/system.md" with { type: "text" };
import { repositoryRoot } from "../setting/repository.ts";
import { environmentBlock, type Place } from "./environment.ts";
import { projectInstructions } from "./project.ts";

/** The system prompt in two blocks: instructions that are the same everywhere, then this project and this machine. */
export function systemPrompt(
  place: Place & {
    /** Told of what the project wants to be read and is not. */
    skipped: (what: string) => void;
  },
): string[] {
  const root = repositoryRoot(place.cwd, place.skipped) ?? place.cwd;
  const files = projectInstructions(place.cwd, root, place.skipped).map(({ path, text }) =>
    fill(instructions, { path, text }).trim(),
  );
  return [system.trim(), [environmentBlock(place), ...files].join("\n\n")];
}
