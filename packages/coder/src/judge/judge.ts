import { type Parsed, parse } from "../bash/parse.ts";
import { hiddenCharacters } from "./hidden-character.ts";
import type { Judgement } from "./judged.ts";
import { ScriptJudge } from "./script-judge.ts";
import type { JudgeState } from "./state.ts";

/**
 * Tells what a command does, part by part. Nothing but the text, its tree and the state is looked at; a tree that was
 * read by other options of the shell is read again.
 */
export function judge(command: string, state: JudgeState, tree: Parsed = parse(command)): Judgement {
  const court = new ScriptJudge(state);
  court.script(command, state.options.includes("extglob") ? undefined : tree);
  if (hiddenCharacters.test(command))
    court.note(command, (does) => does.level("high", "it holds signs that do not show"));
  if (court.evaluatesUnknown)
    court.note(command, (does) => does.opaque("what is taken for a number or a name may hold a command"));
  const { list, problem } = court.parts;
  return { parts: list, problem };
}
