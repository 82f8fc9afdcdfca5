import { resolve } from "node:path";
import { literalText, value } from "../../bash/expand.ts";
import { parse } from "../../bash/parse.ts";
import type { ListItem, Simple } from "../../bash/tree.ts";
import { mayPatch } from "./named.ts";

export interface ShellPatch {
  patch: string;
  /** The directory that paths are relative to. */
  cwd: string;
}

/**
 * A shell command that only applies a patch: `apply_patch <<'EOF' … EOF` or `apply_patch '…'`, with `cd <dir> &&`
 * before it or not. Anything else in the command makes it an ordinary one, which the shell must run.
 */
export function shellPatch(command: string, cwd: string): ShellPatch | undefined {
  if (!mayPatch(command)) return undefined;
  // A patch is as long as what it writes.
  const read = parse(command, { characters: Number.POSITIVE_INFINITY });
  const items = read.ok ? read.value.items : [];
  const [first, second] = items;
  if (!first || items.length > 2) return undefined;
  const dir = second ? directory(first) : "";
  const patch = patchOf(second ?? first);
  return dir === undefined || patch === undefined ? undefined : { patch, cwd: resolve(cwd, dir) };
}

/** The one program of an item, without variables before it. */
function programOf({ pipeline: { commands, negated, timed } }: ListItem): Simple | undefined {
  const [only, ...more] = commands;
  if (only?.kind !== "simple" || more.length + only.assigns.length > 0 || negated || timed) return undefined;
  return only;
}

function directory(item: ListItem): string | undefined {
  const only = programOf(item);
  if (item.behind !== "&&" || !only || only.redirects.length > 0) return undefined;
  const [program, path, ...more] = only.words.map(literalText);
  // `cd -` goes back, and anything else with a dash is an option.
  return program === "cd" && more.length === 0 && path && !path.startsWith("-") ? path : undefined;
}

/** The patch that the shell would hand over; undefined when it would do more. */
function patchOf(item: ListItem): string | undefined {
  const only = programOf(item);
  if (!only || item.behind === "&") return undefined;
  const [program, given, ...more] = only.words.map(literalText);
  if ((program !== "apply_patch" && program !== "applypatch") || more.length > 0) return undefined;
  const [input, ...others] = only.redirects;
  if (!input) return given !== undefined && /^\s*\*\*\* Begin Patch/.test(given) ? given : undefined;
  if (others.length > 0 || !input.body || input.fd !== undefined || only.words.length > 1) return undefined;
  return value(input.body)?.replace(/\n$/, "");
}
