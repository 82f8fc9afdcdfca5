import type { Grant } from "../setting/rows/policy.ts";
import { freshState } from "./state.ts";
import { rulingOn, verdictOn } from "./verdict.ts";

/** Whether a command is proven to change nothing, in whatever project. */
export const onlyReads = (command: string): boolean => rulingOn(command, "plan", freshState) === "allow";

/** What a person has allowed who said that this command shall run: its parts, and nothing that is a pattern. */
export async function grantsFor(command: string): Promise<Grant[]> {
  const { parts } = verdictOn(command, "auto", freshState);
  return parts.flatMap(({ text }) => (text.includes("*") ? [] : [{ tool: "bash", command: text }]));
}
