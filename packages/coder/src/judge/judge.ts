import { hiddenSigns } from "./hidden-character.ts";
import type { Judged } from "./judged.ts";
import { Court } from "./script-judge.ts";
import type { State } from "./state.ts";

/** What a text does, part by part. It looks at nothing but the text and the state, and never fails. */
export function judge(command: string, state: State): Judged {
  const court = new Court(state);
  court.script(command);
  if (hiddenSigns.test(command)) court.note(command, (does) => does.level("high", "it holds signs that do not show"));
  if (court.sums) court.note(command, (does) => does.opaque("what is taken for a number or a name may hold a command"));
  const { found, problem } = court.ledger;
  return { parts: found, problem };
}
