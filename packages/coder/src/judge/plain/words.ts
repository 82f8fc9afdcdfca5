import { posix } from "node:path";
import type { Word, WordSegment } from "../../bash/tree.ts";
import { digits, type Option, parseArgs } from "../program/option.ts";
import type { PlainProgram, ProgramRow } from "../program/table.ts";
import type { JudgeState } from "../state.ts";
import { exact } from "../word.ts";

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

/** Words of a program behind its options, and the texts of options that say what is looked for. */
type Given = { given: readonly string[]; scripts: readonly string[] | undefined };

/** Reads the options of a program, each of which has to be listed. */
export function givenWords(name: string, row: ProgramRow, words: readonly string[], gnu: boolean): Given | Refused {
  const { options, operands, values } = parseArgs(words.map(exact), row);
  const isText = row.plain?.operands === "text" && row.plain.letters === "" && row.plain.long.size === 0;
  if (isText) return { given: words, scripts: undefined };
  const wrong = options.find((option) => !isListed(option, row.plain, gnu));
  if (wrong) return { why: `${name} ${wrong.written} is not in the table` };
  const stated = options.some((option) => states.test(option.name) && (option.name !== "e" || row.takes.has("e")));
  const scripts = stated ? values(scriptNames).map(({ text = "" }) => text) : undefined;
  return { given: operands.map(({ text = "" }) => text), scripts };
}

const scriptNames = new Set(["e", "expression"]);
const states = /^(?:e|regexp|expression|files|type-list)$/;

function isListed({ name, written, value }: Option, plain: PlainProgram | undefined, gnu: boolean): boolean {
  if (!plain) return false;
  // A value that may be left out stands behind an equals sign only.
  if (written.startsWith("--"))
    return gnu && written === `--${name}` && (plain.long.has(`${name}=`) || (!value && plain.long.has(name)));
  return name === digits ? plain.digits : (gnu ? plain.letters : plain.posix).includes(name);
}
