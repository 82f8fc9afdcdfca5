import { posix } from "node:path";
import type { JudgeState } from "./state.ts";
import { type Arg, matched, unknown } from "./word.ts";

/** The side on which a path lies. Writing to a stream keeps nothing. */
export type PathKind = "inside" | "temporary" | "outside" | "stream" | "device" | "network" | "unknown";

export interface JudgedPath {
  kind: PathKind;
  /** The path as far as it is known. */
  path: string;
}

/** Directories that a command may stand in; undefined when only a running shell knows. */
export type Directories = readonly string[] | undefined;

/** True when a path is a folder or lies below it; both are absolute and plain. */
export const isBelow = (folder: string, path: string): boolean =>
  path === folder || (path.startsWith(folder) && (folder === "/" || path[folder.length] === "/"));

/** Every place that a word may name. */
export function judgedPaths({ shape }: Arg, standing: Directories, state: JudgeState): readonly JudgedPath[] {
  const plain = shape.replaceAll(unknown, "…").replaceAll(matched, "*");
  if (shape.includes(unknown) || /(?:^|\/)\.(?:\*|\.?[^/]*\*)/.test(plain)) return [{ kind: "unknown", path: plain }];
  if (plain.startsWith("/")) return [placeOf(plain, state)];
  return (standing ?? [undefined]).map((cwd) =>
    cwd === undefined ? { kind: "unknown", path: `…/${plain}` } : placeOf(`${cwd}/${plain}`, state),
  );
}

function placeOf(path: string, state: JudgeState): JudgedPath {
  const plain = posix.resolve(path);
  if (plain.startsWith("/dev/")) return { kind: deviceOf(plain), path: plain };
  if (plain === "/proc/sysrq-trigger" || plain === "/proc/kcore") return { kind: "device", path: plain };
  // The directory of another process, or where it keeps a file open, is known when it runs.
  const own = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:cwd|fd\/[^/]+)(?=\/)(.*)/.exec(plain);
  if (own) return { kind: "unknown", path: `…${own[1]}` };
  const real = state.real(path);
  const isIn = (folders: readonly string[]) => folders.some((folder) => isBelow(folder, real));
  if (isIn(state.roots)) return { kind: "inside", path: real };
  const isTemporary = isIn(state.temporary) && !state.temporary.includes(real) && state.given?.(real) !== true;
  return { kind: isTemporary ? "temporary" : "outside", path: real };
}

function deviceOf(path: string): PathKind {
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) return "network";
  if (/^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+|tty|ptmx|pts\/\d+)$/.test(path)) return "stream";
  return path.startsWith("/dev/shm/") ? "temporary" : "device";
}
