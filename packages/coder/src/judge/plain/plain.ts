import { posix } from "node:path";
import { shellQuote } from "@pith/kit";
import type { List, Pipeline, Redirect, Simple, Word } from "../../bash/tree.ts";
import { guarded } from "../guarded.ts";
import { isBelow } from "../path-kind.ts";
import { type Operands, type ProgramRow, programRow } from "../program/table.ts";
import type { JudgeState } from "../state.ts";
import { findTests, isAllowed, isPlainSed } from "./conditions.ts";
import { gitWords } from "./git.ts";
import { givenWords, type PlainWord, plainWord } from "./words.ts";

/** The text that runs in the place of a plain command, or why a command is not plain. */
export type PlainForm = { text: string } | { why: string };

/**
 * Writes a command out again from its parse, if nothing can be hidden in it: every word literal and in single quotes,
 * programs of a table by their real paths, with listed options and with files of the project. Where the parse and the
 * shell would read the text in different ways, the parse counts.
 */
export function plainForm(list: List, state: JudgeState): PlainForm {
  const writer = new PlainWriter(state);
  const text = writer.list(list);
  if (writer.why === undefined && text.length > longest) return { why: "it is too long" };
  return writer.why === undefined ? { text } : { why: writer.why };
}

/** True where a text is lists and pipelines of programs whose every word is literal. */
export const isLiteral = ({ items }: List): boolean =>
  items.every(
    ({ pipeline, behind }) =>
      behind !== "&" &&
      pipeline.commands.every(
        (one) =>
          one.kind === "simple" &&
          one.assigns.length === 0 &&
          [...one.words, ...one.redirects.flatMap(({ target, body }) => (body ? [target, body] : [target]))].every(
            isKnown,
          ),
      ),
  );

/** The texts of the programs of a literal list that are plain by themselves, in the directory that its beginning goes to. */
export function plainParts({ items, ...span }: List, source: string, state: JudgeState): Set<string> {
  const first = items.findIndex(({ pipeline }) => !isCd(pipeline));
  const moves = first === -1 ? items : items.slice(0, first);
  const found = new Set<string>();
  for (const { pipeline } of items.length > mostAlone ? [] : items)
    for (const command of pipeline.commands) {
      const alone = { pipeline: { ...pipeline, commands: [command] }, behind: undefined };
      const list = { ...span, items: isCd(pipeline) ? moves : [...moves, alone] };
      if ("text" in plainForm(list, state)) found.add(source.slice(command.start, command.end));
    }
  return found;
}

const mostAlone = 20;

const isKnown = ({ segments }: Word): boolean =>
  segments.every((piece) => piece.kind !== "dynamic" && !(piece.kind === "text" && /[{}]/.test(piece.text)));

const longest = 100_000;

class PlainWriter {
  why: string | undefined;
  readonly #state: JudgeState;
  #cwd: string;

  constructor(state: JudgeState) {
    this.#state = state;
    this.#cwd = state.cwd;
  }

  list({ items }: List): string {
    let text = "";
    if (items.length === 0) this.#stop("it runs nothing");
    for (const [index, { pipeline, behind }] of items.entries()) {
      if (behind === "&") this.#stop("it runs in the background");
      if (this.why !== undefined) return "";
      const moved = this.#moves(pipeline, items.slice(0, index + 1));
      if (moved !== undefined && behind === "||") this.#stop("what follows depends on a cd");
      text += moved ?? this.#pipeline(pipeline);
      if (index < items.length - 1) text += behind === "&&" || behind === "||" ? ` ${behind} ` : "\n";
    }
    return text;
  }

  #stop(why: string): undefined {
    this.why ??= why;
  }

  /** A `cd` at the beginning: what follows runs there or not at all. */
  #moves(pipeline: Pipeline, before: List["items"]): string | undefined {
    if (!before.every((item) => isCd(item.pipeline))) return undefined;
    const [only] = pipeline.commands;
    const [, place, ...more] = only?.kind === "simple" ? only.words : [];
    const word = place && this.#word(place);
    if (!word || word.names || more.length > 0 || (only?.kind === "simple" && only.redirects.length > 0))
      return this.#stop("its cd names no single directory") ?? "";
    const to = this.#inside(word.text);
    if (to === undefined || !this.#state.isDirectory(to))
      return this.#stop(`${word.text} is no directory inside`) ?? "";
    this.#cwd = to;
    return `cd -- ${shellQuote(to)} || exit`;
  }

  #pipeline({ commands, negated, timed }: Pipeline): string {
    if (negated || timed) this.#stop("it is negated or timed");
    return commands
      .map((command) => {
        if (command.kind !== "simple") return this.#stop("it holds more than plain commands") ?? "";
        return this.#simple(command);
      })
      .join(" | ");
  }

  #simple(simple: Simple): string {
    const { assigns, words, redirects } = simple;
    if (assigns.length > 0) return this.#stop("it sets a variable") ?? "";
    const [first, ...rest] = words.map((word) => this.#word(word));
    const redirected = redirects.map((one) => this.#redirect(one)).join("");
    if (this.why !== undefined || !first || first.names) return this.#stop("its program is not literal") ?? "";
    const name = /^(?:\/usr)?\/bin\/([^/]+)$/.exec(first.text)?.[1] ?? first.text;
    if (name === "pwd" && rest.length === 0) return `pwd${redirected}`;
    // The builtin tells more than the program does; nothing else of a shell's is needed.
    if (name === "command" && rest[0]?.text === "-v" && rest.length === 2)
      return this.#simple({ ...simple, words: simple.words.with(0, literal("which")).toSpliced(1, 1) });
    const row = programRow(name);
    const file = row?.plain && this.#state.program(name);
    if (!row?.plain || !file) return this.#stop(`${name} is not in the table of programs that only look`) ?? "";
    const gnu = file.flavor === "gnu";
    const args =
      name === "git" ? this.#git(rest) : name === "find" ? this.#find(rest) : this.#args(name, row, rest, gnu);
    const before = gnu && row.plain.before ? [row.plain.before] : [];
    const call = [...file.call, ...before, ...args].map(shellQuote).join(" ");
    const around =
      name === "git" ? gitEnvironment : name === "which" ? `PATH=${shellQuote(this.#state.searchPath)} ` : "";
    return `${around}${call}${redirected}`;
  }

  #word(word: Word): PlainWord | undefined {
    const read = plainWord(word, this.#cwd, this.#state);
    if ("why" in read) return this.#stop(read.why);
    return read;
  }

  #redirect({ op, fd, target }: Redirect): string {
    const word = this.#word(target);
    if (!word || word.names) return this.#stop("a redirection is not literal") ?? "";
    const { text } = word;
    if (op === ">&" && fd === "2" && text === "1") return " 2>&1";
    if ((op === ">" || op === ">>") && (fd === "2" || fd === undefined || fd === "1") && text === "/dev/null")
      return ` ${fd ?? ""}>/dev/null`;
    if (op === "&>" && text === "/dev/null") return " >/dev/null 2>&1";
    if (op === "<" && fd === undefined && (text === "/dev/null" || this.#inside(text) !== undefined))
      return ` <${shellQuote(text)}`;
    return this.#stop("it redirects to or from another place") ?? "";
  }

  /** The real path of a file of the project that nobody guards; undefined for any other. */
  #inside(text: string): string | undefined {
    const { real, roots, pithHome } = this.#state;
    const path = real(posix.resolve(this.#cwd, text));
    if (!roots.some((root) => isBelow(root, path)) || isBelow(pithHome, path)) return undefined;
    return guarded({ kind: "inside", path }, "read", this.#state) === undefined ? path : undefined;
  }

  #path(text: string): undefined {
    if (text !== "-" && text !== "/dev/null" && this.#inside(text) === undefined)
      this.#stop(`${text} is not in the project`);
  }

  #args(name: string, row: ProgramRow, rest: readonly (PlainWord | undefined)[], gnu: boolean): string[] {
    const words = rest.flatMap((word) => word?.names ?? (word ? [word.text] : []));
    const read = givenWords(name, row, words, gnu);
    if ("why" in read) return this.#stop(read.why) ?? [];
    const { given, scripts } = read;
    const { operands = "none", gnuOnly = false } = row.plain ?? {};
    if ((gnuOnly && !gnu) || !isAllowed(name, words, given)) this.#stop(`${name} is not given what the table lists`);
    if (operands === "none" && given.length > 0) this.#stop(`${name} is given words`);
    const first = words.indexOf(given[0] ?? "");
    if (operands === "one" && (given.length > 1 || (first !== -1 && first < words.length - 1)))
      this.#stop(`${name} would write ${words.at(-1)}`);
    const patterns = operands === "pattern" && !scripts ? given.slice(0, 1) : [];
    if (/^g?sed$/.test(name) && !gnu && ![...patterns, ...(scripts ?? [])].every(isPlainSed))
      this.#stop("its script is not short");
    for (const file of filesAmong(name, operands, given.slice(patterns.length))) this.#path(file);
    // Without files most of them look at the present directory.
    this.#path(".");
    return words;
  }

  #find(rest: readonly (PlainWord | undefined)[]): string[] {
    const words = rest.flatMap((word) => word?.names ?? (word ? [word.text] : []));
    let at = 0;
    for (; at < words.length && !/^[-(!]/.test(words[at] ?? ""); at++) this.#path(words[at] ?? "");
    if (at === 0) this.#path(".");
    for (; at < words.length; at++) {
      const word = words[at] ?? "";
      if (/^-[ac]?newer$/.test(word)) this.#path(words[++at] ?? "");
      else if (findTests.valued.includes(word)) at++;
      else if (!findTests.flags.includes(word)) return this.#stop(`find ${word} is not in the table`) ?? [];
    }
    return words;
  }

  #git(rest: readonly (PlainWord | undefined)[]): string[] {
    const words = rest.flatMap((word) => word?.names ?? (word ? [word.text] : []));
    const read = gitWords(words);
    if ("why" in read) return this.#stop(read.why) ?? [];
    const directory = read.directory === undefined ? this.#cwd : this.#inside(read.directory);
    if (directory === undefined) return this.#stop(`${read.directory} is not in the project`) ?? [];
    // What git is given it may read as a file, also where a link leads to it.
    const cwd = this.#cwd;
    this.#cwd = directory;
    for (const word of words) if (!word.startsWith("-")) this.#path(word);
    this.#cwd = cwd;
    const why = this.#state.git(directory);
    if (why !== undefined) this.#stop(why);
    return read.words;
  }
}

/** The words that are paths; of texts those that could lead out of the project. */
function filesAmong(name: string, operands: Operands, words: readonly string[]): readonly string[] {
  if (operands !== "text" && operands !== "none") return words;
  const looks = name === "test" || name === "[" || name === "which";
  return looks ? words.filter((word) => /^\/|(?:^|\/)\.\.(?:\/|$)/.test(word)) : [];
}

const literal = (text: string): Word => ({ start: 0, end: 0, segments: [{ kind: "quoted", text, start: 0, end: 0 }] });

const gitEnvironment = "GIT_OPTIONAL_LOCKS=0 GIT_NO_LAZY_FETCH=1 GIT_TERMINAL_PROMPT=0 ";

function isCd({ commands: [only, ...more] }: Pipeline): boolean {
  if (only?.kind !== "simple" || more.length + only.assigns.length > 0) return false;
  const [first] = only.words;
  const [piece, ...others] = first?.segments ?? [];
  return others.length === 0 && piece?.kind === "text" && piece.text === "cd";
}
