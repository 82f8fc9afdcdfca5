import { type Parsed, parse } from "../bash/parse.ts";
import type { Compound, Definition, List, Pipeline, Redirect, ShellSyntax, Simple, Word } from "../bash/tree.ts";
import type { CommandContext, CommandEffects, StandardInput } from "./command-effects.ts";
import { movedTo, union } from "./directories.ts";
import { JudgedParts } from "./judged-parts.ts";
import { type Directories, isBelow } from "./path-kind.ts";
import { ProgramNames } from "./program-names.ts";
import type { JudgeState } from "./state.ts";
import { type Arg, argsOf, assigned, exact, type Values } from "./value/argument.ts";
import { UnknownVariables } from "./value/arithmetic.ts";
import { Constants } from "./value/constant.ts";
import { feedersOf, outputOf, programsOf } from "./value/output.ts";
import { hidesCommand, setVariable } from "./value/variable.ts";

const deepest = 8;

/** Goes through a text with what is known at each place of it. */
export class ScriptJudge {
  readonly parts = new JudgedParts();
  readonly #state: JudgeState;
  readonly #names: ProgramNames;
  #source = "";
  #depth = 0;
  #standing: Directories;
  #input: StandardInput | undefined;
  /** Whether what stands here runs in any case, and in this shell. */
  #certain = true;
  readonly #constants = new Constants();
  readonly #unsure = new UnknownVariables();
  readonly #texts: string[] = [];
  readonly #values: Values = (name, quoted) => {
    // Without quotes it is split, at whatever signs were chosen.
    if (!quoted && this.#splits) return undefined;
    if (name === "HOME") return this.#state.home;
    if (name === "PWD") return this.#standing?.length === 1 ? this.#standing[0] : undefined;
    return this.#constants.get(name);
  };
  readonly #written = new Set<string>();
  readonly #links = new Map<string, string | undefined>();
  /** Whether it was found to stand inside. */
  #looked: { standing: Directories; inside: boolean } | undefined;
  /** An option of the shell by which words may mean something else. */
  #altered: string | undefined;
  #splits: boolean;
  /** Whether it is judged what the variables of the shell name. */
  #surrounded = false;
  /** Where a `cd` that was just judged leads. */
  #moved: { to: Directories } | undefined;

  constructor(state: JudgeState) {
    this.#state = state;
    this.#standing = [state.cwd];
    this.#splits = state.variables.IFS !== undefined;
    this.#names = new ProgramNames(state);
    for (const option of state.options) if (!plainOptions.has(option)) this.#altered ??= option;
  }

  script(text: string, tree?: Parsed): undefined {
    if (this.parts.problem !== undefined) return;
    if (this.#depth >= deepest) return this.parts.stop(`commands are nested more than ${deepest} deep`);
    const read = tree ?? parse(text, { extglob: this.#state.options.includes("extglob") ? "on" : "off" });
    if (!read.ok) return this.parts.stop(read.message);
    // Signs at which words are split count from the first to the last.
    this.#splits ||= text.includes("IFS");
    const source = this.#source;
    this.#source = text;
    this.#texts.push(text);
    this.#depth++;
    this.#list(read.value);
    this.#depth--;
    this.#source = source;
  }

  /** Whether something that nobody knows is taken for a number somewhere. */
  get evaluatesUnknown(): boolean {
    return this.#texts.some((text) => this.#unsure.isEvaluated(text));
  }

  /** Takes up a part that is no program. */
  note(text: string, judged: (does: CommandEffects) => unknown): undefined {
    this.parts.add({ text, program: undefined, args: [] }, this.#scene([]), () => {}, judged);
  }

  #scene(fed: readonly string[]): CommandContext {
    return {
      state: this.#state,
      directories: this.#standing,
      input: this.#input,
      written: this.#written,
      links: this.#links,
      fetched: this.parts.list.some(({ effects }) => effects.includes("net")),
      feeders: fed,
      run: (words, input) =>
        this.#apart(() =>
          this.#within(input, () => this.#call(words, words.map(({ text }) => text ?? "…").join(" "), fed)),
        ),
      script: (text) => this.#apart(() => this.script(text)),
      alias: (name, text) => this.#names.alias(name, text),
    };
  }

  /** What happens there leaves no trace here. */
  #apart(judged: () => unknown): undefined {
    const [standing, certain] = [this.#standing, this.#certain];
    this.#certain = false;
    judged();
    this.#standing = standing;
    this.#certain = certain;
    this.#moved = undefined;
  }

  #within(input: StandardInput | undefined, judged: () => unknown): undefined {
    const before = this.#input;
    this.#input = input;
    judged();
    this.#input = before;
  }

  #list({ items }: List): undefined {
    const certain = this.#certain;
    let old = this.#standing;
    let chained = false;
    for (const { pipeline, behind } of items) {
      if (this.parts.problem !== undefined) return;
      this.#certain = certain && !chained && behind !== "&";
      if (!chained) old = this.#standing;
      this.#moved = undefined;
      if (behind === "&") this.#apart(() => this.#pipeline(pipeline));
      else this.#pipeline(pipeline);
      const moved = this.#moved as { to: Directories } | undefined;
      if (moved && behind !== "&")
        this.#standing = behind === "&&" && !pipeline.negated ? moved.to : union(this.#standing, moved.to);
      this.#moved = undefined;
      chained = behind === "&&" || behind === "||";
      // A chain may have been left before its end.
      if (!chained || behind === "||") this.#standing = union(old, this.#standing);
    }
    this.#certain = certain;
  }

  #pipeline({ commands }: Pipeline): undefined {
    const [only, ...more] = commands;
    if (only && more.length === 0) return this.#command(only);
    const programs: string[] = [];
    let said: string | undefined;
    for (const [index, command] of commands.entries()) {
      const input: StandardInput | undefined =
        index === 0 ? this.#input : { kind: "pipe", programs: [...programs], text: said };
      this.#apart(() => this.#within(input, () => this.#command(command)));
      programs.push(...programsOf(command));
      said = index === 0 ? outputOf(command, this.#values) : undefined;
    }
  }

  #command(command: ShellSyntax): undefined {
    if (command.kind === "function") this.#define(command);
    else if (command.kind === "compound") this.#compound(command);
    else this.#simple(command);
  }

  #define({ name, body, start, end }: Definition): undefined {
    const [known] = argsOf(name, this.#values);
    const text = this.#source.slice(start, end);
    const inner = programsOf(body);
    const own = known?.text;
    if (own !== undefined && inner.includes(own) && /\||(?<!&)&(?!&)/.test(text.slice(name.end - start)))
      this.note(text, (does) => does.level("critical", "it starts itself again and again"));
    if (own !== undefined) this.#names.define(own);
    const moves = inner.some((program) => /^(?:cd|pushd|popd)$/.test(program));
    // It may be called from anywhere, and take the shell anywhere.
    const standing = moves || /\b(?:cd|pushd|popd)\b/.test(this.#source) ? undefined : this.#standing;
    this.#apart(() => {
      this.#standing = standing;
      this.#within({ kind: "unknown" }, () => this.#command(body));
    });
    if (moves) this.#standing = undefined;
  }

  #compound(command: Compound): undefined {
    const { is, words, lists, redirects, start, end } = command;
    const text = this.#source.slice(start, end);
    const [, name] = is === "for" || is === "select" ? (/^\w+\s+([A-Za-z_]\w*)/.exec(text) ?? []) : [];
    if (name !== undefined && words.some((word) => argsOf(word, this.#values).some((arg) => arg.text === undefined)))
      if (!words.flatMap(feedersOf).includes("seq")) this.#unsure.add(name);
    const summed = is === "test" || is === "arithmetic" || is === "for";
    const hides =
      summed &&
      words.some(({ segments }) => segments.some((piece) => piece.kind !== "dynamic" && hidesCommand(piece.text)));
    if (redirects.length > 0 || name !== undefined || hides) {
      const judged = (does: CommandEffects): undefined => {
        if (name !== undefined) setVariable(name, undefined, does);
        if (hides) does.opaque("a condition holds a command");
        this.#redirected(redirects, does);
      };
      this.note(redirects.length > 0 ? text : (text.split("\n", 1)[0] ?? ""), judged);
      const last = this.parts.list.at(-1);
      // A loop that touches nothing itself is nothing to look at.
      if (redirects.length === 0 && last?.effects.length === 0 && last.severity === "none") this.parts.list.pop();
    }
    this.#substituted(words);
    this.#within(this.#inputOf(redirects) ?? this.#input, () => {
      if (is === "subshell" || is === "coproc") this.#apart(() => this.#lists(lists));
      else if (is === "group") this.#lists(lists);
      else this.#loop(lists);
    });
  }

  #lists(lists: readonly List[]): undefined {
    for (const list of lists) this.#list(list);
  }

  /** What may run never, once or often: where a later round would stand elsewhere, nobody knows where it stands. */
  #loop(lists: readonly List[]): undefined {
    const [standing, certain, count] = [this.#standing, this.#certain, this.parts.list.length];
    this.#certain = false;
    this.#lists(lists);
    if (
      this.#standing !== standing &&
      !(this.#standing && standing && this.#standing.every((at) => standing.includes(at)))
    ) {
      this.parts.list.length = count;
      this.#standing = undefined;
      this.#lists(lists);
    }
    this.#certain = certain;
    this.#moved = undefined;
  }

  #simple({ assigns, words, redirects, start, end }: Simple): undefined {
    const text = this.#source.slice(start, end);
    const args = words.flatMap((word) => argsOf(word, this.#values));
    const fed = [...words, ...assigns.map(({ value }) => value), ...redirects.map(({ target }) => target)].flatMap(
      feedersOf,
    );
    const prepare = (does: CommandEffects): undefined => {
      for (const { name, value, elements } of assigns)
        setVariable(name, elements ? undefined : assigned(value, this.#values), does);
      if (text.includes("${")) expanded(text, does);
      this.#options(args);
      this.#redirected(redirects, does);
    };
    this.#within(this.#inputOf(redirects) ?? this.#input, () => this.#call(args, text, fed, prepare));
    for (const { subscript, value } of assigns) {
      if (subscript) this.#substituted([{ start, end, segments: subscript }]);
      this.#substituted([value]);
    }
    this.#substituted(words);
    for (const { target, body } of redirects) this.#substituted(body ? [target, body] : [target]);
    for (const { name, value, append } of words.length === 0 ? assigns : []) {
      const certain = this.#certain && this.#depth === 1 && !append;
      this.#constants.assign(name, assigned(value, this.#values), this.#source, certain ? "certain" : "perhaps");
    }
    for (const { name, value, append } of assigns) this.#unsure.assign(name, value, this.#values, append === true);
    this.#unsure.built(args);
    const moved = movedTo(args, this.#standing, this.#state.home);
    if (moved) this.#moved = moved;
  }

  /** An option that is set here counts for all that follows. */
  #options([program, ...args]: readonly Arg[]): undefined {
    if (program?.text !== "shopt" && program?.text !== "set") return;
    for (const { text } of args) {
      if (text === undefined) this.#altered ??= "that is known when it runs";
      else if (/^[a-z_]{3,}$/.test(text) && !plainOptions.has(text)) this.#altered ??= text;
      else if (program.text === "set" && /^[-+][a-zA-Z]*[kPt]/.test(text)) this.#altered ??= text;
    }
  }

  /** One program with what it is given. */
  #call(
    words: readonly Arg[],
    text: string,
    fed: readonly string[],
    prepare?: (does: CommandEffects) => undefined,
  ): undefined {
    const [program, ...args] = words;
    const around = (does: CommandEffects): undefined => {
      prepare?.(does);
      if (program) this.#surroundings(does);
    };
    const own = (does: CommandEffects): undefined => {
      if (!program) return;
      // Many programs look at where they stand when they are given no file.
      if (!this.#standsInside()) does.read(exact("."));
      this.#names.run(program, args, does);
    };
    this.parts.add({ text, program: program?.text, args }, this.#scene(fed), own, around);
  }

  /** What the shell has become counts for every program. */
  #surroundings(does: CommandEffects): undefined {
    const { unclear, variables } = this.#state;
    if (unclear !== undefined) does.opaque(unclear);
    if (this.#altered !== undefined) does.opaque(`the shell's option ${this.#altered} changes what is meant`);
    // A program that a variable names has the same ones around it: they are judged already.
    if (this.#surrounded) return;
    this.#surrounded = true;
    for (const [name, value] of Object.entries(variables)) setVariable(name, { text: value, shape: value }, does);
    this.#surrounded = false;
  }

  #standsInside(): boolean {
    const { roots, real } = this.#state;
    if (this.#standing !== this.#looked?.standing) {
      const inside = this.#standing?.every((at) => roots.some((root) => isBelow(root, real(at)))) ?? false;
      this.#looked = { standing: this.#standing, inside };
    }
    return this.#looked?.inside ?? false;
  }

  #redirected(redirects: readonly Redirect[], does: CommandEffects): undefined {
    for (const { target, touches } of redirects) {
      if (touches === "none") continue;
      for (const arg of argsOf(target, this.#values)) {
        if (touches !== "write") does.read(arg);
        if (touches !== "read") does.write(arg);
      }
    }
  }

  #inputOf(redirects: readonly Redirect[]): StandardInput | undefined {
    const last = redirects.findLast(({ op, fd }) => op.startsWith("<") && (fd === undefined || fd === "0"));
    if (!last) return undefined;
    const word = last.body ?? (last.op === "<<<" ? last.target : undefined);
    const text = word && assigned(word, this.#values).text;
    return text === undefined ? { kind: "unknown" } : { kind: "text", text };
  }

  /** What is run to give words their text. */
  #substituted(words: readonly Word[]): undefined {
    for (const { segments } of words)
      for (const piece of segments)
        if (piece.kind === "dynamic")
          for (const list of piece.scripts) this.#apart(() => this.#within(undefined, () => this.#list(list)));
  }
}

/** Expansions that set a variable, or read what one holds again. */
function expanded(text: string, does: CommandEffects): undefined {
  for (const [, name = ""] of text.matchAll(/\$\{(\w+):?=/g)) setVariable(name, undefined, does);
  if (text.includes("@P}")) does.opaque("what a variable holds is expanded again");
}

/** Options that change neither which files a word names nor which program runs. */
const plainOptions = new Set(
  `errexit nounset pipefail xtrace verbose noclobber notify monitor braceexpand hashall interactive-comments errtrace
  functrace noexec noglob nullglob failglob globstar extglob nocaseglob nocasematch expand_aliases checkwinsize cmdhist
  histappend checkjobs huponexit lithist inherit_errexit allexport emacs vi ignoreeof history checkhash
  complete_fullquote extquote force_fignore globasciiranges globskipdots hostcomplete interactive_comments
  patsub_replacement progcomp promptvars sourcepath login_shell mailwarn progcomp_alias histreedit histverify
  no_empty_cmd_completion dirspell direxpand gnu_errfmt localvar_inherit localvar_unset nolog`.split(/\s+/),
);
