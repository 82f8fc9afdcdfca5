import gitText from "./git.txt" with { type: "text" };
import programText from "./programs.txt" with { type: "text" };

/** A program that may run without a question where no sandbox works, with every option that it may be given. */
export interface PlainProgram {
  /** The meaning of words that are no options: paths, at most one path, any text, a pattern and then paths, or none. */
  operands: "files" | "one" | "text" | "pattern" | "none";
  /** Letters of options, and those that BSD and BusyBox have with the same meaning. */
  flags: string;
  posix: string;
  /** Letters of options with a value. */
  valued: string;
  /** Long options of GNU; those with a value end with `=`. */
  long: ReadonlySet<string>;
  /** True where a number is an option too: `head -20`. */
  digits: boolean;
  gnuOnly: boolean;
  /** The option that GNU's program is given before all others. */
  before: string | undefined;
  /** A further condition on its words. */
  only: (words: readonly string[]) => boolean;
}

/** The entries of a data file: a name, a colon and words, which go on in indented lines. */
const entries = (text: string): [name: string, words: string[]][] =>
  text
    .replace(/^#.*\n/gm, "")
    .replace(/\n +/g, " ")
    .trim()
    .split("\n")
    .map((line) => [
      line.slice(0, line.indexOf(":")),
      line
        .slice(line.indexOf(":") + 1)
        .split(" ")
        .filter(Boolean),
    ]);

const anything = () => true;
const onlyWords = (pattern: RegExp) => (words: readonly string[]) => pattern.test(words.join(" "));
const none = (pattern: RegExp) => (words: readonly string[]) => !words.some((word) => pattern.test(word));

/** Conditions that letters and names cannot say. */
const conditions: Readonly<Record<string, PlainProgram["only"]>> = {
  // Letters are not bundled: another reading would take a file for a value.
  xxd: (words) => words.every((word) => !/^-./.test(word) || /^-(?:[abeEipu]|[clg]\d*)$/.test(word)),
  jq: none(/\b(?:import|include|input_filename|modulemeta|get_search_list|env|ENV|debug)\b|\$__/),
  gawk: none(/ARG[VC]|ENVIRON|PROCINFO|@/),
  "awk mawk nawk": (words) => {
    const [script = "@", ...files] = words.filter((word) => !word.startsWith("-"));
    return (
      !/system|getline|ARG[VC]|ENVIRON|PROCINFO|@|[|<>`]/.test(script) && !files.some((file) => file.includes("="))
    );
  },
  date: (words) => words.every((word, at) => /^[-+]/.test(word) || /^(?:-d|--date)$/.test(words[at - 1] ?? "")),
  sleep: onlyWords(/^\d{1,3}(?:\.\d+)?$/),
  ps: (words) => words.every((word) => /^-|^(?:auxf?|ax|[a-df-z]{1,4}|\d+)$/.test(word)),
  unzip: (words) => words.length === 2 && words[0] === "-l",
  bash: (words) => words.length === 2 && words[0] === "-n",
  openssl: onlyWords(/^rand (?:-hex|-base64) \d{1,5}$/),
  "node python3 python ruby perl php gcc clang": onlyWords(/^(?:-v|-V|--version)$/),
};

function read(names: string, words: readonly string[]): PlainProgram {
  const [operands = "none", ...rest] = words;
  const value = (name: string) => rest.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  return {
    operands: operands as PlainProgram["operands"],
    flags: rest.find((word) => /^-[^-]/.test(word))?.slice(1) ?? "",
    posix: value("posix") ?? "",
    valued: value("with") ?? "",
    long: new Set(rest.flatMap((word) => (word.startsWith("--") ? [word.slice(2)] : []))),
    digits: rest.includes("digits"),
    gnuOnly: rest.includes("gnu"),
    before: value("before"),
    only: conditions[names] ?? anything,
  };
}

const programs = new Map(
  entries(programText).flatMap(([names, words]) => {
    const program = read(names, words);
    return names.split(" ").map((name) => [name, program] as const);
  }),
);

export const plainProgram = (name: string): PlainProgram | undefined => programs.get(name);

/** Options that looking subcommands of git may be given, by subcommand. */
export const gitOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  entries(gitText).map(([name, words]) => [name, new Set(words)]),
);

/** The words of a find expression that only look, and those of them that take a value. */
export const findTests = {
  flags: `-empty -print -print0 -ls -not ! ( ) -o -or -a -and -prune -depth -mount -xdev -readable -writable -executable
    -true -false -nouser -nogroup -quit`.split(/\s+/),
  valued: `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -maxdepth -mindepth -mtime
    -mmin -atime -amin -ctime -cmin -newermt -size -user -group -perm -links -inum -printf`.split(/\s+/),
};

/** True when a script of sed is short and of a kind that can neither write nor run. */
export const isPlainSed = (text: string): boolean =>
  /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?[pd]|\/[\w .:-]*\/[pd])$/.test(text) ||
  /^s([/|,#])(?:[^\\/|,#\n]|\\[.()[\]])*\1[^\\/|,#\n]*\1[gp\d]*$/.test(text);
