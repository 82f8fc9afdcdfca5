import { posix } from "node:path";
import type { Directories } from "./path-kind.ts";
import type { Arg } from "./word.ts";

const mostPlaces = 16;

/** Where a shell stands after a command that may have moved it; undefined where the command moves nothing. */
export function movedTo(
  [program, ...args]: readonly Arg[],
  standing: Directories,
  home: string,
): { to: Directories } | undefined {
  const name = program?.text;
  if (name === "popd") return { to: undefined };
  if (name !== "cd" && name !== "pushd") return undefined;
  const [to] = args.filter(({ text }) => !/^-[LPe@]+$|^--$/.test(text ?? ""));
  const path = to ? to.text : name === "cd" ? home : undefined;
  if (path === undefined || /^[-+]/.test(path)) return { to: undefined };
  if (path.startsWith("/")) return { to: [posix.resolve(path)] };
  return { to: standing?.map((at) => posix.resolve(at, path)) };
}

/** One place or another. */
export function union(one: Directories, other: Directories): Directories {
  if (one === other || !one || !other) return one && other;
  const all = [...new Set([...one, ...other])];
  return all.length > mostPlaces ? undefined : all;
}
