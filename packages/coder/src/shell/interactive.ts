import { basename } from "node:path";
import { commandsIn, type ScriptCommand } from "../bash/commands.ts";
import { parse } from "../bash/parse.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** True for a program that is of use only to somebody who sees it and types at it. */
export function isInteractive(command: string): boolean {
  const read = parse(command);
  if (!read.ok) return false;
  // What goes into a pipe is read by the next one, not by a person.
  return read.value.items.some(({ pipeline, behind }) => {
    const last = pipeline.commands.at(-1);
    if (behind === "&" || last === undefined) return false;
    return commandsIn({ ...read.value, items: [{ pipeline: { ...pipeline, commands: [last] }, behind }] }).some(
      needsEyes,
    );
  });
}

/** A program of a command that waits for somebody who types, and what does the same without. */
export function waitsForPerson(command: string): { program: string; instead: string } | undefined {
  const read = parse(command);
  // Who names an editor for git has one that needs nobody.
  if (!read.ok || /\bGIT_(?:SEQUENCE_)?EDITOR\b|\.editor=/i.test(command)) return undefined;
  for (const { pipeline, behind } of read.value.items) {
    if (behind === "&" || pipeline.commands.length > 1) continue;
    const found = commandsIn({ ...read.value, items: [{ pipeline, behind }] }).map(programOf);
    for (const { name, of } of found.filter((one) => one !== undefined))
      if (of.instead !== undefined) return { program: name, instead: of.instead };
  }
  return undefined;
}

const needsEyes = (command: ScriptCommand): boolean => programOf(command) !== undefined;

function programOf({ words, redirects, within }: ScriptCommand): { name: string; of: Interactive } | undefined {
  if (within !== "line" || redirects.length > 0) return undefined;
  // A word that is not known before it runs is there all the same.
  const known = words.map((word) => word ?? "$");
  const from = known.findIndex((word, at) => !runners.test(word) && !(at > 0 && /^-|^\w+=/.test(word)));
  const [program = "", ...given] = from < 0 ? [] : known.slice(from);
  const name = basename(program);
  const line = ` ${given.join(" ")} `;
  const of = programs.find(
    ({ names, unless, when }) => names.test(name) && !unless?.test(line) && (when?.test(line) ?? true),
  );
  return of && { name, of };
}

/** Programs that only run another one. */
const runners = /^(?:sudo|doas|env|command|exec|nice|time)$/;

interface Interactive {
  names: RegExp;
  unless?: RegExp;
  when?: RegExp;
  /** A way to do the same without a person; absent for a program that ends by itself without one. */
  instead?: string;
}

const programs: readonly Interactive[] = [
  {
    names: /^(?:vi|vim|nvim|view|vimdiff|nano|pico|emacs|micro|hx|helix|joe|jed|mcedit|visudo|sudoedit|ed)$/,
    unless: / (?:--version|--help|-es|-s|--batch) /,
    instead: "change files with `edit`",
  },
  { names: /^(?:less|more|most)$/, unless: / --(?:version|help) /, instead: "look at files with `read`" },
  { names: /^(?:man|info)$/, unless: / --(?:version|help) / },
  {
    names: /^(?:top|htop|btop|atop|nmon|iotop|watch|ncdu|mc|ranger|lf|nnn|yazi|fzf|tig|lazygit|gitui|lazydocker|k9s)$/,
    unless: / -\w*b\w* | --(?:version|help) /,
    instead: "ask once, as with `ps aux` or `top -bn1`",
  },
  { names: /^(?:ssh|mosh|telnet|sftp|ftp)$/, unless: / -\w*[TNfVG]\w* / },
  {
    names: /^(?:tmux|screen|su|passwd|gdb|lldb)$/,
    unless: / (?:-V|--version|--batch|-batch|-b|-c|ls|list-\S*|-ls|capture-pane|send-keys|display\S*) /,
  },
  {
    names: /^(?:python[\d.]*|ipython|node|bun|deno|irb|lua|ghci|R|julia|bash|sh|zsh|fish|dash|ksh|bc)$/,
    when: /^ {2}$/,
    instead: "give it a script, by `-c` or `-e`, a file or `<<'EOF'`",
  },
  { names: /^(?:psql|mysql|mariadb|sqlite3|redis-cli|mongosh)$/, when: /^ (?:[^-\s]\S*)? $/ },
  {
    names: /^git$/,
    when: / commit /,
    unless: / (?:-\w*[mFC]\w*|--(?:message|file|no-edit|reuse-message|dry-run|help)\S*) /,
  },
  {
    names: /^git$/,
    when: / rebase(?: \S+)* (?:-i|--interactive) /,
    instead:
      "set `GIT_SEQUENCE_EDITOR` to a command that changes the list, or use `git rebase --onto`, `git reset --soft`",
  },
  { names: /^git$/, when: / (?:rebase|add|checkout|restore|stash|reset)(?: \S+)* (?:-i|-p|--interactive|--patch) / },
];

/** Commands run as if nobody were there: who sees one has an editor, a pager and colours again. */
export function interactiveEnv({ VISUAL, EDITOR, PAGER, GIT_EDITOR, NO_COLOR }: Env): Record<string, string> {
  const editor = VISUAL || EDITOR || "vi";
  return {
    EDITOR: EDITOR || editor,
    VISUAL: editor,
    GIT_EDITOR: GIT_EDITOR || editor,
    GIT_SEQUENCE_EDITOR: GIT_EDITOR || editor,
    GIT_TERMINAL_PROMPT: "1",
    PAGER: PAGER || "less",
    GIT_PAGER: PAGER || "less",
    MANPAGER: PAGER || "less",
    NO_COLOR: NO_COLOR ?? "",
  };
}
