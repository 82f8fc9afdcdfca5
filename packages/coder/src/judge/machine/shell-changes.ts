/** What bash tells of itself (`declare -p`, `declare -f`, `alias -p`), read. */
interface Told {
  /** Undefined where it is an array. */
  variables: Map<string, string | undefined>;
  functions: Map<string, string>;
  aliases: Map<string, string>;
  /** Of `shopt` and `set -o`, those that are on. */
  options: Set<string>;
  /** Something stands there that this does not know. */
  unclear: boolean;
}

/** What a shell has learned since it began, as far as it changes what a command means. */
export interface ShellChanges {
  aliases: Readonly<Record<string, string>>;
  /** Functions that commands have made or changed. */
  functions: readonly string[];
  /** Those that the user's own files made. */
  startupFunctions: readonly string[];
  /** Variables that are not what they were; an empty text where one is gone. */
  variables: Readonly<Record<string, string>>;
  options: readonly string[];
  path: { began: string; now: string } | undefined;
  unclear: boolean;
}

/** A shell is what it began as where its user began it: only what came later is anybody else's. */
export function shellChangeReader(): (memory: { began: string; now: readonly string[] }) => ShellChanges {
  // Every command changes what a shell tells of itself, but never what it began as.
  let read: { began: string; before: Told; texts: readonly string[]; learned: ShellChanges } | undefined;
  return ({ began, now }) => {
    const before = read?.began === began ? read.before : toldIn(began);
    const same = read?.before === before && read.texts.length === now.length && now.every(isLike(read.texts));
    const learned = same && read ? read.learned : now.map((text) => since(before, toldIn(text))).reduce(both);
    read = { began, before, texts: now, learned };
    return learned;
  };
}

/** Whether a shell tells the same of itself but for what every shell has of its own, and that in plain words. */
const isLike =
  (before: readonly string[]) =>
  (text: string, at: number): boolean => {
    const old = before[at] ?? "";
    if (text === old) return true;
    const [one, other] = [old.split("\n"), text.split("\n")];
    const plain = (line: string | undefined) => own.test(plainly.exec(line ?? "")?.[1] ?? "?");
    return one.length === other.length && one.every((line, n) => line === other[n] || (plain(line) && plain(other[n])));
  };

const plainly = /^declare -\S+ (\w+)=(?:"[\w ./:,@%+-]*"|\((?:\[\d+\]="[\w ./:,@%+-]*" ?)*\))$/;

/** What either of two states has learned; a name that stands for two things is one that nobody can tell. */
function both(one: ShellChanges, other: ShellChanges): ShellChanges {
  const twice = Object.keys(one.aliases).filter(
    (name) => other.aliases[name] !== undefined && other.aliases[name] !== one.aliases[name],
  );
  return {
    aliases: { ...one.aliases, ...other.aliases },
    functions: [...one.functions, ...other.functions, ...twice],
    startupFunctions: [...one.startupFunctions, ...other.startupFunctions],
    variables: { ...other.variables, ...one.variables },
    options: [...one.options, ...other.options],
    path: one.path?.now === one.path?.began ? other.path : one.path,
    unclear: one.unclear || other.unclear,
  };
}

function since(before: Told, after: Told): ShellChanges {
  const variables: Record<string, string> = {};
  for (const [name, value = ""] of after.variables)
    if (!own.test(name) && before.variables.get(name) !== value) variables[name] = value;
  for (const name of before.variables.keys()) if (!own.test(name) && !after.variables.has(name)) variables[name] = "";
  const [changed, same] = [[] as string[], [] as string[]];
  for (const [name, body] of after.functions) (before.functions.get(name) === body ? same : changed).push(name);
  return {
    aliases: Object.fromEntries(after.aliases),
    functions: changed,
    startupFunctions: same,
    variables,
    options: [...after.options].filter((option) => !before.options.has(option)),
    path: { began: before.variables.get("PATH") ?? "", now: after.variables.get("PATH") ?? "" },
    unclear: after.unclear && !before.unclear,
  };
}

/** What every shell has of its own. */
const own =
  /^(?:_|(?:OLD)?PWD|BASH(?!_ENV$|_FUNC_|OPTS$)\w*|BASHOPTS|SHELLOPTS|SHLVL|COMP_WORDBREAKS|DIRSTACK|EPOCH\w+|GROUPS|HISTCMD|LINENO|S?RANDOM|SECONDS|PIPESTATUS|FUNCNAME|OPTIND|PPID|COLUMNS|LINES|PITH_SHELL\w*)$/;

function toldIn(text: string): Told {
  const told: Told = {
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    options: new Set(),
    unclear: false,
  };
  const reader = { text, at: 0 };
  while (reader.at < text.length) statement(reader, told);
  return told;
}

interface Reader {
  text: string;
  at: number;
}

function statement(reader: Reader, told: Told): void {
  const line = lineAt(reader);
  const declared = /^(?:declare -(\S+)|export) ([A-Za-z_]\w*)(=)?/.exec(line);
  const alias = /^alias (?:-- )?([^=\n]+)=/.exec(line);
  const named = /^(\S+) \(\) ?$/.exec(line);
  if (declared) {
    const [start, flags = "", name = "", sets] = declared;
    reader.at += start.length;
    if (sets) told.variables.set(name, value(reader, told));
    else if (!flags.includes("f")) told.variables.set(name, "");
    endOfLine(reader, told);
  } else if (alias) {
    reader.at += alias[0].length;
    told.aliases.set(alias[1] ?? "", value(reader, told) ?? "");
    endOfLine(reader, told);
  } else if (named) {
    reader.at += line.length + 1;
    told.functions.set(named[1] ?? "", body(reader, told));
  } else {
    reader.at += line.length + 1;
    option(line, told);
  }
}

function option(line: string, told: Told): void {
  const on =
    /^\[\[ \$BASHOPTS == (\S*) \]\]/.exec(line)?.[1]?.split(":") ?? /^\\builtin set -o (\S+)$/.exec(line)?.slice(1);
  const single = /^shopt (-[su]) (\w+)/.exec(line);
  for (const name of on ?? []) told.options.add(name);
  if (single?.[1] === "-s" && single[2]) told.options.add(single[2]);
  if (!on && !single && !/^(?:umask \S+|\\builtin pushd -n -- .*|)$/.test(line)) told.unclear = true;
}

function lineAt({ text, at }: Reader): string {
  const end = text.indexOf("\n", at);
  return text.slice(at, end === -1 ? undefined : end);
}

function endOfLine(reader: Reader, told: Told): void {
  const line = lineAt(reader);
  if (line !== "") told.unclear = true;
  reader.at += line.length + 1;
}

/** A value as bash quotes it, in one or several pieces; undefined for an array. */
function value(reader: Reader, told: Told): string | undefined {
  const { text } = reader;
  if (text[reader.at] === "(") {
    for (reader.at++; reader.at < text.length && text[reader.at] !== ")"; )
      if (/["'$\\]/.test(text[reader.at] ?? "")) piece(reader, told);
      else reader.at++;
    reader.at++;
    return undefined;
  }
  let all = "";
  while (reader.at < text.length && text[reader.at] !== "\n") all += piece(reader, told);
  return all;
}

const quotes: readonly (readonly [string, RegExp])[] = [
  ["$'", /\$'((?:\\[\s\S]|[^'\\])*)'/y],
  ['"', /"((?:\\[\s\S]|[^"\\])*)"/y],
  ["'", /'([^']*)'/y],
];

const bare = /\\?([\s\S])/y;

function piece(reader: Reader, told: Told): string {
  const { text, at } = reader;
  const quote = quotes.find(([start]) => text.startsWith(start, at));
  const pattern = quote?.[1] ?? bare;
  pattern.lastIndex = at;
  const [whole, inner = ""] = pattern.exec(text) ?? [];
  if (whole === undefined) {
    told.unclear = true;
    reader.at = text.length;
    return "";
  }
  reader.at += whole.length;
  return quote && quote[0] !== "'" ? inner.replace(/\\([\s\S])/g, "$1") : inner;
}

/** Up to the brace that stands at the beginning of a line; a function may also have no braces. */
function body(reader: Reader, told: Told): string {
  const { text, at } = reader;
  if (text[at] !== "{") {
    const next = /\n(?=\S+ \(\) ?\n|declare -|alias |umask |\\builtin )/g;
    next.lastIndex = at;
    reader.at = next.exec(text) ? next.lastIndex : text.length;
  } else {
    const end = text.indexOf("\n}", at);
    if (end === -1) told.unclear = true;
    const line = end === -1 ? -1 : text.indexOf("\n", end + 1);
    reader.at = line === -1 ? text.length : line + 1;
  }
  return text.slice(at, reader.at);
}
