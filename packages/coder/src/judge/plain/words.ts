import { posix } from "node:path";
import type { Word, WordSegment } from "../../bash/tree.ts";
import type { JudgeState } from "../state.ts";
import type { PlainProgram } from "./table.ts";

/** A word that is literal; a pattern is given with the names that it matches. */
export interface PlainWord {
  text: string;
  names?: readonly string[];
}

type Refused = { why: string };

/** Reads the text of a word: quotes, a leading `~/` and patterns, whose names are looked up here. */
export function plainWord({ segments }: Word, cwd: string, state: JudgeState): PlainWord | Refused {
  let [text, pattern] = ["", ""];
  for (const [index, piece] of segments.entries()) {
    if (piece.kind === "dynamic") return { why: "a word of it is known when it runs" };
    const why = piece.kind === "text" ? shellSign(piece.text, index === 0) : undefined;
    if (why !== undefined) return { why };
    const home = index === 0 && isHome(piece, segments) ? state.home + piece.text.slice(1) : piece.text;
    text += home;
    pattern += piece.kind === "quoted" ? home.replace(/[*?]/g, "\\$&") : home;
  }
  if (text.includes("\0")) return { why: "it holds a NUL" };
  if (!segments.some((piece) => piece.kind === "text" && /[*?]/.test(piece.text))) return { text };
  return matched(text, pattern, cwd, state);
}

/** Finds a sign in bare text that a shell would take for more than text. */
function shellSign(text: string, first: boolean): string | undefined {
  if (/[{}]/.test(text) && text !== "{}") return "it holds braces";
  if (/[!()]/.test(text) && !/^!=?$/.test(text)) return "it holds a sign of the shell";
  if (text.includes("[") && text !== "[") return "it holds brackets";
  const tilde = /(?:^|[:=])~/.test(text) && !(first && /^~(?=\/|$)/.test(text));
  return tilde ? "it holds a tilde" : undefined;
}

const isHome = (piece: WordSegment, { length }: readonly WordSegment[]): boolean =>
  piece.kind === "text" && (/^~\//.test(piece.text) || (piece.text === "~" && length === 1));

function matched(text: string, pattern: string, cwd: string, state: JudgeState): PlainWord | Refused {
  if (pattern.includes("\\")) return { why: "it holds a quoted sign in a pattern" };
  const names = state.glob(posix.resolve(cwd, pattern));
  if (!names || names.length > mostNames) return { why: "a pattern matches too much" };
  if (names.length === 0) return { text };
  if (pattern.startsWith("/")) return { text, names };
  const near = names.map((name) => posix.relative(cwd, name) || ".");
  return { text, names: near.map((name) => (name.startsWith("-") ? `./${name}` : name)) };
}

const mostNames = 2000;

/** Words of a program behind its options, and whether an option says what is looked for. */
type Given = { given: readonly string[]; stated: boolean };

/** Reads the options of a program, each of which has to be listed. */
export function givenWords(name: string, row: PlainProgram, words: readonly string[], gnu: boolean): Given | Refused {
  const given: string[] = [];
  let stated = false;
  let closed = row.operands === "text" && !row.flags && !row.valued && row.long.size === 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!closed && word === "--") closed = true;
    else if (closed || word === "-" || !word.startsWith("-")) given.push(word);
    else {
      const option = optionOf(row, word, gnu);
      if (!option) return { why: `${name} ${word} is not in the table` };
      stated ||= option.states;
      if (option.takes) at++;
    }
  }
  return { given, stated };
}

interface PlainOption {
  /** True where the next word is its value. */
  takes: boolean;
  /** True where it says what is looked for. */
  states: boolean;
}

function optionOf(row: PlainProgram, word: string, gnu: boolean): PlainOption | undefined {
  if (row.digits && /^-\d+$/.test(word)) return { takes: false, states: false };
  return word.startsWith("--") ? longOption(row, word, gnu) : letters(row, word, gnu);
}

function longOption({ long }: PlainProgram, word: string, gnu: boolean): PlainOption | undefined {
  const [option = ""] = word.slice(2).split("=", 1);
  const [flag, valued] = [long.has(option), long.has(`${option}=`)];
  if (!gnu || !(word.includes("=") ? valued : flag || valued)) return undefined;
  // A value that may be left out stands behind an equals sign only.
  return { takes: !word.includes("=") && !flag, states: /^(?:regexp|expression|files|type-list)$/.test(option) };
}

function letters({ flags, posix: common, valued }: PlainProgram, word: string, gnu: boolean) {
  const known = gnu ? flags : common;
  const at = [...word.slice(1)].findIndex((letter) => !known.includes(letter)) + 1;
  const letter = at === 0 ? "" : (word[at] ?? "");
  if (letter !== "" && !valued.includes(letter)) return undefined;
  return { takes: letter !== "" && at + 1 === word.length, states: letter === "e" && valued.includes("e") };
}
