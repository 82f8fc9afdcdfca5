import { ok, plural, type Result } from "@pith/kit";
import { type Block, hunksOf } from "../text/diff.ts";
import { type Draft, draftChanges } from "./file.ts";
import { compared } from "./place.ts";

/** Drafts without what a person refused of them. */
export interface Left {
  drafts: Draft[];
  /** Names of the hunks that were taken out. */
  refused: string[];
}

/**
 * The same drafts without some of their hunks. A hunk is named by the file as it is shown and by its number in the diff
 * of that file. A file of which nothing is left is left alone, moved or not.
 */
export function withoutHunks(drafts: readonly Draft[], without: readonly string[]): Result<Left, "edit"> {
  if (without.length === 0) return ok({ drafts: [...drafts], refused: [] });
  const left: Left = { drafts: [], refused: [] };
  const alone = new Set<string>();
  for (const draft of drafts) {
    const named = draft.movedTo === undefined ? namedHunks(draft) : [];
    const kept = named.filter(({ name }) => !without.includes(name));
    left.refused.push(...named.filter((hunk) => !kept.includes(hunk)).map(({ name }) => name));
    if (kept.length === named.length) left.drafts.push(draft);
    else if (kept.length === 0) alone.add(draft.file.path);
    else {
      const blocks = kept.flatMap(({ blocks }) => blocks);
      const rest = withBlocks(draft, blocks);
      if (!rest.ok) return rest;
      left.drafts.push(rest.value);
    }
  }
  return ok({ ...left, drafts: left.drafts.filter(({ movedTo }) => movedTo === undefined || !alone.has(movedTo)) });
}

const namedHunks = (draft: Draft): { name: string; blocks: Block[] }[] =>
  hunksOf(compared(draft).blocks, 3).map((blocks, i) => ({ name: `${draft.file.name}:${i + 1}`, blocks }));

function withBlocks(draft: Draft, blocks: readonly Block[]): Result<Draft, "edit"> {
  const { old, now } = compared(draft);
  const changes = blocks.map(({ oldStart, removed, newStart, added }) => ({
    start: old.start(oldStart),
    end: old.start(oldStart + removed),
    text: now.wholes(newStart, newStart + added - 1).join(""),
  }));
  const rest = draftChanges(draft.from ?? draft.file, changes);
  if (!rest.ok || rest.value.step.do !== "write" || draft.step.do !== "write") return rest;
  const { step, after } = rest.value;
  const executable = draft.step.executable && after?.startsWith("#!");
  return ok({ ...draft, step: { ...draft.step, bytes: step.bytes, executable }, after, changes });
}

/** A sentence about refused hunks, for the model; none where there are none. */
export const refusedText = (refused: readonly string[]): string[] =>
  refused.length === 0
    ? []
    : [`The user refused ${plural(refused.length, "hunk")} of this edit (${refused.join(", ")}); the rest was made.`];
