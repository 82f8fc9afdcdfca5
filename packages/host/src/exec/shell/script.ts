import { basename } from "node:path";
import { shellQuote } from "@pith/kit";

/** How much of bash a shell is. */
export type ShellDialect = "bash" | "sh";

/** Every process of a command carries it, whatever it does with its group and its parents. */
export const cookieName = "PITH_RUN";

export interface BootstrapOptions {
  dialect: ShellDialect;
  /** Files that take the process into its control groups. */
  groups: readonly string[];
  /** Settings for `ulimit`. */
  limits: readonly string[];
  /** A file to read before anything else. */
  check?: string | undefined;
  /** Where the files of the session are. */
  folder: string;
  passage: CommandFiles;
  /** Where it begins; where that is not known yet, it is told later. */
  from?: StateAt | undefined;
}

/** What of a session a shell begins with. */
export interface StateAt {
  /** The file of the state to take on. */
  file: string;
  cwd: string;
}

/** What a command is known by, and where it leaves what the next one begins with. */
export interface CommandFiles {
  cookie: string;
  /** The file for the state at the end. */
  stateFile: string;
  /** The file of the last preparations and the command: a shell reads a pipe byte by byte. */
  scriptFile: string;
}

/**
 * The program of a shell that waits for what to do. It hears what state to take on and where that stands, then that its
 * orders are written, each ended by a NUL. One line, so that the command's own lines count from one, and one group, so
 * that all of it is parsed before any alias exists.
 */
export function bootstrapScript({ dialect, groups, limits, check, folder, passage, from }: BootstrapOptions): string {
  const { cookie, scriptFile: orders } = passage;
  const first = [
    ...(check === undefined ? [] : [`builtin . ${shellQuote(check)} || builtin exit 125`]),
    ...groups.map((file) => `echo 0 2>/dev/null >${shellQuote(file)}`),
    ...limits.map((limit) => `ulimit ${limit} 2>/dev/null`),
  ];
  if (dialect === "sh")
    return [...first, `IFS= read -r REPLY || exit 0; exec </dev/null; . ${shellQuote(orders)}`].join("; ");
  const standing = from
    ? [`builtin set -- ${shellQuote(basename(from.file))} ${shellQuote(from.cwd)}`]
    : [hear, 'builtin set -- "$REPLY"', hear, 'builtin set -- "$1" "$REPLY"'];
  return `{ ${[
    ...first,
    ...standing,
    `builtin cd -- "$2" 2>/dev/null; builtin . ${shellQuote(`${folder}/`)}"$1" 2>/dev/null`,
    `PWD=$2 RANDOM=$$; builtin export ${cookieName}=${cookie}`,
    ...(from ? [] : [hear]),
    `builtin . ${shellQuote(orders)}`,
    // Not `exec </dev/null`: a user may have a function of that name.
    `builtin eval "$BASH_EXECUTION_STRING"${from ? "" : " </dev/null"}`,
    // A command that set a trap of its own for EXIT took ours away; where it did not, ours sees by `$2` that all is
    // done.
    `{ builtin set -- "$?" ${cookie}; builtin trap - DEBUG; builtin eval "$${cookieName}_END"; } >/dev/null 2>&1`,
    'builtin exit "$1"',
  ].join("; ")}; }`;
}

const hear = 'IFS= builtin read -r -d "" REPLY || builtin exit 0';

/** The promise to write down what becomes of the state, whatever ends the command. */
const atExit = (cookie: string): string =>
  `{ [[ \${2-} == ${cookie} ]] || \\builtin eval "$${cookieName}_END"; } >/dev/null 2>&1`;

/** What a shell hears that is to take on a state. */
export const stateMessage = ({ file, cwd }: StateAt): string => `${basename(file)}\0${cwd}\0`;

export interface CommandScript {
  command: string;
  /** Where it runs. */
  cwd: string;
  /** Whether the shell should stand there already, as its session does. */
  from: "there" | "elsewhere";
  env: Readonly<Record<string, string>>;
  /** The options of the session. */
  options: readonly string[];
  /** How the command before ended. */
  status: number;
  passage: Pick<CommandFiles, "cookie" | "stateFile">;
  /** What becomes of the state: it is written down, unless that is known to be as it was. */
  leaves: "state" | "nothing";
}

/** The last preparations, and the command. Aliases exist by now. */
export function commandScript({ command, cwd, from, env, options, status, passage, leaves }: CommandScript): string {
  const { cookie, stateFile: into } = passage;
  const names = Object.keys(env);
  const kept = savedEnvFile(into);
  const ownTrap = setsExitTrap(command);
  const lines: string[] = [];
  // The variables of one call are not those of the session.
  const undo = names.length > 0 ? `\\builtin unset ${names.join(" ")}; \\builtin . ${shellQuote(kept)}; ` : "";
  // Not part of the opening: most commands leave nothing, and every shell would have to read it.
  // What traces commands must not trace the end of them, which is ours.
  if (leaves === "nothing")
    lines.push(`${cookieName}_END=${options.length > 0 ? shellQuote("\\builtin set +vx") : ""}`);
  else {
    if (undo !== "") lines.push(`\\builtin declare -p ${names.join(" ")} >${shellQuote(kept)} 2>/dev/null`);
    const end = dumpScript(into, cookie, `${undo}${ownTrap ? forgetKeeper : ""}`);
    lines.push(`${cookieName}_END=${shellQuote(end)}`, `\\builtin trap ${shellQuote(atExit(cookie))} EXIT`);
  }
  // A directory that went, or went and came again, is not where the shell stands: it must not run anywhere else.
  const stands = from === "there" ? `[[ . -ef ${shellQuote(cwd)} ]] || ` : "";
  const refusal = complain(`cd: ${cwd}: not allowed or gone`);
  lines.push(`${stands}\\builtin cd -- ${shellQuote(cwd)} 2>/dev/null || { ${refusal}; \\builtin exit 126; }`);
  for (const [name, value] of Object.entries(env))
    lines.push(
      `\\builtin export ${name}=${shellQuote(value)} 2>/dev/null || ${complain(`${name}: readonly variable`)}`,
    );
  if (ownTrap) lines.push(trapKeeper);
  // They must not hold for anything of ours, so they are part of the command. A failure before `&&` ends no shell.
  const setting = options.length > 0 ? `\\builtin set -o ${options.join(" -o ")}` : "";
  const set =
    setting === "" ? "" : status === 0 ? `${setting}; ` : `{ ${setting}; (exit ${status}) && :; } 2>/dev/null; `;
  lines.push(
    `BASH_EXECUTION_STRING=${shellQuote(`${set}${command}`)} SECONDS=0`,
    "\\builtin unset REPLY",
    "\\builtin set --",
    `\\builtin return ${status}`,
  );
  return `${lines.join("\n")}\n`;
}

/** Where the variables are that a call has replaced for its time. */
export const savedEnvFile = (into: string): string => `${into}.env`;

/** As bash itself would say it; left to bash it would name our file. */
const complain = (text: string): string => `\\builtin printf '%s\\n' ${shellQuote(`bash: ${text}`)} >&2`;

const setsExitTrap = (command: string): boolean =>
  /\btrap\b/.test(command) && /\b(?:EXIT|0)\b/.test(command) && !/\b(?:RETURN|DEBUG)\b/.test(command);

/**
 * For a command that traps its own end: what it leaves is written down before its trap runs, in a shell below, so that
 * the trap finds all as it was.
 * Both branches are the same, for in them `$?` is what it was and `set -e` does not end the trap.
 */
const trapKeeper = `\\builtin declare -F trap >/dev/null || trap() {
\\builtin trap "$@" || \\builtin return
\\builtin eval "\\builtin set -- $(\\builtin trap -p EXIT)"
[[ \${3-} != *${cookieName}_END* ]] || \\builtin return 0
\\builtin printf -v ${cookieName}_TRAP %q "\${3-}"
\\builtin trap "if ( \\builtin set -- \\"\\$?\\"; \\builtin eval \\"\\$${cookieName}_END\\"; \
\\builtin exit \\"\\$1\\" ) >/dev/null 2>&1; \
then \\builtin eval $${cookieName}_TRAP; else \\builtin eval $${cookieName}_TRAP; fi" EXIT
\\builtin unset ${cookieName}_TRAP
}`;

const forgetKeeper = `[[ $(\\builtin declare -f trap) != *${cookieName}_END* ]] || \\builtin unset -f trap; `;

/**
 * Writes the state, one file that another shell reads. It ends with what only we read, so that we see that all of it
 * is there. Prints nothing. A limit on files that the command has set is not the end of it: what cannot be written then
 * is not believed.
 */
export function dumpScript(into: string, cookie: string, before = ""): string {
  return [
    `\\builtin set -- "\${1-}" "\${2-}" "$SHELLOPTS"`,
    "\\builtin set +eEunvxTBC; \\builtin trap '' XFSZ",
    `${before}\\builtin unset ${cookieName} ${cookieName}_END BASH_EXECUTION_STRING`,
    `{ ${shopts}; \\builtin declare -p; \\builtin declare -f; \\builtin export -pf; \\builtin alias -p; \\builtin umask -p`,
    `${cookieName}=\${#DIRSTACK[@]}; while ((--${cookieName} > 0)); do \\builtin printf '\\\\builtin pushd -n -- %q >/dev/null\\n' "\${DIRSTACK[${cookieName}]}"; done`,
    `\\builtin printf '\\\\builtin return 0 #%s\\n%s\\n' ${cookie} "$3"; \\builtin pwd; } >|${shellQuote(into)} 2>/dev/null`,
  ].join("; ");
}

/** Told by what is on, for that is one comparison where nothing was changed; before bash 4.1 by all of them. */
const shopts = `if [[ \${BASHOPTS-} ]]; then \\builtin printf \
'[[ $BASHOPTS == %s ]] || { \\\\builtin shopt -u \${BASHOPTS//:/ }; \\\\builtin shopt -s %s; }\\n' \
"$BASHOPTS" "\${BASHOPTS//:/ }"; else \\builtin shopt -p; fi`;

/** The end of a state that is whole, behind everything that a shell reads of it. */
export const endMark = (cookie: string): string => ` #${cookie}\n`;

/** The state before any command: the environment, and aliases that count. */
export const initialState = (env: Readonly<Record<string, string | undefined>>): string =>
  `shopt -s expand_aliases 2>/dev/null\n${Object.entries(env)
    .flatMap(([name, value]) => (value !== undefined && isName(name) ? [`export ${name}=${shellQuote(value)}\n`] : []))
    .join("")}`;

/** The state of a shell that reads no files of its user and has neither functions nor aliases. */
export const plainState = (env: Readonly<Record<string, string | undefined>>): string =>
  initialState(Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:BASH_\w+|ENV|\w+OPTS)$/.test(name))))
    .split("\n")
    .slice(1)
    .join("\n");

/** Whether a shell can have a variable of this name. */
export const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** All of it for sh, which can say its exported variables only. */
export const shCommandScript = (
  { cookie, stateFile: into }: CommandFiles,
  { file, cwd }: StateAt,
  env: Readonly<Record<string, string>>,
  command: string,
): string => {
  const names = Object.keys(env);
  const forget = names.length > 0 ? `unset ${names.join(" ")}; ` : "";
  const end = `${forget}{ export -p; printf '%s\\n\\n' 'return 0 #${cookie}'; pwd; } >${shellQuote(into)} 2>/dev/null`;
  return [
    `cd ${shellQuote(cwd)} || exit 126`,
    `. ${shellQuote(file)} 2>/dev/null`,
    `PWD=${shellQuote(cwd)}; export ${cookieName}=${shellQuote(cookie)}`,
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellQuote(value)}`),
    `trap ${shellQuote(end)} EXIT`,
    command,
    "",
  ].join("\n");
};
