import { basename } from "node:path";
import { shellQuote } from "@pith/kit";

export type ShellDialect = "bash" | "sh";

/** The variable in the environment of every process of a command, whatever its group and its parents. */
export const cookieName = "PITH_RUN";

export interface BootstrapOptions {
  dialect: ShellDialect;
  /** Files by which the process joins its control groups. */
  groups: readonly string[];
  /** Arguments for `ulimit`. */
  limits: readonly string[];
  /** A file to read before anything else. */
  check?: string | undefined;
  /** The directory of the states. */
  folder: string;
  files: CommandFiles;
  /** The state to load; a message tells it where it is not known yet. */
  from?: StateAt | undefined;
}

/** The state that a shell begins with. */
export interface StateAt {
  file: string;
  cwd: string;
}

export interface CommandFiles {
  /** The value by which the processes of the command are known. */
  cookie: string;
  /** The file for the state at the end. */
  stateFile: string;
  /** The file of the last preparations and the command: a shell reads a pipe byte by byte. */
  scriptFile: string;
}

/**
 * The program of a shell that waits for a command. It reads messages, each ended by a NUL: the state to load and its
 * directory, then that the command's script is written. One line, so that the command's own lines count from one, and
 * one group, so that all of it is parsed before any alias exists.
 */
export function bootstrapScript({ dialect, groups, limits, check, folder, files, from }: BootstrapOptions): string {
  const { cookie, scriptFile } = files;
  const first = [
    ...(check === undefined ? [] : [`builtin . ${shellQuote(check)} || builtin exit 125`]),
    ...groups.map((file) => `echo 0 2>/dev/null >${shellQuote(file)}`),
    ...limits.map((limit) => `ulimit ${limit} 2>/dev/null`),
  ];
  if (dialect === "sh")
    return [...first, `IFS= read -r REPLY || exit 0; exec </dev/null; . ${shellQuote(scriptFile)}`].join("; ");
  const state = from
    ? [`builtin set -- ${shellQuote(basename(from.file))} ${shellQuote(from.cwd)}`]
    : [readMessage, 'builtin set -- "$REPLY"', readMessage, 'builtin set -- "$1" "$REPLY"'];
  return `{ ${[
    ...first,
    ...state,
    `builtin cd -- "$2" 2>/dev/null; builtin . ${shellQuote(`${folder}/`)}"$1" 2>/dev/null`,
    `PWD=$2 RANDOM=$$; builtin export ${cookieName}=${cookie}`,
    ...(from ? [] : [readMessage]),
    `builtin . ${shellQuote(scriptFile)}`,
    // Not `exec </dev/null`: a user may have a function of that name.
    `builtin eval "$BASH_EXECUTION_STRING"${from ? "" : " </dev/null"}`,
    // A command that set a trap of its own for EXIT took ours away; ours sees by `$2` that all is done.
    `{ builtin set -- "$?" ${cookie}; builtin trap - DEBUG; builtin eval "$${cookieName}_END"; } >/dev/null 2>&1`,
    'builtin exit "$1"',
  ].join("; ")}; }`;
}

const readMessage = 'IFS= builtin read -r -d "" REPLY || builtin exit 0';

/** A trap that writes the state down, whatever ends the command. */
const atExit = (cookie: string): string =>
  `{ [[ \${2-} == ${cookie} ]] || \\builtin eval "$${cookieName}_END"; } >/dev/null 2>&1`;

/** The message that tells a shell the state to load. */
export const stateMessage = ({ file, cwd }: StateAt): string => `${basename(file)}\0${cwd}\0`;

export interface CommandScript {
  command: string;
  cwd: string;
  /** `there` if the shell should be in that directory already, as its session is. */
  from: "there" | "elsewhere";
  env: Readonly<Record<string, string>>;
  /** The options of the session. */
  options: readonly string[];
  /** The exit code of the command before. */
  status: number;
  files: Pick<CommandFiles, "cookie" | "stateFile">;
  /** `nothing` if the command is known not to change the state, which is not written down then. */
  leaves: "state" | "nothing";
}

/** The last preparations, and the command. Aliases exist by now. */
export function commandScript({ command, cwd, from, env, options, status, files, leaves }: CommandScript): string {
  const { cookie, stateFile } = files;
  const names = Object.keys(env);
  const saved = shellQuote(savedEnvFile(stateFile));
  const ownTrap = setsExitTrap(command);
  const lines: string[] = [];
  // The variables of one call are not those of the session.
  const undo = names.length > 0 ? `\\builtin unset ${names.join(" ")}; \\builtin . ${saved}; ` : "";
  // Not part of the bootstrap: most commands leave nothing, and every shell would have to read it. Tracing is switched
  // off for the end of a command, which is ours.
  if (leaves === "nothing")
    lines.push(`${cookieName}_END=${options.length > 0 ? shellQuote("\\builtin set +vx") : ""}`);
  else {
    if (undo !== "") lines.push(`\\builtin declare -p ${names.join(" ")} >${saved} 2>/dev/null`);
    // The options of `shopt` that the command begins with are those that the next one begins with.
    const end = dumpScript(stateFile, cookie, `${undo}${ownTrap ? forgetKeeper : ""}`, "'\0'").split("\0");
    const whole = end.map(shellQuote).join(shoptsNow);
    lines.push(`${cookieName}_END=${whole}`, `\\builtin trap ${shellQuote(atExit(cookie))} EXIT`);
  }
  // The directory may have been removed, or removed and made again: the command must not run anywhere else.
  const stands = from === "there" ? `[[ . -ef ${shellQuote(cwd)} ]] || ` : "";
  const refusal = complain(`cd: ${cwd}: not allowed or gone`);
  lines.push(`${stands}\\builtin cd -- ${shellQuote(cwd)} 2>/dev/null || { ${refusal}; \\builtin exit 126; }`);
  for (const [name, value] of Object.entries(env))
    lines.push(
      `\\builtin export ${name}=${shellQuote(value)} 2>/dev/null || ${complain(`${name}: readonly variable`)}`,
    );
  if (ownTrap) lines.push(trapKeeper);
  // Options must not hold for anything of ours, so they are part of the command. A failure before `&&` ends no shell.
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

/** The file of the variables that a call has replaced for its time. */
export const savedEnvFile = (stateFile: string): string => `${stateFile}.env`;

/** Complains as bash itself would, which would name our file. */
const complain = (text: string): string => `\\builtin printf '%s\\n' ${shellQuote(`bash: ${text}`)} >&2`;

const setsExitTrap = (command: string): boolean =>
  /\btrap\b/.test(command) && /\b(?:EXIT|0)\b/.test(command) && !/\b(?:RETURN|DEBUG)\b/.test(command);

/**
 * Writes the state before the trap of a command that traps its own end, in a subshell, so that the trap finds all as it
 * was. Both branches are the same: in them `$?` is what it was and `set -e` does not end the trap.
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
 * Writes the state into a file that another shell reads; its end is for us only and shows that all of it is there.
 * Prints nothing. A limit on files that the command has set does not end it: an incomplete state is not used. `shopts`
 * is a word for the options of `shopt` that the state is to have.
 */
export function dumpScript(stateFile: string, cookie: string, before = "", shopts = shoptsNow): string {
  return [
    `\\builtin set -- "\${1-}" "\${2-}" "$SHELLOPTS" ${shopts}`,
    "\\builtin set +eEunvxTBC; \\builtin trap '' XFSZ",
    `${before}\\builtin unset ${cookieName} ${cookieName}_END BASH_EXECUTION_STRING`,
    `{ \\builtin printf '\\\\builtin shopt -s extglob\\n'; \\builtin declare -p; \\builtin declare -f; \\builtin export -pf; \\builtin alias -p; \\builtin umask -p`,
    `${cookieName}=\${#DIRSTACK[@]}; while ((--${cookieName} > 0)); do \\builtin printf '\\\\builtin pushd -n -- %q >/dev/null\\n' "\${DIRSTACK[${cookieName}]}"; done`,
    setShopts,
    `\\builtin printf '\\\\builtin return 0 #%s\\n%s\\n' ${cookie} "$3"; \\builtin pwd; } >|${shellQuote(stateFile)} 2>/dev/null`,
  ].join("; ");
}

/** The options of `shopt` that are on; before bash 4.1 the commands that set them. */
const shoptsNow = `"\${BASHOPTS-$(\\builtin shopt -p)}"`;

/** Prints what sets the options in `$4`, behind the functions: these are only read with patterns of all sorts. */
const setShopts = `case $4 in *\\ *) \\builtin printf '%s\\n' "$4";; *) \\builtin printf \
'[[ $BASHOPTS == %s ]] || { \\\\builtin shopt -u \${BASHOPTS//:/ }; \\\\builtin shopt -s %s; }\\n' \
"$4" "\${4//:/ }";; esac`;

/** The end of a complete state, behind everything that a shell reads of it. */
export const endMark = (cookie: string): string => ` #${cookie}\n`;

/** The state before any command: the environment, with aliases switched on. */
export const initialState = (env: Readonly<Record<string, string | undefined>>): string =>
  `shopt -s expand_aliases 2>/dev/null\n${Object.entries(env)
    .flatMap(([name, value]) => (value !== undefined && isName(name) ? [`export ${name}=${shellQuote(value)}\n`] : []))
    .join("")}`;

/**
 * The state of a shell that reads no files of its user and has neither functions nor aliases. Its commands name
 * programs by their paths; what scripts among those search for is the system's.
 */
export const plainState = (env: Readonly<Record<string, string | undefined>>): string =>
  initialState(Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:BASH_\w+|ENV|\w+OPTS)$/.test(name))))
    .split("\n")
    .slice(1)
    .concat("export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "")
    .join("\n");

/** True if a shell can have a variable of this name. */
export const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** The script of a command for sh, whose state is its exported variables only. */
export const shCommandScript = (
  { cookie, stateFile }: CommandFiles,
  { file, cwd }: StateAt,
  env: Readonly<Record<string, string>>,
  command: string,
): string => {
  const names = Object.keys(env);
  const forget = names.length > 0 ? `unset ${names.join(" ")}; ` : "";
  const dump = `export -p; printf '%s\\n\\n' 'return 0 #${cookie}'; pwd`;
  const end = `${forget}{ ${dump}; } >${shellQuote(stateFile)} 2>/dev/null`;
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
