import { hiddenCharacters } from "./hidden-character.ts";
import type { Judgement } from "./judged.ts";
import { ScriptJudge } from "./script-judge.ts";
import type { JudgeState } from "./state.ts";

/** What a text does, part by part. It looks at nothing but the text and the state, and never fails. */
export function judge(command: string, state: JudgeState): Judgement {
  const court = new ScriptJudge(state);
  court.script(command);
  if (hiddenCharacters.test(command))
    court.note(command, (does) => does.level("high", "it holds signs that do not show"));
  if (court.evaluatesUnknown)
    court.note(command, (does) => does.opaque("what is taken for a number or a name may hold a command"));
  const { list, problem } = court.parts;
  return { parts: list, problem };
}
