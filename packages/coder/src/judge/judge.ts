import { type Parsed, parse } from "../bash/parse.ts";
import { hiddenCharacters } from "./hidden-character.ts";
import type { Judgement } from "./judged.ts";
import { isLiteral, type PlainForm, plainForm, plainParts } from "./plain/plain.ts";
import type { JudgeState } from "./state.ts";
import { ScriptWalk } from "./walk.ts";

/**
 * Tells what a command does, part by part, as far as its words say it, and how it runs where no sandbox works. Nothing
 * but the text, its tree and the state is looked at.
 */
export function judge(command: string, state: JudgeState, tree: Parsed = parse(command)): Judgement {
  const walk = new ScriptWalk(state);
  walk.script(command, tree);
  const hidden = hiddenCharacters.test(command);
  if (hidden) walk.note(command, (does) => does.level("high", "it holds signs that do not show"));
  const list = tree.ok && !hidden ? tree.value : undefined;
  const form: PlainForm = list ? plainForm(list, state) : { why: "it is not understood" };
  const [plain, notPlain] = "text" in form ? [form.text, undefined] : [undefined, form.why];
  const literal = list !== undefined && isLiteral(list);
  const alone = list && literal && plain === undefined ? plainParts(list, command, state) : new Set<string>();
  return { parts: walk.parts, problem: walk.problem, plain, notPlain, plainParts: alone, literal };
}
