import { expand, type LiteralText } from "./expand.ts";
import type { Compound, List, Redirect, ShellSyntax, Simple, Word, WordSegment } from "./tree.ts";

/** A command that a text may run. */
export interface ScriptCommand {
  /** A simple one, or one of several whose redirections touch files. */
  command: Simple | Compound;
  /** Its program and what that is given; undefined where only a running shell knows. */
  words: readonly LiteralText[];
  redirects: readonly Redirect[];
  /** The reason why it runs: for its effect, to give a word its text, or because a function is called. */
  within: "line" | "substitution" | "function";
}

/** Every command in a text, wherever it stands, in the order of the text as far as there is one. */
export function commandsIn(list: List): ScriptCommand[] {
  const found: ScriptCommand[] = [];
  inList(list, "line", found);
  return found;
}

function inList({ items }: List, within: ScriptCommand["within"], found: ScriptCommand[]): undefined {
  for (const { pipeline } of items) for (const command of pipeline.commands) inCommand(command, within, found);
}

function inCommand(command: ShellSyntax, within: ScriptCommand["within"], found: ScriptCommand[]): undefined {
  if (command.kind === "function") {
    inPieces(command.name.segments, found);
    return inCommand(command.body, "function", found);
  }
  const { redirects, words } = command;
  if (command.kind === "simple" || redirects.length > 0)
    found.push({ command, words: command.kind === "simple" ? words.flatMap(expand) : [], redirects, within });
  if (command.kind === "simple")
    for (const { subscript = [], value } of command.assigns) {
      inPieces(subscript, found);
      inWord(value, found);
    }
  for (const word of words) inWord(word, found);
  for (const { target, body } of redirects) {
    inWord(target, found);
    if (body) inWord(body, found);
  }
  if (command.kind === "compound") for (const list of command.lists) inList(list, within, found);
}

const inWord = ({ segments }: Word, found: ScriptCommand[]): undefined => inPieces(segments, found);

function inPieces(pieces: readonly WordSegment[], found: ScriptCommand[]): undefined {
  for (const piece of pieces)
    if (piece.kind === "dynamic") for (const list of piece.scripts) inList(list, "substitution", found);
}
