import { reading } from "../../judge/effect.ts";
import type { Judgement } from "../../judge/judged.ts";
import { freshState } from "../../judge/state.ts";
import type { Grant } from "../rule/schema.ts";
import { wordsText } from "../rule/word-pattern.ts";
import { verdictOn } from "../verdict.ts";

/** True when a command is proven to change nothing. */
export const onlyReads = ({ parts, problem }: Judgement): boolean =>
  problem === undefined && parts.every((part) => part.severity === "none" && reading(part.effects) === "inside");

/** Turns a person's yes to a command into grants: its parts, word by word, and nothing beyond them. */
export async function grantsFor(command: string): Promise<Grant[]> {
  const { parts } = verdictOn(command, "auto", freshState);
  return parts.flatMap(({ program, args }) => {
    const words = [program, ...args];
    return words.some((word) => word === undefined) ? [] : [{ tool: "bash", command: wordsText(words as string[]) }];
  });
}
