import { resolve } from "node:path";

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
  const words = invocation.exec(command)?.groups;
  if (!words) return undefined;
  const { dir, rest = "" } = words;
  // `cd -` goes back, and anything else with a dash is an option.
  if (/^['"]?-/.test(dir ?? "")) return undefined;
  const patch = /^'(?<patch>\s*\*\*\* Begin Patch[^']*)'\s*$/.exec(rest)?.groups?.patch ?? hereDocument(rest);
  if (patch === undefined) return undefined;
  return { patch, cwd: dir === undefined ? cwd : resolve(cwd, dir.replace(/^(['"])([\s\S]*)\1$/, "$2")) };
}

const invocation =
  /^\s*(?:cd\s+(?<dir>'[^']*'|"[^"$`\\]*"|[^\s'"$`\\;&|<>()*?~#[\]{}!]+)\s*&&\s*)?(?:apply_patch|applypatch)(?:[ \t]+(?=')|[ \t]*(?=<<))(?<rest>[\s\S]*)$/;

/** What the shell would hand over; nothing when it would change it, or do more. */
function hereDocument(text: string): string | undefined {
  const words = /^<<(?<strip>-?)\s*(?:'(?<a>\w+)'|"(?<b>\w+)"|(?<c>\w+))[ \t]*\n(?<body>[\s\S]*)$/.exec(text)?.groups;
  if (!words) return undefined;
  const { strip, a, b, c, body = "" } = words;
  // With `<<-` the shell takes leading tabs away.
  const rows = body.split("\n").map((row) => (strip ? row.replace(/^\t+/, "") : row));
  const end = rows.findIndex((row) => row === (a ?? b ?? c));
  if (end === -1 || rows.slice(end + 1).some((row) => row.trim() !== "")) return undefined;
  const patch = rows.slice(0, end).join("\n");
  // Without quotes around the word the shell would fill in variables and commands.
  return c !== undefined && /[$`\\]/.test(patch) ? undefined : patch;
}
