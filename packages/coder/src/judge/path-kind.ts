import { posix } from "node:path";
import type { JudgeState } from "./state.ts";
import { type Arg, matched, unknown } from "./value/argument.ts";

/** Where a path leads. A stream is none: writing there keeps nothing. */
export type PathKind = "inside" | "temporary" | "outside" | "stream" | "device" | "network" | "unknown";

export interface JudgedPath {
  kind: PathKind;
  /** What is known of the path. */
  path: string;
}

/** Where a command may stand; undefined when only a running shell knows. */
export type Directories = readonly string[] | undefined;

/** Whether a path is a folder or lies below it; both are absolute and plain. */
export const isBelow = (folder: string, path: string): boolean =>
  path === folder || (path.startsWith(folder) && (folder === "/" || path[folder.length] === "/"));

/** Every place that a word may name. */
export function judgedPaths(arg: Arg, standing: Directories, state: JudgeState): readonly JudgedPath[] {
  const { shape } = arg;
  if (shape.includes(unknown) || leavesByPattern(shape))
    return [{ kind: "unknown", path: shape.replaceAll(unknown, "…").replaceAll(matched, "*") }];
  // A pattern matches names of one directory: where that lies, they lie, but for links.
  const plain = shape.replaceAll(matched, "*");
  const matches = shape.includes(matched);
  const at = (path: string): readonly JudgedPath[] =>
    matches ? [path, ...state.links(posix.resolve(path))].map((one) => spotOf(one, state)) : [spotOf(path, state)];
  if (plain.startsWith("/")) return at(plain);
  return (standing ?? [undefined]).flatMap((cwd) =>
    cwd === undefined ? [{ kind: "unknown" as const, path: plain }] : at(`${cwd}/${plain}`),
  );
}

/** `.*` matches the directory above too, in some shells. */
const leavesByPattern = (shape: string): boolean =>
  shape.includes(matched) && shape.split("/").some((part) => part === ".." || (part[0] === "." && part[1] === matched));

function spotOf(path: string, state: JudgeState): JudgedPath {
  const plain = posix.resolve(path);
  if (plain.startsWith("/dev/")) return { kind: deviceOf(plain), path: plain };
  if (plain === "/proc/sysrq-trigger" || plain === "/proc/kcore") return { kind: "device", path: plain };
  const real = state.real(path);
  const isIn = (folders: readonly string[]) => folders.some((folder) => isBelow(folder, real));
  if (isIn(state.roots)) return { kind: "inside", path: real };
  return { kind: isIn(state.temporary) && !state.temporary.includes(real) ? "temporary" : "outside", path: real };
}

function deviceOf(path: string): PathKind {
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) return "network";
  if (/^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd(?:\/.*)?|tty|ptmx|pts\/.*)$/.test(path)) return "stream";
  return path.startsWith("/dev/shm/") ? "temporary" : "device";
}
