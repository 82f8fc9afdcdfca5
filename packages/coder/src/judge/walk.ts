import { posix } from "node:path";
import { worstRisk } from "@pith/agent";
import { commandsIn } from "../bash/commands.ts";
import { type Parsed, parse } from "../bash/parse.ts";
import { maxScript } from "../bash/reader.ts";
import type { Compound, Definition, List, Redirect, ShellSyntax, Simple, Word } from "../bash/tree.ts";
import { type CommandContext, CommandEffects, type StandardInput } from "./command-effects.ts";
import { nonAsciiName } from "./hidden-character.ts";
import type { JudgedPart } from "./judged.ts";
import { type Directories, isBelow } from "./path-kind.ts";
import { applyRow } from "./program/apply.ts";
import { ranFile, unknownWrapper } from "./program/run.ts";
import { programOf } from "./program/table.ts";
import { nothingSaid, saidTo } from "./said.ts";
import type { JudgeState } from "./state.ts";
import { steers } from "./variable.ts";
import { type Arg, argOf, argsOf, assigned, exact, isUnknown, matched } from "./word.ts";

const deepest = 8;

/** Goes through a text and judges every command in it, wherever it stands. */
export class ScriptWalk {
  readonly parts: JudgedPart[] = [];
  problem: string | undefined;
  readonly #state: JudgeState;
  #source = "";
  #depth = 0;
  #standing: Directories;
  #input: StandardInput | undefined;
  readonly #written = new Set<string>();
  readonly #links = new Set<string>();
  /** Functions that the text itself defines: their bodies are judged where they stand. */
  readonly #functions = new Set<string>();

  constructor(state: JudgeState) {
    this.#state = state;
    this.#standing = [state.cwd];
  }

  script(text: string, tree: Parsed = parse(text)): undefined {
    if (this.problem !== undefined) return;
    if (this.#depth >= deepest) return this.#stop(`commands are nested more than ${deepest} deep`);
    if (!tree.ok) return this.#stop(tree.message);
    const source = this.#source;
    this.#source = text;
    this.#depth++;
    this.#list(tree.value);
    this.#depth--;
    this.#source = source;
  }

  /** Adds a part that is no program. */
  note(text: string, judged: (does: CommandEffects) => unknown): undefined {
    this.#add({ text, program: undefined, args: [] }, [], () => {}, judged);
  }

  #stop(why: string): undefined {
    this.problem ??= why;
  }

  /** Adds a part with its effects, and those of what stands around it; what it runs itself comes behind it. */
  #add(
    { text, program, args }: { text: string; program: string | undefined; args: readonly Arg[] },
    feeders: readonly string[],
    own: (does: CommandEffects) => unknown,
    around?: (does: CommandEffects) => unknown,
  ): undefined {
    if (this.parts.length >= maxScript.parts) return this.#stop(`it has more than ${maxScript.parts} parts`);
    const named = { text, program, args: args.map((arg) => arg.text) };
    const nothing = { effects: [], severity: "none", guard: undefined } as const;
    const unseen = { reason: undefined, touches: [], hosts: [], said: nothingSaid, setup: nothing };
    const place = this.parts.push({ ...named, ...nothing, ...unseen });
    const context = this.#context(feeders);
    const [frame, does] = [new CommandEffects(context), new CommandEffects(context)];
    around?.(frame);
    own(does);
    const graver = worstRisk([does.severity, frame.severity]) !== does.severity;
    this.parts[place - 1] = {
      ...named,
      effects: [...new Set([...frame.effects, ...does.effects])],
      severity: worstRisk([does.severity, frame.severity]),
      guard: does.guard ?? frame.guard,
      reason: graver ? (frame.reason ?? does.reason) : (does.reason ?? frame.reason),
      touches: [...frame.touches, ...does.touches],
      hosts: does.hosts,
      said: [...frame.effects, ...does.effects].some((one) => one === "exec" || one === "opaque")
        ? saidTo(args, does)
        : nothingSaid,
      setup: { effects: [...frame.effects], severity: frame.severity, guard: frame.guard },
    };
  }

  #context(feeders: readonly string[]): CommandContext {
    return {
      state: this.#state,
      directories: this.#standing,
      input: this.#input,
      written: this.#written,
      links: this.#links,
      fetched: this.parts.some(({ effects }) => effects.includes("net")),
      feeders,
      run: (words, input) =>
        this.#apart(input, () => this.#call(words, words.map(({ text }) => text ?? "…").join(" "), feeders)),
      script: (text) => this.#apart(this.#input, () => this.script(text)),
    };
  }

  /** Judges something that reads an input and leaves the directory as it was. */
  #apart(input: StandardInput | undefined, judged: () => unknown): undefined {
    const standing = this.#standing;
    this.#within(input, judged);
    this.#standing = standing;
  }

  #within(input: StandardInput | undefined, judged: () => unknown): undefined {
    const before = this.#input;
    this.#input = input;
    judged();
    this.#input = before;
  }

  #list({ items }: List): undefined {
    for (const [index, { pipeline, behind }] of items.entries()) {
      const { commands } = pipeline;
      const [only] = commands;
      if (this.problem !== undefined) return;
      const before = this.#standing;
      if (behind === "&" || commands.length > 1) this.#apart(this.#input, () => this.#pipeline(commands));
      else if (only) this.#command(only);
      // What stands behind a first cd and `&&` runs there or not at all.
      const moved = index === 0 && behind === "&&" && this.#depth === 1 && !pipeline.negated;
      if (!moved && before !== this.#standing) this.#standing = before && this.#standing?.concat(before);
    }
  }

  #pipeline(commands: readonly ShellSyntax[]): undefined {
    const programs: string[] = [];
    let said: string | undefined;
    for (const [index, command] of commands.entries()) {
      const input = index === 0 ? this.#input : { programs: [...programs], text: said };
      this.#apart(input, () => this.#command(command));
      programs.push(...programsIn(command));
      said = index === 0 ? outputOf(command, this.#state.home) : undefined;
    }
  }

  #command(command: ShellSyntax): undefined {
    if (command.kind === "function") this.#define(command);
    else if (command.kind === "compound") this.#compound(command);
    else this.#simple(command);
  }

  #define({ name, body, start, end }: Definition): undefined {
    const own = argOf(name, this.#state.home).text ?? "";
    const text = this.#source.slice(start, end);
    if (programsIn(body).includes(own) && /\||(?<!&)&(?!&)/.test(text.slice(name.end - start)))
      this.note(text, (does) => does.level("critical", "it starts itself again and again"));
    this.#functions.add(own);
    this.#within({ programs: [] }, () => this.#command(body));
  }

  #compound({ is, words, lists, redirects, start, end }: Compound): undefined {
    const text = this.#source.slice(start, end);
    const [, variable = ""] = /^(?:for|select)\s+([A-Za-z_]\w*)/.exec(text) ?? [];
    if (redirects.length > 0 || steers(variable) || hides(text, words))
      this.note(redirects.length > 0 ? text : (text.split("\n", 1)[0] ?? ""), (does) => {
        if (steers(variable)) does.opaque(`${variable} changes what programs do`);
        if (hides(text, words)) does.opaque("a sum or a name may hold a command");
        this.#redirected(redirects, does);
      });
    this.#substituted(words);
    const input = this.#inputOf(redirects) ?? this.#input;
    const judged = () => {
      for (const list of lists) this.#list(list);
    };
    if (is === "subshell" || is === "coproc") this.#apart(input, judged);
    else this.#within(input, judged);
  }

  #simple({ assigns, words, redirects, start, end }: Simple): undefined {
    const text = this.#source.slice(start, end);
    const { home } = this.#state;
    const args = words.flatMap((word) => argsOf(word, home));
    const all = [
      ...words,
      ...assigns.flatMap(({ value, subscript }) => [value, { start, end, segments: subscript ?? [] }]),
      ...redirects.flatMap(({ target, body }) => (body ? [target, body] : [target])),
    ];
    const around = (does: CommandEffects): undefined => {
      for (const { name, value, elements } of assigns) {
        const known = elements ? undefined : assigned(value, home).text;
        if (steers(name, known ?? "…")) does.opaque(`${name} changes what programs do`);
        if (known && /PAGER|EDITOR|SSH_COMMAND|EXTERNAL_DIFF/.test(name)) does.context.script(known);
      }
      if (hides(text, all)) does.opaque("a sum or a name may hold a command");
      for (const [, name = ""] of text.matchAll(/\$\{(\w+):?=/g))
        if (steers(name)) does.opaque(`${name} changes what programs do`);
      this.#redirected(redirects, does);
    };
    this.#within(this.#inputOf(redirects) ?? this.#input, () => this.#call(args, text, all.flatMap(feedersOf), around));
    this.#substituted(all);
    this.#moves(args);
  }

  /** Judges one program with its words. */
  #call(
    [program, ...args]: readonly Arg[],
    text: string,
    feeders: readonly string[],
    around?: (does: CommandEffects) => undefined,
  ): undefined {
    const own = (does: CommandEffects) => (program ? this.#run(program, args, does) : undefined);
    this.#add({ text, program: program?.text, args }, feeders, own, around);
  }

  #run(program: Arg, args: readonly Arg[], does: CommandEffects): undefined {
    const { text, shape } = program;
    if (text === undefined) {
      if (shape.includes(matched)) does.level("high", "the program is named by a pattern");
      does.opaque("which program it is, is known when it runs");
      return unknownWrapper(args, does, "it");
    }
    if (nonAsciiName.test(text)) does.level("high", "the name of the program holds signs that do not show as they are");
    // A program of the system is the same by whatever way it is named.
    const paths = text.includes("/") ? does.paths(program).filter(({ kind }) => kind !== "inside") : [];
    const usual = programOf(text);
    const known = usual ?? paths.map(({ path }) => programOf(path, "anywhere")).find((one) => one);
    if (known && text.includes("/") && !usual) does.effect("exec");
    if (known) applyRow(known.name, known.row, args, does);
    else if (text.includes("/")) ranFile(program, does, text);
    else if (!this.#functions.has(text)) unknownWrapper(args, does, text);
    // Many programs look at where they stand when they are given no file.
    if (!this.#standsInside()) does.read(exact("."));
  }

  #standsInside(): boolean {
    const { roots, real } = this.#state;
    return this.#standing?.every((at) => roots.some((root) => isBelow(root, real(at)))) ?? false;
  }

  /** Notes where the shell may stand behind a `cd`. */
  #moves([program, ...args]: readonly Arg[]): undefined {
    const name = program?.text;
    if (name !== "cd" && name !== "pushd" && name !== "popd") return;
    const [to = exact(this.#state.home)] = args.filter(({ text }) => !/^-[LPe@]+$|^--$/.test(text ?? ""));
    const path = name === "popd" || /^[-+]/.test(to.shape) ? undefined : to.text;
    this.#standing = path === undefined ? undefined : this.#standing?.map((at) => posix.resolve(at, path));
    if ((this.#standing?.length ?? 0) > mostPlaces) this.#standing = undefined;
  }

  #redirected(redirects: readonly Redirect[], does: CommandEffects): undefined {
    for (const { target, touches } of redirects) {
      const arg = argOf(target, this.#state.home);
      if (touches === "read" || touches === "both") does.read(arg);
      if (touches === "write" || touches === "both") does.write(arg);
    }
  }

  #inputOf(redirects: readonly Redirect[]): StandardInput | undefined {
    const last = redirects.findLast(({ op, fd }) => op.startsWith("<") && (fd === undefined || fd === "0"));
    const word = last?.body ?? (last?.op === "<<<" ? last.target : undefined);
    return last && { programs: [], text: word && assigned(word, this.#state.home).text };
  }

  /** Judges the commands that give words their text. */
  #substituted(words: readonly Word[]): undefined {
    for (const { segments } of words)
      for (const piece of segments)
        if (piece.kind === "dynamic") for (const list of piece.scripts) this.#apart(undefined, () => this.#list(list));
  }
}

const mostPlaces = 16;

/** True for a text that a sum or a name would expand again: `a[$(…)]` between quotes, `${x@P}`. */
const hides = (text: string, words: readonly Word[]): boolean =>
  text.includes("@P}") ||
  words.some(({ segments }) =>
    segments.some((piece) => {
      const at = piece.kind === "dynamic" ? -1 : piece.text.indexOf("[");
      return piece.kind !== "dynamic" && at !== -1 && (piece.text.includes("$(", at) || piece.text.includes("`", at));
    }),
  );

/** The names of all programs in a command, as far as they are known. */
function programsIn(command: ShellSyntax): string[] {
  const { start, end } = command;
  const pipeline = { start, end, commands: [command], pipes: [], negated: false, timed: false };
  return programsOf({ start, end, items: [{ pipeline, behind: undefined }] });
}

const programsOf = (list: List): string[] =>
  commandsIn(list).flatMap(({ words: [first] }) => (first === undefined ? [] : [posix.basename(first)]));

/** The programs that give a word its text. */
const feedersOf = ({ segments }: Word): string[] =>
  segments.flatMap((piece) => (piece.kind === "dynamic" ? piece.scripts.flatMap(programsOf) : []));

/** The output of a command that only says something. */
function outputOf(command: ShellSyntax, home: string): string | undefined {
  if (command.kind !== "simple") return undefined;
  const [program, ...args] = command.words.map((word) => argOf(word, home));
  const [only] = command.redirects;
  if (program?.text === "cat" && args.length === 0 && only?.body) return assigned(only.body, home).text;
  if ((program?.text !== "echo" && program?.text !== "printf") || args.some(isUnknown)) return undefined;
  const texts = args.map(({ text }) => text ?? "");
  return (/^-[neE]+$/.test(texts[0] ?? "") ? texts.slice(1) : texts).join(" ").replaceAll("\\n", "\n");
}
