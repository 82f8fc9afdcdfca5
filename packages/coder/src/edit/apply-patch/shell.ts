import { resolve } from "node:path";

export interface ShellPatch {
  patch: string;
  /** The directory that paths are relative to. */
  cwd: string;
}

/**
 * A shell command that only applies a patch: `apply_patch <<'EOF' … EOF`, with `cd <dir> &&` before it or not. Anything else in the
 * command makes it an ordinary one, which the shell must run.
 */
export function shellPatch(command: string, cwd: string): ShellPatch | undefined {
  const found =
    /^\s*(?:cd\s+(?<dir>'[^']*'|"[^"$`\\]*"|[^\s'"$`\\;&|<>()*?~#[\]{}!]+)\s*&&\s*)?(?:apply_patch|applypatch)\s*<<-?\s*(?<open>'(?<a>\w+)'|"(?<b>\w+)"|(?<c>\w+))[ \t]*\n(?<body>[\s\S]*)$/.exec(
      command,
    );
  if (!found?.groups) return undefined;
  const { dir, a, b, c, body = "" } = found.groups;
  // `cd -` goes back, and anything else with a dash is an option.
  if (/^['"]?-/.test(dir ?? "")) return undefined;
  const rows = body.split("\n");
  const end = rows.findIndex((row) => row === (a ?? b ?? c));
  if (end === -1 || rows.slice(end + 1).some((row) => row.trim() !== "")) return undefined;
  const patch = rows.slice(0, end).join("\n");
  // Without quotes around the word the shell would fill in variables and commands.
  if (c !== undefined && /[$`\\]/.test(patch)) return undefined;
  return { patch, cwd: dir === undefined ? cwd : resolve(cwd, dir.replace(/^(['"])([\s\S]*)\1$/, "$2")) };
}
