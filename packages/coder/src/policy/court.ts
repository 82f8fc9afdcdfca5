import { type Arg, argsOf, assigned, exact, shellText, type Values } from "./argument.ts";
import { Constants } from "./constant.ts";
import { Deeds, type Input, type Scene } from "./deeds.ts";
import type { JudgedPart } from "./judged.ts";
import { isBelow, type Standing } from "./place.ts";
import { ranFile } from "./program/code.ts";
import { programOf } from "./program/table.ts";
import { inside } from "./program/wrap.ts";
import { fedBy, programsOf, saidBy } from "./said.ts";
import { parse } from "./shell/parse.ts";
import { most } from "./shell/reader.ts";
import type { Command, Compound, Definition, List, Pipeline, Redirect, Simple, Word } from "./shell/tree.ts";
import { strangeName } from "./sign.ts";
import { movedTo, union } from "./standing.ts";
import type { State } from "./state.ts";
import { hidesCommand, setVariable } from "./variable.ts";

const deepest = 8;

/** Goes through a text with what is known at each place of it. */
export class Court {
  readonly found: JudgedPart[] = [];
  problem: string | undefined;
  readonly #state: State;
  #source = "";
  #depth = 0;
  #standing: Standing;
  #input: Input | undefined;
  /** Whether what stands here runs in any case, and in this shell. */
  #certain = true;
  readonly #constants = new Constants();
  readonly #values: Values = (name) => {
    if (name === "HOME") return this.#state.home;
    if (name === "PWD") return this.#standing?.length === 1 ? this.#standing[0] : undefined;
    return this.#constants.get(name);
  };
  readonly #written = new Set<string>();
  readonly #links = new Map<string, string | undefined>();
  readonly #functions = new Set<string>();
  readonly #aliases: Map<string, string>;
  /** Whether it was found to stand inside. */
  #looked: { standing: Standing; inside: boolean } | undefined;
  /** Where a `cd` that was just judged leads. */
  #moved: { to: Standing } | undefined;

  constructor(state: State) {
    this.#state = state;
    this.#standing = [state.cwd];
    this.#aliases = new Map(Object.entries(state.aliases));
  }

  script(text: string): undefined {
    if (this.problem !== undefined) return;
    if (this.#depth >= deepest) return this.#stop(`commands are nested more than ${deepest} deep`);
    const read = parse(text, { extglob: this.#state.extglob });
    if (!read.ok) return this.#stop(read.message);
    const source = this.#source;
    this.#source = text;
    this.#depth++;
    this.#list(read.value);
    this.#depth--;
    this.#source = source;
  }

  /** Takes up a part once it is known what it does; what it runs itself comes behind it. */
  add(
    text: string,
    program: string | undefined,
    args: readonly Arg[],
    judged: (does: Deeds) => unknown,
    fed: readonly string[] = [],
  ): undefined {
    if (this.found.length >= most.parts) return this.#stop(`it has more than ${most.parts} parts`);
    const place = this.found.length;
    const does = new Deeds(this.#scene(fed));
    const part = { text, program, args: args.map((arg) => arg.text) };
    this.found.push({ ...part, effects: [], severity: "none", guard: undefined, reason: undefined });
    judged(does);
    const { effects, severity, guard, reason } = does;
    this.found[place] = { ...part, effects: [...effects], severity, guard, reason };
  }

  #stop(why: string): undefined {
    this.problem ??= why;
  }

  #scene(fed: readonly string[]): Scene {
    return {
      state: this.#state,
      standing: this.#standing,
      input: this.#input,
      written: this.#written,
      links: this.#links,
      fetched: this.found.some(({ effects }) => effects.includes("net")),
      fed,
      run: (words, input) =>
        this.#apart(() =>
          this.#within(input, () => this.#call(words, words.map(({ text }) => text ?? "…").join(" "), fed)),
        ),
      script: (text) => this.#apart(() => this.script(text)),
      alias: (name, text) => {
        this.#aliases.set(name, text);
      },
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

  #within(input: Input | undefined, judged: () => unknown): undefined {
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
      if (this.problem !== undefined) return;
      this.#certain = certain && !chained && behind !== "&";
      if (!chained) old = this.#standing;
      this.#moved = undefined;
      if (behind === "&") this.#apart(() => this.#pipeline(pipeline));
      else this.#pipeline(pipeline);
      const moved = this.#moved as { to: Standing } | undefined;
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
      const input: Input | undefined =
        index === 0 ? this.#input : { kind: "pipe", programs: [...programs], text: said };
      this.#apart(() => this.#within(input, () => this.#command(command)));
      programs.push(...programsOf(command));
      said = index === 0 ? saidBy(command, this.#values) : undefined;
    }
  }

  #command(command: Command): undefined {
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
      this.add(text, undefined, [], (does) => does.level("critical", "it starts itself again and again"));
    if (own !== undefined) this.#functions.add(own);
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
    const summed = is === "test" || is === "arithmetic" || is === "for";
    const hides =
      summed &&
      words.some(({ pieces }) => pieces.some((piece) => piece.kind !== "dynamic" && hidesCommand(piece.text)));
    if (redirects.length > 0 || name !== undefined || hides) {
      const judged = (does: Deeds): undefined => {
        if (name !== undefined) setVariable(name, undefined, does);
        if (hides) does.opaque("a condition holds a command");
        this.#redirected(redirects, does);
      };
      this.add(redirects.length > 0 ? text : (text.split("\n", 1)[0] ?? ""), undefined, [], judged);
      const last = this.found.at(-1);
      // A loop that touches nothing itself is nothing to look at.
      if (redirects.length === 0 && last?.effects.length === 0 && last.severity === "none") this.found.pop();
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
    const [standing, certain, count] = [this.#standing, this.#certain, this.found.length];
    this.#certain = false;
    this.#lists(lists);
    if (
      this.#standing !== standing &&
      !(this.#standing && standing && this.#standing.every((at) => standing.includes(at)))
    ) {
      this.found.length = count;
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
      fedBy,
    );
    const prepare = (does: Deeds): undefined => {
      for (const { name, value, elements } of assigns)
        setVariable(name, elements ? undefined : assigned(value, this.#values), does);
      if (text.includes("${")) expanded(text, does);
      this.#redirected(redirects, does);
    };
    this.#within(this.#inputOf(redirects) ?? this.#input, () => this.#call(args, text, fed, prepare));
    for (const { subscript, value } of assigns) {
      if (subscript) this.#substituted([{ start, end, pieces: subscript }]);
      this.#substituted([value]);
    }
    this.#substituted(words);
    for (const { target, body } of redirects) this.#substituted(body ? [target, body] : [target]);
    for (const { name, value, append } of words.length === 0 ? assigns : []) {
      const certain = this.#certain && this.#depth === 1 && !append;
      this.#constants.assign(name, assigned(value, this.#values), this.#source, certain ? "certain" : "perhaps");
    }
    const moved = movedTo(args, this.#standing, this.#state.home);
    if (moved) this.#moved = moved;
  }

  /** One program with what it is given. */
  #call(words: readonly Arg[], text: string, fed: readonly string[], prepare?: (does: Deeds) => undefined): undefined {
    const [program, ...args] = words;
    const judged = (does: Deeds): undefined => {
      prepare?.(does);
      if (program) this.#runs(program, args, does);
    };
    this.add(text, program?.text, args, judged, fed);
  }

  #runs(program: Arg, args: readonly Arg[], does: Deeds): undefined {
    const { text, shape } = program;
    // Many programs look at where they stand when they are given no file.
    if (!this.#standsInside()) does.read(exact("."));
    for (const [name, value] of Object.entries(this.#state.variables))
      setVariable(name, { text: value, shape: value }, does);
    if (text === undefined) {
      if (shape.includes("\x01")) does.level("high", "the program is named by a pattern");
      return does.opaque("which program it is, is known when it runs");
    }
    if (strangeName.test(text)) does.level("high", "the name of the program holds signs that do not show as they are");
    if (this.#state.functions.includes(text)) does.opaque(`${text} is a function of the shell`);
    const alias = this.#aliases.get(text);
    if (alias !== undefined) {
      does.effect("exec");
      this.#aliases.delete(text);
      does.scene.script(`${alias} ${shellText(args)}`);
      this.#aliases.set(text, alias);
    }
    // A program of the system is the same by whatever way it is named.
    const paths = text.includes("/") ? does.spots(program).filter(({ place }) => place !== "inside") : [];
    const known = programOf(text) ?? paths.map(({ path }) => programOf(path, "anywhere")).find((one) => one);
    if (known && text.includes("/") && !programOf(text)) does.effect("exec");
    if (known) known.program(args, does, known.name);
    else if (text.includes("/")) ranFile(program, does, text);
    else if (!this.#functions.has(text)) inside(args, does);
  }

  #standsInside(): boolean {
    const { roots, real } = this.#state;
    if (this.#standing !== this.#looked?.standing) {
      const inside = this.#standing?.every((at) => roots.some((root) => isBelow(root, real(at)))) ?? false;
      this.#looked = { standing: this.#standing, inside };
    }
    return this.#looked?.inside ?? false;
  }

  #redirected(redirects: readonly Redirect[], does: Deeds): undefined {
    for (const { target, touches } of redirects) {
      if (touches === "none") continue;
      for (const arg of argsOf(target, this.#values)) {
        if (touches !== "write") does.read(arg);
        if (touches !== "read") does.write(arg);
      }
    }
  }

  #inputOf(redirects: readonly Redirect[]): Input | undefined {
    const last = redirects.findLast(({ op, fd }) => op.startsWith("<") && (fd === undefined || fd === "0"));
    if (!last) return undefined;
    const word = last.body ?? (last.op === "<<<" ? last.target : undefined);
    const text = word && assigned(word, this.#values).text;
    return text === undefined ? { kind: "unknown" } : { kind: "text", text };
  }

  /** What is run to give words their text. */
  #substituted(words: readonly Word[]): undefined {
    for (const { pieces } of words)
      for (const piece of pieces)
        if (piece.kind === "dynamic")
          for (const list of piece.scripts) this.#apart(() => this.#within(undefined, () => this.#list(list)));
  }
}

/** Expansions that set a variable, or read what one holds again. */
function expanded(text: string, does: Deeds): undefined {
  for (const [, name = ""] of text.matchAll(/\$\{(\w+):?=/g)) setVariable(name, undefined, does);
  if (text.includes("@P}")) does.opaque("what a variable holds is expanded again");
}
