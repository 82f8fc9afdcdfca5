import type { Word } from "../../bash/tree.ts";
import { type Arg, assigned, type Values } from "./argument.ts";
import { feedersOf } from "./output.ts";

/** Programs that say nothing but numbers. */
const numbers = new Set("wc nproc date expr id stat seq getconf".split(" "));

/**
 * Variables that hold what nobody knows yet. A shell that takes one for a number runs the commands in it:
 * `x=$(cat file); echo $((x))` runs those of a file with `a[$(…)]`.
 */
export class UnknownVariables {
  readonly #names = new Set<string>();

  /** A variable is set to a word. */
  assign(name: string, value: Word, values: Values, append: boolean): undefined {
    const { text } = assigned(value, values);
    if (text !== undefined && !append) return;
    const free = value.segments.filter((piece) => piece.kind === "dynamic" && piece.of !== "arithmetic");
    if (text === undefined && free.length === 0) return;
    const programs = feedersOf(value);
    const counted = programs.length > 0 && value.segments.length === 1 && programs.every((one) => numbers.has(one));
    if (!counted) this.#names.add(name);
  }

  add(name: string | undefined): undefined {
    if (name !== undefined && /^[A-Za-z_]\w*$/.test(name)) this.#names.add(name);
  }

  /** What a built-in sets: `read a b`, `export a="$b"`. */
  built([program, ...args]: readonly Arg[]): undefined {
    if (/^(?:read|mapfile|readarray|getopts)$/.test(program?.text ?? "")) {
      for (const { text } of args) this.add(text);
      this.#names.add("REPLY").add("MAPFILE");
    } else if (/^(?:export|declare|typeset|local|readonly)$/.test(program?.text ?? ""))
      for (const { text, shape } of args) if (text === undefined) this.add(/^\w+(?==)/.exec(shape)?.[0]);
  }

  /** Whether a text takes one of them for a number, or for the name of another. */
  isEvaluated(text: string): boolean {
    if (!summing.test(text)) return false;
    if (/\$\{?[1-9@*]/.test(text) && /\(\)|\bfunction\b|\bset\b/.test(text) && meets(text, "[1-9@*]")) return true;
    if (this.#names.size === 0) return false;
    if (/\b(?:declare|local|typeset|readonly)\s[^;\n]*-\w*i/.test(text)) return true;
    // Looking through a long text takes long.
    return text.length > longest || meets(text, `(?:${[...this.#names].join("|")})\\b`);
  }
}

const longest = 4000;
const summing = /\(\(|\$\[|\[\[|\blet\b|\w\[|\$\{|-v\b|\bunset\b|-\w*i/;

function meets(text: string, name: string): boolean {
  const before = String.raw`(?:[^\w]|[^\w]\$?\{?)`;
  return new RegExp(
    [
      String.raw`\(\((?:(?!\)\))[\s\S])*?${before}?${name}`,
      String.raw`\$\[[^\]]*?${name}`,
      String.raw`\[\[(?=(?:(?!\]\])[\s\S])*-(?:eq|ne|lt|le|gt|ge|v)\b)(?:(?!\]\])[\s\S])*?${name}`,
      String.raw`\blet\b[^\n]*?${name}`,
      String.raw`\w\[[^\]\n]*?${name}`,
      String.raw`\$\{!${name}`,
      String.raw`\$\{[^}\n]*?[\]\w@*]:[^}\n]*?${name}`,
      String.raw`(?:-v|\bunset)\s[^\n;]*?\$\{?${name}`,
    ].join("|"),
  ).test(text);
}
