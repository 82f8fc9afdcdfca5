import type { CommandEffects } from "./command-effects.ts";
import { nonAsciiName } from "./hidden-character.ts";
import { ranFile } from "./program/code.ts";
import { programOf } from "./program/table.ts";
import { unknownWrapper } from "./program/wrap.ts";
import type { JudgeState } from "./state.ts";
import { type Arg, exact, shellText } from "./value/argument.ts";

/** What names of programs stand for: aliases and functions of the shell and of the text, files, programs that are known. */
export class ProgramNames {
  readonly #state: JudgeState;
  readonly #aliases: Map<string, string>;
  /** Functions that the text itself defines: their bodies are judged where they stand. */
  readonly #functions = new Set<string>();

  constructor(state: JudgeState) {
    this.#state = state;
    this.#aliases = new Map(Object.entries(state.aliases));
  }

  define(name: string): undefined {
    this.#functions.add(name);
  }

  alias(name: string, text: string): undefined {
    this.#aliases.set(name, text);
  }

  /** What follows when a program is run by this name. */
  run(program: Arg, args: readonly Arg[], does: CommandEffects): undefined {
    const { text, shape } = program;
    if (text === undefined) {
      if (shape.includes("\x01")) does.level("high", "the program is named by a pattern");
      return does.opaque("which program it is, is known when it runs");
    }
    if (nonAsciiName.test(text)) does.level("high", "the name of the program holds signs that do not show as they are");
    if (this.#state.functions.includes(text)) does.opaque(`${text} is a function of the shell`);
    if (this.#state.startupFunctions.includes(text)) does.effect("exec");
    this.#aliased(text, args, does);
    const file = text.includes("/") ? undefined : this.#state.lookup(text);
    if (file !== undefined) {
      // Whoever put it there decides what it does, whatever it is called.
      if (programOf(text)) does.opaque(`${text} is found in ${file}`);
      return ranFile(exact(file), does, text);
    }
    this.#known(program, text, args, does);
  }

  #aliased(name: string, args: readonly Arg[], does: CommandEffects): undefined {
    const alias = this.#aliases.get(name);
    if (alias === undefined) return;
    // The usual kind says how a program shows things.
    if (!isOwnOption(name, alias)) does.effect("exec");
    this.#aliases.delete(name);
    does.scene.script(`${alias} ${shellText(args)}`);
    this.#aliases.set(name, alias);
  }

  #known(program: Arg, text: string, args: readonly Arg[], does: CommandEffects): undefined {
    // A program of the system is the same by whatever way it is named.
    const paths = text.includes("/") ? does.paths(program).filter(({ kind }) => kind !== "inside") : [];
    const known = programOf(text) ?? paths.map(({ path }) => programOf(path, "anywhere")).find((one) => one);
    if (known && text.includes("/") && !programOf(text)) does.effect("exec");
    if (known) known.program(args, does, known.name);
    else if (text.includes("/")) ranFile(program, does, text);
    else if (!this.#functions.has(text)) unknownWrapper(args, does);
  }
}

/** `alias ls='ls --color=auto'`. */
const isOwnOption = (name: string, alias: string): boolean =>
  alias.startsWith(`${name} `) && /^(?: -[\w-]+(?:=[\w-]+)?)+ ?$/.test(alias.slice(name.length));
