import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readRegular } from "../../../git/repository.ts";
import { endMark } from "../script.ts";

/** What a command begins with: what the last finished one left. Its file stays while one may still read it. */
export interface ShellState {
  file: string;
  cwd: string;
  /** Options of `set -o` that a new shell would not have. */
  options: readonly string[];
  hold(): void;
  release(): void;
  /** It is not the newest any more. */
  retire(): void;
  /** Makes it cheaper to take on; nobody waits for that. */
  lighten(): void;
}

export function stateOf(facts: Pick<ShellState, "file" | "cwd" | "options">): ShellState {
  let users = 0;
  let retired = false;
  let light = false;
  const clean = () => {
    if (retired && users === 0) rmSync(facts.file, { force: true });
  };
  return {
    ...facts,
    hold: () => void users++,
    release() {
      users--;
      clean();
    },
    retire() {
      retired = true;
      clean();
    },
    lighten() {
      if (!light) lighten(facts.file);
      light = true;
    },
  };
}

/** A shell that reads its own variables from a file is told of each that it must not set them, which takes a while. */
function lighten(file: string): void {
  const next = `${file}.light`;
  try {
    const all = read(file);
    if (all.length > mostLightened) return;
    const text = all.toString("latin1");
    const rest = withoutOwn(text);
    if (rest === text) return;
    writeFileSync(next, rest, { encoding: "latin1", mode: 0o600 });
    renameSync(next, file);
  } catch {
    // It is right as it was.
    rmSync(next, { force: true });
  }
}

/** Only as far as every variable stands on a line of its own: what looks like one may be part of a value. */
export function withoutOwn(text: string): string {
  const line = new RegExp(whole);
  let kept = "";
  let at = 0;
  for (let found = line.exec(text); found; found = line.exec(text)) {
    at = line.lastIndex;
    if (!everyShells.test(found[0])) kept += found[0];
  }
  return kept + text.slice(at);
}

/** What a shell wrote into the file of a state, if all of it is there. */
export function writtenState(file: string, cookie: string): Pick<ShellState, "options" | "cwd"> | undefined {
  try {
    const all = read(file);
    const mark = endMark(cookie);
    const at = all.lastIndexOf(mark);
    const [options = "", ...lines] = at === -1 ? [] : all.toString("utf8", at + mark.length).split("\n");
    const cwd = lines.join("\n").slice(0, -1);
    // Whoever wrote it: what goes into the next command is a directory and the names of options, and nothing else.
    if (!cwd.startsWith("/") || cwd.includes("\0") || !/^[a-z:-]*$/.test(options)) return undefined;
    return { options: options.split(":").filter((option) => option !== "" && !usual.has(option)), cwd };
  } catch {
    // It was never written.
    return undefined;
  }
}

/** Takes exported variables out of a state, as `declare -p` writes them; their values may have several lines. */
export function hideExports(file: string, hides: (name: string, value: string) => boolean): void {
  const all = readFileSync(file, "latin1");
  const rest = all.replace(declared, (line, name: string, value: string) =>
    hides(name, Buffer.from(value.replace(/\\([$"`\\\n])/g, "$1"), "latin1").toString("utf8")) ? "" : line,
  );
  if (rest !== all) writeFileSync(file, rest, { encoding: "latin1", mode: 0o600 });
}

const declared = /^declare -\w*x\w* (\w+)="((?:[^"\\]|\\[\s\S])*)"\n/gm;

/** Whether a command has left another state than it began with; what every shell has of its own does not count. */
export function differs(before: ShellState, left: Pick<ShellState, "file" | "options" | "cwd">): boolean {
  const [one, other] = [linesOf(before.file), linesOf(left.file)];
  return (
    before.cwd !== left.cwd ||
    before.options.join() !== left.options.join() ||
    one.size !== other.size ||
    [...one].some((line) => !other.has(line))
  );
}

/** The exported variables that are not what they were. */
export function changedExports(before: ShellState, now: ShellState): string[] {
  const [first, last] = [exportsIn(before.file), exportsIn(now.file)];
  return [...new Set([...first.keys(), ...last.keys()])].filter((name) => first.get(name) !== last.get(name)).sort();
}

/** The same for two states as `stateText` tells them. */
export function sameState(one: string, other: string): boolean {
  const [first, second] = [linesIn(one), linesIn(other)];
  return first.size === second.size && [...first].every((line) => second.has(line));
}

const linesOf = (file: string): Set<string> => linesIn(textOf(file));

const linesIn = (text: string): Set<string> =>
  new Set(
    text
      .split("\n")
      .filter((line) => !ownOf.test(line))
      .map((line) => line.replace(atLogin, "")),
  );

const exportsIn = (file: string): Map<string, string> =>
  new Map(
    [...textOf(file).matchAll(exported)].flatMap(([, name = "", value = ""]) =>
      aside.has(name) ? [] : [[name, value] as const],
    ),
  );

/** What a shell reads of a state, with the options that are set for every command. */
export const stateText = ({ file, options }: ShellState): string =>
  `${textOf(file, "utf8")}\n${options.map((option) => `\\builtin set -o ${option}\n`).join("")}`;

function textOf(file: string, as: "latin1" | "utf8" = "latin1"): string {
  try {
    const [text = ""] = read(file).toString(as).split("\n\\builtin return 0 #", 1);
    return text;
  } catch {
    return "";
  }
}

/** A command may have put anything in the place of its file: a pipe, a link, an endless one. */
const read = (file: string): Buffer => readRegular(file, { maxBytes: mostBytes, links: "refuse" }) ?? Buffer.alloc(0);
const mostBytes = 16 * 1024 * 1024;

/** As a shell writes them, and as we do for the first one where there is nothing else. */
const exported = /^(?:declare -\w*x\w*|export) (\w+)(?:=["']?(.*?)["']?)?$/gm;
const aside = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);
const ownOf =
  /^declare -\S+ (?:_|(?:OLD)?PWD|BASH\w*|SHELLOPTS|COMP_WORDBREAKS|DIRSTACK|EPOCH\w+|GROUPS|HISTCMD|LINENO|S?RANDOM|SECONDS|PIPESTATUS|FUNCNAME)\b/;
/** One variable, or what stands before all of them. */
const whole =
  /(?:\[\[ .*|declare -\S+ \w+(?:=(?:"(?:[^"\\\n]|\\.)*"|\$'(?:[^'\\\n]|\\.)*'|\((?:\[\w+\]="(?:[^"\\\n]|\\.)*" ?)*\)))?)\n/y;
/** Nothing that a command makes of them reaches the next one, and whoever compares states passes over them. */
const everyShells =
  /^declare -[-air]+ (?:_|BASHOPTS|BASHPID|BASH_(?:ARG[CV]0?|COMMAND|LINENO|SOURCE|SUBSHELL|VERSINFO)|EPOCH(?:REALTIME|SECONDS)|FUNCNAME|GROUPS|HISTCMD|LINENO|PIPESTATUS|S?RANDOM|SECONDS|SHELLOPTS)(?:=|$)/m;
const mostLightened = 64 * 1024;
const atLogin = /[: ]login_shell\b/g;
const usual = new Set(["braceexpand", "hashall", "interactive-comments"]);
