import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { succeeds, tryOr } from "@pith/kit";
import { readRegular } from "../../../git/repository.ts";
import { endMark } from "../script.ts";

/** The state that a command begins with. Its file stays while a command may still read it. */
export interface ShellState {
  file: string;
  cwd: string;
  /** Options of `set -o` that a new shell would not have. */
  options: readonly string[];
  hold(): void;
  release(): void;
  /** Says that another state is the newest now. */
  retire(): void;
  /** Makes the file cheaper to load; nobody waits for that. */
  lighten(): void;
}

export function stateOf(facts: Pick<ShellState, "file" | "cwd" | "options">): ShellState {
  let users = 0;
  let isRetired = false;
  let isLight = false;
  const clean = () => {
    if (isRetired && users === 0) rmSync(facts.file, { force: true });
  };
  return {
    ...facts,
    hold: () => void users++,
    release() {
      users--;
      clean();
    },
    retire() {
      isRetired = true;
      clean();
    },
    lighten() {
      if (!isLight) lighten(facts.file);
      isLight = true;
    },
  };
}

/** Removes a shell's own variables from a state: a shell that loads them complains about each, which takes a while. */
function lighten(file: string): void {
  const next = `${file}.light`;
  const isDone = succeeds(() => {
    const all = read(file);
    const text = all.length > mostLightened ? "" : all.toString("latin1");
    const rest = withoutOwn(text);
    if (rest === text) return;
    writeFileSync(next, rest, { encoding: "latin1", mode: 0o600 });
    renameSync(next, file);
  });
  // The state is right as it was.
  if (!isDone) rmSync(next, { force: true });
}

/** Stops where a variable does not stand on a line of its own: a line that looks like one may be part of a value. */
export function withoutOwn(text: string): string {
  const lines = [...text.matchAll(wholeVariable)].map(([line]) => line);
  const rest = text.slice(lines.join("").length);
  return lines.filter((line) => !everyShells.test(line)).join("") + rest;
}

/** Reads a state that a shell has written; undefined if it is not complete. */
export function writtenState(file: string, cookie: string): Pick<ShellState, "options" | "cwd"> | undefined {
  const all = tryOr(() => read(file));
  const mark = endMark(cookie);
  const at = all?.lastIndexOf(mark) ?? -1;
  if (!all || at === -1) return undefined;
  const [options = "", ...lines] = all.toString("utf8", at + mark.length).split("\n");
  const cwd = lines.join("\n").slice(0, -1);
  // Anybody may have written it: only a directory and names of options go into the next command.
  if (!cwd.startsWith("/") || cwd.includes("\0") || !/^[a-z:-]*$/.test(options)) return undefined;
  return { options: options.split(":").filter((option) => option !== "" && !usual.has(option)), cwd };
}

/** Removes exported variables from a state, as `declare -p` writes them; their values may have several lines. */
export function hideExports(file: string, hides: (name: string, value: string) => boolean): void {
  const all = readFileSync(file, "latin1");
  const rest = all.replace(declared, (line, name: string, value: string) =>
    hides(name, Buffer.from(value.replace(/\\([$"`\\\n])/g, "$1"), "latin1").toString("utf8")) ? "" : line,
  );
  if (rest !== all) writeFileSync(file, rest, { encoding: "latin1", mode: 0o600 });
}

const declared = /^declare -\w*x\w* (\w+)="((?:[^"\\]|\\[\s\S])*)"\n/gm;

/** True if a command has left another state than it began with; variables that every shell has do not count. */
export function differs(before: ShellState, left: Pick<ShellState, "file" | "cwd">): boolean {
  return before.cwd !== left.cwd || !sameState(textOf(before.file), textOf(left.file));
}

/** The exported variables that are not what they were. */
export function changedExports(before: ShellState, now: ShellState): string[] {
  const [first, last] = [exportsIn(before.file), exportsIn(now.file)];
  return [...new Set([...first.keys(), ...last.keys()])].filter((name) => first.get(name) !== last.get(name)).sort();
}

/** True if two texts of states have the same lines; variables that every shell has do not count. */
export const sameState = (one: string, other: string): boolean =>
  linesIn(one).symmetricDifference(linesIn(other)).size === 0;

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

/** The text that a shell loads as a state, with the options that are set for every command. */
export const stateText = ({ file, options }: ShellState): string =>
  `${textOf(file, "utf8")}\n${options.map((option) => `\\builtin set -o ${option}\n`).join("")}`;

const textOf = (file: string, as: "latin1" | "utf8" = "latin1"): string =>
  tryOr(() => read(file).toString(as), "").split("\n\\builtin return 0 #", 1)[0] ?? "";

/** A command may have put anything in the place of its file: a pipe, a link, an endless one. */
const read = (file: string): Buffer => readRegular(file, { maxBytes: mostBytes, links: "refuse" }) ?? Buffer.alloc(0);
const mostBytes = 16 * 1024 * 1024;

/** An exported variable, as a shell writes it or we do for the first state. */
const exported = /^(?:declare -\w*x\w*|export) (\w+)(?:=["']?(.*?)["']?)?$/gm;
const aside = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);
const ownOf =
  /^declare -\S+ (?:_|(?:OLD)?PWD|BASH\w*|SHELLOPTS|COMP_WORDBREAKS|DIRSTACK|EPOCH\w+|GROUPS|HISTCMD|LINENO|S?RANDOM|SECONDS|PIPESTATUS|FUNCNAME)\b/;
/** A variable, or a line before all of them. */
const wholeVariable =
  /(?:\[\[ .*|\\builtin shopt .*|declare -\S+ \w+(?:=(?:"(?:[^"\\\n]|\\.)*"|\$'(?:[^'\\\n]|\\.)*'|\((?:\[\w+\]="(?:[^"\\\n]|\\.)*" ?)*\)))?)\n/gy;
/** Variables that every shell sets itself: changes do not reach the next command, and do not count as such. */
const everyShells =
  /^declare -[-air]+ (?:_|BASHOPTS|BASHPID|BASH_(?:ARG[CV]0?|COMMAND|LINENO|SOURCE|SUBSHELL|VERSINFO)|EPOCH(?:REALTIME|SECONDS)|FUNCNAME|GROUPS|HISTCMD|LINENO|PIPESTATUS|S?RANDOM|SECONDS|SHELLOPTS)(?:=|$)/m;
const mostLightened = 64 * 1024;
const atLogin = /[: ]login_shell\b/g;
const usual = new Set(["braceexpand", "hashall", "interactive-comments"]);
