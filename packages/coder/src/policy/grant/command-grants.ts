import { freshState } from "../../judge/state.ts";
import type { Grant } from "../../setting/rows/policy.ts";
import { wordsText } from "../rule/word-pattern.ts";
import { rulingOn, verdictOn } from "../verdict.ts";

/** Whether a command is proven to change nothing, in whatever project. */
export const onlyReads = (command: string): boolean => rulingOn(command, "plan", freshState) === "allow";

/** What a person has allowed who said that this command shall run: its parts, word by word, and nothing beyond them. */
export async function grantsFor(command: string): Promise<Grant[]> {
  const { parts } = verdictOn(command, "auto", freshState);
  return parts.flatMap(({ program, args }) => {
    const words = [program, ...args];
    return words.some((word) => word === undefined) ? [] : [{ tool: "bash", command: wordsText(words as string[]) }];
  });
}
