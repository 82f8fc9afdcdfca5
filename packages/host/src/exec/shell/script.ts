/** What the state of a shell is written to: its variables, functions and aliases; its options; and, last, where it stands. */
export interface StateFiles {
  vars: string;
  options: string;
  cwd: string;
}

export const stateFiles = (path: string): StateFiles => ({ vars: `${path}.vars`, options: `${path}.options`, cwd: `${path}.cwd` });

export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** How much of bash a shell is. */
export type Dialect = "bash" | "sh";

export interface Opening {
  dialect: Dialect;
  /** Files that take the process into its control groups. */
  groups: readonly string[];
  /** Settings for `ulimit`. */
  limits: readonly string[];
  cookie: string;
  /** Where all is read from, when nothing comes in: a terminal belongs to a person. */
  files?: { preparation: string; command: string };
}

/**
 * The program of a shell that waits for what to do: how to take on a state, the file of the preparations (a shell reads what comes in byte by byte)
 * and the command, each ended by NUL; for sh, which cannot read that, one file of both. One line, so that the command's own lines count from one, and one group, so that all of
 * it is parsed before any alias exists.
 */
export function opening({ dialect, groups, limits, cookie, files }: Opening): string {
  const first = [...groups.map((file) => `echo 0 2>/dev/null >${quote(file)}`), ...limits.map((limit) => `ulimit ${limit} 2>/dev/null`)];
  if (dialect === "sh") return [...first, 'IFS= read -r REPLY || exit 0; exec </dev/null; . "$REPLY"'].join("; ");
  return `{ ${[
    ...first,
    ...(files ? [] : [hear, 'builtin eval "$REPLY"']),
    files ? `REPLY=${quote(files.preparation)}` : hear,
    'IFS= builtin read -r -d "" REPLY <"$REPLY"',
    'builtin eval "$REPLY"',
    files ? `IFS= builtin read -r -d "" REPLY <${quote(files.command)}` : hear,
    ...(files ? [] : ["builtin exec </dev/null"]),
    'builtin eval "builtin unset REPLY; builtin set --; $REPLY"',
    // A command that set a trap of its own for EXIT took ours away; where it did not, ours sees by `$2` that all is done.
    `{ builtin set -- "$?" ${cookie}; builtin eval "$${cookieName}_END"; } 2>/dev/null`,
    'builtin exit "$1"',
  ].join("; ")}; }`;
}

const hear = 'IFS= builtin read -r -d "" REPLY || builtin exit 0';

export interface Preparation {
  cookie: string;
  state: StateFiles;
  cwd: string;
  /** Whether the shell stands in its directory already. */
  moved: boolean;
  env: Readonly<Record<string, string>>;
  into: StateFiles;
}

/** Takes on a state and its directory; can be said before it is known what will be run. */
export const priming = (state: StateFiles, cwd: string): string => `builtin cd -- ${quote(cwd)}; . ${quote(state.vars)} 2>/dev/null; PWD=${quote(cwd)}`;

/** What comes before a command: its directory, its variables, and the promise to write down the state at the end. */
export function preparation({ cookie, cwd, moved, env, into }: Preparation): string {
  const names = Object.keys(env);
  const kept = `${into.vars}.env`;
  const lines = [...(moved ? [] : [`builtin cd -- ${quote(cwd)} || builtin exit 126`]), `RANDOM=$$ SECONDS=0; builtin export ${cookieName}=${quote(cookie)}`];
  if (names.length > 0) lines.push(`builtin declare -p ${names.join(" ")} >${quote(kept)} 2>/dev/null`);
  for (const [name, value] of Object.entries(env)) lines.push(`builtin export ${name}=${quote(value)}`);
  // The variables of one call are not those of the session.
  const undo = names.length > 0 ? `\\builtin unset ${names.join(" ")}; . ${quote(kept)}; ` : "";
  const end = `{ [[ \${2-} == ${cookie} ]] || ${dump(into, undo)}; } 2>/dev/null`;
  lines.push(`builtin trap ${quote(end)} EXIT`, `${cookieName}_END=${quote(dump(into, undo))}`, "builtin unset BASH_EXECUTION_STRING");
  return lines.join("; ");
}

/** The command with the options of the session, which must not hold for anything before it. */
export const withOptions = (state: StateFiles, command: string): string => `. ${quote(state.options)} 2>/dev/null; ${command}`;

/** The state before any command: the environment, and aliases that count. */
export const firstState = (env: Readonly<Record<string, string | undefined>>): string =>
  `shopt -s expand_aliases 2>/dev/null\n${Object.entries(env)
    .flatMap(([name, value]) => (value !== undefined && /^[A-Za-z_]\w*$/.test(name) ? [`export ${name}=${quote(value)}\n`] : []))
    .join("")}`;

/** Writes the state; the directory last, so that its file says that all is there. Prints nothing. */
export function dump(into: StateFiles, before = ""): string {
  return [
    `{ \\builtin set +o >|${quote(into.options)}`,
    "\\builtin set +eEunvxTBC",
    `${before}\\builtin unset ${cookieName} ${cookieName}_END`,
    `{ \\builtin shopt -p; \\builtin declare -p; \\builtin declare -f; \\builtin export -pf; \\builtin alias -p; \\builtin umask -p; } >|${quote(into.vars)}`,
    `\\builtin printf %s "$PWD" >|${quote(into.cwd)}; } 2>/dev/null`,
  ].join("; ");
}

/** The same for sh, which can say its exported variables only: all of it as one file. */
export const plainCommand = ({ cookie, state, cwd, env, into }: Preparation, command: string): string =>
  [
    `cd ${quote(cwd)} || exit 126`,
    `. ${quote(state.vars)} 2>/dev/null`,
    `PWD=${quote(cwd)}; export ${cookieName}=${quote(cookie)}`,
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`),
    `trap ${quote(`{ export -p >${quote(into.vars)}; : >${quote(into.options)}; pwd >${quote(into.cwd)}; } 2>/dev/null`)} EXIT`,
    command,
    "",
  ].join("\n");

/** Every process of a command carries it, whatever it does with its group and its parents. */
export const cookieName = "PITH_RUN";
