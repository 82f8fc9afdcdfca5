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

function needsEyes({ words, redirects, within }: ScriptCommand): boolean {
  if (within !== "line" || redirects.length > 0) return false;
  const known = words.map((word) => word ?? "");
  const from = known.findIndex((word, at) => !runners.test(word) && !(at > 0 && /^-|^\w+=/.test(word)));
  const [program = "", ...given] = from < 0 ? [] : known.slice(from);
  const name = basename(program);
  const line = ` ${given.join(" ")} `;
  return programs.some(
    ({ names, unless, when }) => names.test(name) && !unless?.test(line) && (when?.test(line) ?? true),
  );
}

/** Programs that only run another one. */
const runners = /^(?:sudo|doas|env|command|exec|nice|time)$/;

const programs: readonly { names: RegExp; unless?: RegExp; when?: RegExp }[] = [
  {
    names: /^(?:vi|vim|nvim|view|vimdiff|nano|pico|emacs|micro|hx|helix|joe|jed|mcedit|visudo|sudoedit|ed)$/,
    unless: / (?:--version|--help|-es|-s|--batch) /,
  },
  { names: /^(?:less|more|most|man|info)$/, unless: / --(?:version|help) / },
  {
    names: /^(?:top|htop|btop|atop|nmon|iotop|watch|ncdu|mc|ranger|lf|nnn|yazi|fzf|tig|lazygit|gitui|lazydocker|k9s)$/,
    unless: / -\w*b\w* | --(?:version|help) /,
  },
  { names: /^(?:ssh|mosh|telnet|sftp|ftp)$/, unless: / -\w*[TNfVG]\w* / },
  {
    names: /^(?:tmux|screen|su|passwd|gdb|lldb)$/,
    unless: / (?:-V|--version|--batch|-batch|-b|-c|ls|list-\S*|-ls|capture-pane|send-keys|display\S*) /,
  },
  {
    names: /^(?:python[\d.]*|ipython|node|bun|deno|irb|lua|ghci|R|julia|bash|sh|zsh|fish|dash|ksh|bc)$/,
    when: /^ {2}$/,
  },
  { names: /^(?:psql|mysql|mariadb|sqlite3|redis-cli|mongosh)$/, when: /^ (?:[^-\s]\S*)? $/ },
  {
    names: /^git$/,
    when: / commit /,
    unless: / (?:-\w*[mFC]\w*|--(?:message|file|no-edit|reuse-message|dry-run|help)\S*) /,
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
