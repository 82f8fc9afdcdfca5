import type { Meta } from "../../tool/meta.ts";
import { type Json, text } from "./read.ts";

type Origin = NonNullable<Meta["origin"]>;

/** A call of another program; without the directory no absolute path is known to be the project's. */
export interface ForeignCall {
  name: string;
  input: Json;
  cwd?: string | undefined;
}

/**
 * Tells where the result of another program's call came from; undefined only where it certainly is the project's own.
 * Everything else is marked.
 */
export function foreignOrigin({ name, input, cwd }: ForeignCall): Origin | undefined {
  const tool = name.toLowerCase();
  if (/^mcp|__/.test(tool)) return { from: "server", what: name };
  if (/web|fetch|browser/.test(tool)) return { from: "web", what: text(input.url) ?? text(input.query) ?? name };
  if (commands.has(tool)) {
    const command = commandIn(input);
    return isOwn(command, text(input.workdir) ?? "", cwd) ? undefined : { from: "network", what: command || name };
  }
  if (silent.has(tool)) return undefined;
  if (!files.has(tool)) return { from: "outside", what: name };
  const named = ["file_path", "filePath", "notebook_path", "path", "paths", ...(patterns.has(tool) ? ["pattern"] : [])];
  const strange = named.flatMap((key) => input[key] ?? []).find((path) => !isBelow(String(path), cwd));
  return strange === undefined ? undefined : { from: "outside", what: String(strange) };
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));
const commands = words("bash shell exec_command container.exec local_shell");
/** Tools whose results hold nothing but what the model or the user said. */
const silent = words(
  "todo todowrite todoread update_plan apply_patch exitplanmode enterplanmode askuserquestion killshell",
);
const files = words("read write edit multiedit notebookedit notebookread glob grep find ls view_image search");
const patterns = words("glob find");

/** The command of a call; of `bash -lc …` what the shell is told. */
function commandIn({ command, cmd }: Json): string {
  const given = command ?? cmd;
  if (!Array.isArray(given)) return text(given) ?? "";
  return given.length === 3 && /^-\w*c$/.test(String(given[1])) ? String(given[2]) : given.join(" ");
}

/** True for a path that lies in the project by its words: addresses, homes and ways up do not. */
function isBelow(path: string, cwd: string | undefined): boolean {
  const own = cwd && cwd !== "/" && `${path}/`.startsWith(`${cwd}/`) ? path.slice(cwd.length) : `/${path}`;
  return !/(?:^|\/)\.\.(?:\/|$)|:\/\/|^\/[/~]|^\/\w+:\//.test(own);
}

/** True for commands of a short list whose every word is literal and stays in the project. */
function isOwn(command: string, workdir: string, cwd: string | undefined): boolean {
  if (workdir !== "" && !isBelow(workdir, cwd)) return false;
  const plain = command.trim().replace(/\s2>(?:&1|\/dev\/null)(?=\s|$)/g, "");
  const here =
    cwd && cwd !== "/"
      ? plain
          .split(/(\s+)/)
          .map((word) => withoutFolder(word, cwd))
          .join("")
      : plain;
  if (here === "" || strange.test(here)) return false;
  return here.split(/&&|\|\||[|;]/).every((part) => own.test(part.trim()));
}

const withoutFolder = (word: string, cwd: string): string =>
  word === cwd || word.startsWith(`${cwd}/`) ? `.${word.slice(cwd.length)}` : word;
/** Expansions, redirections, paths that lead out, and options that run something. */
const strange =
  /[$`()<>{}\\\n]|(?<!&)&(?!&)|\.\.|:\/\/|(?:^|[^\w.*\]/-])[/~]|(?:^|\s)-[\w-]*[/~]|\s-(?:exec|ok)|--(?:pre|exec)/;
const own =
  /^(?:(?:ls|pwd|cat|head|tail|wc|grep|rg|find|sort|uniq|echo|true|cd|mkdir|rm|mv|cp|touch)|git (?:status|diff|log|show|add|commit|branch|ls-files|blame))(?:\s|$)/;
