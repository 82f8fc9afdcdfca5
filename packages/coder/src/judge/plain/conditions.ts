const onlyWords = (pattern: RegExp) => (words: readonly string[]) => pattern.test(words.join(" "));
const none = (pattern: RegExp) => (words: readonly string[]) => !words.some((word) => pattern.test(word));

/** A condition on all words of a program, and on those behind its options. */
type Condition = (words: readonly string[], given: readonly string[]) => boolean;

/** Conditions that letters and names cannot say. */
const conditions: Readonly<Record<string, Condition>> = {
  // Letters are not bundled: another reading would take a file for a value.
  xxd: (words) => words.every((word) => !/^-./.test(word) || /^-(?:[abeEipu]|[clg]\d*)$/.test(word)),
  jq: none(/\b(?:import|include|input_filename|modulemeta|get_search_list|env|ENV|debug)\b|\$__/),
  gawk: none(/ARG[VC]|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|@/),
  "awk mawk nawk": (_words, [script = "@", ...files]) =>
    !/system|getline|ARG[VC]|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|@|[|<>`]/.test(script) &&
    !files.some((file) => file.includes("=")),
  date: (_words, given) => given.every((word) => word.startsWith("+")),
  sleep: onlyWords(/^\d{1,3}(?:\.\d+)?$/),
  ps: (words) => words.every((word) => /^-|^(?:auxf?|ax|[a-df-z]{1,4}|\d+)$/.test(word)),
  // It matches patterns of files by itself.
  unzip: onlyWords(/^-l [^-*?[\]\\][^*?[\]\\]*$/),
  bash: (words) => words.length === 2 && words[0] === "-n",
  openssl: onlyWords(/^rand (?:-hex|-base64) \d{1,5}$/),
  "node python3 python ruby perl php gcc clang": onlyWords(/^(?:-v|-V|--version)$/),
};

const byName = new Map(
  Object.entries(conditions).flatMap(([names, only]) => names.split(" ").map((name) => [name, only] as const)),
);

/** True where the words of a program meet a condition that the table cannot say. */
export const isAllowed = (name: string, words: readonly string[], given: readonly string[]): boolean =>
  byName.get(name)?.(words, given) ?? true;

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
