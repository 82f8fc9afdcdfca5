import { fail, ok, type Result, succeeds } from "@pith/kit";

/** A regular expression of a rule, and what is known of its matches without running it. */
export interface Condition {
  source: string;
  /** Every match contains one of these, in small letters; empty when no such texts are known. */
  literals: readonly string[];
  /** Says whether a match may go over several lines. */
  lines: "one" | "several";
  /** Says whether it depends on the beginning of the text, or on what follows a match. A part of a text cannot tell. */
  asks: readonly ("begin" | "end")[];
}

/**
 * Reads a regular expression that can be matched in linear time, so that no rule can hold up a stream. Refuses what the
 * engine refuses, without loading it.
 */
export function readCondition(source: string): Result<Condition, "condition"> {
  if (source.length > longest) return fail("condition", `it is longer than ${longest} characters`);
  const reading = new Reading(source);
  try {
    const { best } = reading.alternatives(new Set(), 0);
    if (reading.at < source.length) throw new Refusal("a closing bracket without an opening one");
    const literals = best.every((word) => word.length >= shortest) && best.length <= mostLiterals ? best : [];
    return ok({ source, literals, lines: reading.lines, asks: [...reading.asks] });
  } catch (error) {
    if (error instanceof Refusal) return fail("condition", error.message);
    throw error;
  }
}

const longest = 2000;
/** Shorter literals are too common to filter by. */
const shortest = 3;
const mostLiterals = 20;
const maxRepeat = 1000;
const maxDepth = 200;

class Refusal extends Error {}

type Flag = "i" | "m" | "s" | "U";
type Flags = ReadonlySet<Flag>;

/** A piece of an expression: the one text that it matches, if so, and texts of which every match contains one. */
interface Piece {
  exact?: string | undefined;
  best: readonly string[];
  /** The most repetitions of its innermost part. */
  repeats: number;
}

const nothing: Piece = { exact: "", best: [], repeats: 1 };
const unknown: Piece = { best: [], repeats: 1 };
const text = (word: string): Piece => ({ exact: word, best: word === "" ? [] : [word], repeats: 1 });
const worth = (words: readonly string[]): number =>
  words.length === 0 ? 0 : Math.min(...words.map(({ length }) => length));
/** Chooses the longer literals; of equal ones the later, because most of a match is there by then. */
const better = (a: readonly string[], b: readonly string[]) => (b.length > 0 && worth(b) >= worth(a) ? b : a);

class Reading {
  readonly #source: string;
  readonly #names = new Set<string>();
  readonly asks = new Set<"begin" | "end">();
  lines: Condition["lines"] = "one";
  at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(flags: Flags, depth: number): Piece {
    if (depth > maxDepth) throw new Refusal("brackets nested too deeply");
    const all: Piece[] = [];
    let now = flags;
    do {
      const { known, flags: left } = this.#sequence(now, depth);
      all.push(known);
      now = left;
    } while (this.#eats("|"));
    const [first = nothing] = all;
    const repeats = Math.max(...all.map((known) => known.repeats));
    if (all.length === 1) return first;
    return { best: all.some(({ best }) => best.length === 0) ? [] : all.flatMap(({ best }) => best), repeats };
  }

  #sequence(given: Flags, depth: number): { known: Piece; flags: Flags } {
    let flags = given;
    let run = "";
    let best: readonly string[] = [];
    let repeats = 1;
    let only = true;
    for (let first = true; this.at < this.#source.length && !/[|)]/.test(this.#peek()); first = false) {
      const set = this.#flagsAlone(flags);
      if (set) {
        flags = set;
        continue;
      }
      const piece = this.#repeated(this.#atom(flags, depth, first));
      repeats = Math.max(repeats, piece.repeats);
      if (piece.exact === undefined) {
        best = better(better(best, run === "" ? [] : [run]), piece.best);
        run = "";
        only = false;
      } else run += piece.exact;
    }
    const known = better(best, run === "" ? [] : [run]);
    return { known: { exact: only ? run : undefined, best: known, repeats }, flags };
  }

  /** Reads `(?i)`, which holds from here on. */
  #flagsAlone(flags: Flags): Flags | undefined {
    const [whole, on = "", off = ""] = this.#match(/\(\?([imsU]*)(?:-([imsU]+))?\)/y) ?? [];
    if (whole === undefined) return undefined;
    this.at += whole.length;
    return changed(flags, on, off);
  }

  #atom(flags: Flags, depth: number, first: boolean): Piece {
    const sign = this.#next();
    switch (sign) {
      case "(":
        return this.#group(flags, depth);
      case "[":
        return this.#set(flags);
      case "\\":
        return this.#escape(flags);
      case ".":
        if (flags.has("s")) this.lines = "several";
        return unknown;
      case "^":
        if (!flags.has("m")) this.asks.add("begin");
        return nothing;
      case "$":
        this.asks.add("end");
        return nothing;
      case "*":
      case "+":
      case "?":
        throw new Refusal(first ? `\`${sign}\` with nothing before it` : `\`${sign}\` after another repetition`);
    }
    if (sign === "{" && this.#match(/\d+(?:,\d*)?\}/y)) throw new Refusal("`{…}` with nothing before it");
    return this.#plain(sign, flags);
  }

  #plain(sign: string, flags: Flags): Piece {
    if (sign === "\n") this.lines = "several";
    this.#letter = sign.codePointAt(0);
    // Only the engine knows the cases of letters of other scripts.
    if (flags.has("i") && sign > "\x7f") return unknown;
    return text(/[A-Z]/.test(sign) ? sign.toLowerCase() : sign);
  }

  #group(flags: Flags, depth: number): Piece {
    let inner = flags;
    const [head] = this.#match(/\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?:)/y) ?? [];
    if (head !== undefined) {
      this.at += head.length;
      const name = /<(\w+)>/.exec(head)?.[1];
      if (name !== undefined && this.#names.has(name)) throw new Refusal(`two groups called ${name}`);
      if (name === undefined) {
        const [on = "", off = ""] = head.slice(1, -1).split("-");
        inner = changed(flags, on, off);
      } else this.#names.add(name);
    } else if (this.#peek() === "?") throw new Refusal(groupReason(this.#source.slice(this.at, this.at + 4)));
    const known = this.alternatives(inner, depth + 1);
    if (!this.#eats(")")) throw new Refusal("an opening bracket without a closing one");
    return known;
  }

  #repeated(piece: Piece): Piece {
    const [whole, sign, from, comma, to] = this.#match(/([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y) ?? [];
    if (whole === undefined) return piece;
    this.at += whole.length;
    const least = sign === "+" ? 1 : sign === undefined ? Number(from) : 0;
    const highest = sign !== undefined || (comma && to === "") ? 1 : Number(comma ? to : from);
    const repeats = piece.repeats * Math.max(1, highest, sign === undefined ? least : 1);
    if (repeats > maxRepeat || (sign === undefined && comma && to !== "" && highest < least))
      throw new Refusal(`\`${whole}\`: more than ${maxRepeat} repetitions, or fewer than none`);
    if (this.#match(/[*+?]|\{\d+(?:,\d*)?\}/y)) throw new Refusal(`\`${whole}\` is repeated once more`);
    return { best: least > 0 ? piece.best : [], repeats };
  }

  #escape(flags: Flags): Piece {
    const sign = this.#next();
    if (sign === "") throw new Refusal("it ends with a backslash");
    if (sign === "A") this.asks.add("begin");
    else if (/[zbB]/.test(sign)) this.asks.add("end");
    if (/[AzbB]/.test(sign)) return nothing;
    if (/[sDW]/.test(sign)) this.lines = "several";
    if (/[dDsSwW]/.test(sign)) return unknown;
    if (sign === "p" || sign === "P") {
      this.#property();
      this.lines = "several";
      return unknown;
    }
    if (sign === "Q") {
      const end = this.#source.indexOf("\\E", this.at);
      const quoted = this.#source.slice(this.at, end === -1 ? undefined : end);
      this.at = end === -1 ? this.#source.length : end + 2;
      if (quoted === "" && this.#match(/[*+?]|\{\d/y)) throw new Refusal("an empty quotation is repeated");
      const all = [...quoted].map((one) => this.#plain(one, flags));
      return all.every(({ exact }) => exact !== undefined) ? text(all.map(({ exact }) => exact).join("")) : unknown;
    }
    return this.#plain(this.#coded(sign), flags);
  }

  /** Returns the letter that an escape stands for. */
  #coded(sign: string): string {
    const control = controls[sign];
    if (control !== undefined) return control;
    const [octal] =
      sign === "0" ? (this.#match(/[0-7]{0,2}/y) ?? []) : sign <= "7" ? (this.#match(/[0-7]{1,2}/y) ?? []) : [];
    if (/[0-7]/.test(sign) && octal !== undefined) {
      this.at += octal.length;
      return String.fromCodePoint(Number.parseInt(sign + octal, 8));
    }
    const [hex] = sign === "x" ? (this.#match(/\{[0-9A-Fa-f]{1,6}\}|[0-9A-Fa-f]{2}/y) ?? []) : [];
    if (hex !== undefined) {
      this.at += hex.length;
      const code = Number.parseInt(hex.replace(/[{}]/g, ""), 16);
      if (code > 0x10ffff) throw new Refusal(`there is no letter ${hex}`);
      return String.fromCodePoint(code);
    }
    if (/[1-9k]/.test(sign))
      throw new Refusal("it refers back to what it matched (`\\1`), which cannot be matched in linear time");
    if (/[A-Za-z0-9]/.test(sign) || sign > "\x7f") throw new Refusal(`\`\\${sign}\` is unknown`);
    return sign;
  }

  #property(): void {
    const [whole, name = ""] = this.#match(/\{\^?([A-Za-z_]+)\}|[A-Z]/y) ?? [];
    if (whole === undefined) throw new Refusal("`\\p` without a name");
    this.at += whole.length;
    const known = name || whole;
    if (known !== "Any" && !isProperty(known)) throw new Refusal(`there is no class of letters \`${known}\``);
  }

  /** Reads `[…]`. A set of one plain letter is that letter. */
  #set(flags: Flags): Piece {
    const from = this.at;
    const negated = this.#eats("^");
    if (negated) this.lines = "several";
    let alone: Piece | undefined;
    let count = 0;
    for (let first = true; first || this.#peek() !== "]"; first = false) {
      if (this.at >= this.#source.length)
        throw new Refusal(`\`[${this.#source.slice(from, from + 20)}\` is not closed`);
      const low = this.#member(flags);
      count++;
      alone = low;
      if (this.#peek() !== "-" || this.#source[this.at + 1] === "]") continue;
      const begin = this.#letter;
      // After a class of letters, `-` is a plain letter.
      if (begin === undefined) continue;
      this.at++;
      this.#member(flags);
      if (this.#letter === undefined || this.#letter < begin)
        throw new Refusal("a range from a later letter to an earlier one");
      alone = unknown;
    }
    this.at++;
    return !negated && count === 1 && alone?.exact !== undefined ? alone : unknown;
  }

  /** The letter read last; undefined after a class of letters. */
  #letter: number | undefined;

  #member(flags: Flags): Piece {
    this.#letter = undefined;
    const [named, word = ""] = this.#match(/\[:\^?(\w*):\]/y) ?? [];
    if (named !== undefined) {
      if (!posix.has(word)) throw new Refusal(`there is no class \`${named}\``);
      this.at += named.length;
      this.lines = "several";
      return unknown;
    }
    const sign = this.#next();
    if (sign !== "\\") return this.#plain(sign, flags);
    if (/[AzbBQ]/.test(this.#peek())) throw new Refusal(`\`\\${this.#peek()}\` in a set`);
    return this.#escape(flags);
  }

  #peek(): string {
    return this.#source[this.at] ?? "";
  }
  #next(): string {
    const sign = String.fromCodePoint(this.#source.codePointAt(this.at) ?? 0);
    if (this.at >= this.#source.length) return "";
    this.at += sign.length;
    return sign;
  }
  #eats(sign: string): boolean {
    if (this.#peek() !== sign) return false;
    this.at++;
    return true;
  }
  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.#source) ?? undefined;
  }
}

function changed(flags: Flags, on: string, off: string): Flags {
  const now = new Set(flags);
  for (const flag of on) now.add(flag as Flag);
  for (const flag of off) now.delete(flag as Flag);
  return now;
}

function groupReason(head: string): string {
  if (/^\?<?[=!]/.test(head))
    return "it looks ahead or back (`(?=`, `(?!`, `(?<`), which cannot be matched in linear time";
  return `\`(${head.slice(0, 2)}\` is unknown`;
}

/** True for names of general categories and of scripts. */
function isProperty(name: string): boolean {
  const patterns = [`\\p{${/^[A-Z][a-z]?$/.test(name) ? name : "-"}}`, `\\p{Script=${name}}`];
  return patterns.some((pattern) => succeeds(() => new RegExp(pattern, "u")));
}

const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "\x07" };

const posix: ReadonlySet<string> = new Set([
  ...["alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper"],
  ...["word", "xdigit"],
]);
